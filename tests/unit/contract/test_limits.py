"""What a target cannot send."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.contract.limits import Limits, parse_limits, target_limits, undeliverable
from mcp_lockstep.contract.model import Contract
from mcp_lockstep.contract.origin import Origins
from mcp_lockstep.contract.sources import read_contract, read_sources
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.findings import Finding
from mcp_lockstep.tree import Memory, Tree

SDK_ALONE = Limits("dropped", "dropped", "dropped", "refused", "refused")
TOOL = {"name": "a", "inputSchema": {"type": "object"}}


def judged(limits: Limits, **lists: object) -> tuple[Finding, ...]:
    offer = read_contract(Tree(Memory({"c.json": json.dumps(lists).encode()})), "c.json")
    return undeliverable(offer.contract, offer.origins, limits)


def test_dropped_keys_are_warnings_at_their_places() -> None:
    tool = {**TOOL, "x": 1, "title": None, "annotations": {"category": "c"}}
    prompt = {"name": "p", "arguments": [{"name": "q", "default": "d"}]}
    findings = judged(SDK_ALONE, tools=[tool], prompts=[prompt])
    assert [(f.code.slug, f.severity, f.place.address) for f in findings] == [
        ("target-drops", "warning", "/tools/0/x"),
        ("target-drops", "warning", "/tools/0/title"),
        ("target-drops", "warning", "/tools/0/annotations/category"),
        ("target-drops", "warning", "/prompts/0/arguments/0/default"),
    ]
    assert findings[0].message.startswith("c.json#/tools/0/x is no key of the protocol")
    assert findings[0].position.column > 1


def test_execution_is_a_note_since_older_clients_get_it() -> None:
    findings = judged(SDK_ALONE, tools=[{**TOOL, "execution": {"taskSupport": "forbidden"}}])
    assert [(f.code.slug, f.severity, f.place.address) for f in findings] == [
        ("target-drops", "note", "/tools/0/execution")
    ]


@pytest.mark.parametrize(("schema", "have"), [({}, "no type"), ({"type": ["object"]}, 'type ["object"]')])
def test_a_root_that_is_no_object_keeps_the_tool_from_being_listed(schema: object, have: str) -> None:
    (finding,) = judged(Limits(input_root_not_object="refused"), tools=[{"name": "a", "inputSchema": schema}])
    assert (finding.code.slug, finding.severity, finding.place.address) == (
        "target-refuses",
        "error",
        "/tools/0/inputSchema",
    )
    assert finding.code.exit == 1
    assert (finding.have, finding.want) == (have, '"type": "object"')


@pytest.mark.parametrize(
    ("fate", "slug"), [("dropped", ["target-drops"]), ("refused", ["target-refuses"]), ("kept", [])]
)
def test_an_output_schema_that_is_no_object(fate: str, slug: list[str]) -> None:
    limits = parse_limits({"output-root-not-object-in-handshake": fate})
    findings = judged(limits, tools=[{**TOOL, "outputSchema": {"type": "array"}}])
    assert [finding.code.slug for finding in findings] == slug
    assert all("2026-07-28" in finding.message for finding in findings if fate == "dropped")


def test_an_address_that_cannot_be_read_back() -> None:
    limits = parse_limits({"uri-template-unmatchable": "refused"})
    templates = [{"name": "a", "uriTemplate": "x://{a}{b}"}, {"name": "b", "uriTemplate": "x://{a}/{b}"}]
    (finding,) = judged(limits, resourceTemplates=templates)
    assert finding.code.slug == "resource-template-unmatchable"
    assert "nothing stands between two of its variables" in finding.message
    assert finding.place.address == "/resourceTemplates/0/uriTemplate"
    assert judged(Limits(), resourceTemplates=templates) == ()


def test_without_limits_everything_is_sent() -> None:
    tool: JsonObject = {
        "name": "a",
        "x": 1,
        "title": None,
        "execution": {},
        "inputSchema": {},
        "outputSchema": {},
    }
    assert judged(Limits(), tools=[tool], prompts=[{"name": "p", "y": 1}]) == ()


def test_a_sound_contract_is_silent_under_all_limits() -> None:
    tool = {**TOOL, "_meta": {"a": 1}, "outputSchema": {"type": "object", "x-own": {"b": None}}}
    assert judged(SDK_ALONE, tools=[tool]) == ()


def test_the_table_of_a_target_is_checked() -> None:
    with pytest.raises(ValueError, match="has no key 'unknown'"):
        parse_limits({"unknown": "kept"})
    with pytest.raises(ValueError, match="null-keys is True"):
        parse_limits({"null-keys": True})
    assert parse_limits({"null-keys": "dropped"}, SDK_ALONE)._replace(null_keys="dropped") == SDK_ALONE


def test_limits_of_the_default_target() -> None:
    assert target_limits("mcp2") == Limits(
        input_root_not_object="refused",
        output_root_not_object_in_handshake="dropped",
        uri_template_unmatchable="refused",
    )
    with pytest.raises(FileNotFoundError):
        target_limits("none")


def test_the_sdk_drops_what_its_limits_say(shared: Path) -> None:
    types = pytest.importorskip("mcp_types", reason="the SDK is not installed")
    serialize = pytest.importorskip("mcp_types.methods").serialize_server_result
    eras = {"2025-11-25": {}, "2026-07-28": {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}}
    dropped = 0
    for path in sorted((shared / "toollists").glob("*.json")):
        offer = read_sources([str(path)])
        for tool, origin in zip(offer.contract.tools, offer.origins.tools, strict=True):
            model = types.ListToolsResult(tools=[types.Tool.model_validate(tool)])
            result = model.model_dump(by_alias=True, mode="json", exclude_none=True)
            sent = [
                serialize("tools/list", era, {**result, **more})["tools"][0] for era, more in eras.items()
            ]
            findings = undeliverable(Contract((tool,)), Origins((origin,)), SDK_ALONE)
            assert (sent == [tool, tool]) is (not findings), (path.name, tool["name"])
            dropped += bool(findings)
    assert dropped > 0

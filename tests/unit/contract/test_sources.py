"""What SOURCES say, in every form in which tools are handed round."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcp_lockstep.contract.model import KINDS
from mcp_lockstep.contract.sources import Offer, open_source, read_contract, read_sources
from mcp_lockstep.documents.data import JsonObject, as_array, objects
from mcp_lockstep.findings import Refused
from mcp_lockstep.tree import Memory, Tree

Write = Callable[[Mapping[str, str | bytes]], Path]

TOOL = {"name": "get-forecast", "inputSchema": {"type": "object"}}
OTHER = {"name": "alerts", "inputSchema": {"type": "object"}}
PROMPT = {"name": "brief"}


def read(value: object) -> Offer:
    return read_contract(Tree(Memory({"contract.json": json.dumps(value).encode()})), "contract.json")


def ids(offer: Offer) -> list[str]:
    return [finding.code.slug for finding in offer.findings]


@pytest.mark.parametrize(
    "value",
    [
        {"tools": [TOOL]},
        {"result": {"tools": [TOOL]}},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL], "nextCursor": None}},
        {"tools": {"tools": [TOOL]}},
        {"tools": {"result": {"tools": [TOOL]}}},
        {"tools": [TOOL], "prompts": None, "resources": None, "//": "a note"},
        [TOOL],
        TOOL,
    ],
)
def test_every_form_of_a_list_of_tools(value: object) -> None:
    offer = read(value)
    assert offer.contract.tools == (TOOL,)
    assert offer.findings == ()
    assert offer.files == ("contract.json",)


@pytest.mark.parametrize("prompts", [[PROMPT], {"prompts": [PROMPT]}, {"result": {"prompts": [PROMPT]}}])
def test_every_form_of_the_other_lists(prompts: object) -> None:
    offer = read({"tools": [TOOL], "prompts": prompts})
    assert offer.contract.prompts == (PROMPT,)
    assert offer.findings == ()


def test_an_error_in_place_of_a_list_is_an_empty_list() -> None:
    offer = read({"tools": [TOOL], "resourceTemplates": {"code": -32601, "message": "Method not found"}})
    assert offer.contract.resource_templates == ()
    assert ids(offer) == ["list-refused"]
    assert offer.errors == ()


def test_places_name_the_item_as_it_stands_in_the_file() -> None:
    offer = read({"result": {"tools": [TOOL, OTHER]}})
    assert [str(origin) for origin in offer.origins.tools] == [
        "contract.json#/result/tools/0",
        "contract.json#/result/tools/1",
    ]


@pytest.mark.parametrize("value", [5, "x", None, {}, {"a": 1}, {"name": "p", "version": "1.0.0"}])
def test_what_says_nothing_is_an_error(value: object) -> None:
    offer = read(value)
    assert ids(offer) == ["source-unknown"]
    assert offer.findings[0].code.exit == 2


@pytest.mark.parametrize("value", [{"tools": []}, {"tools": None, "prompts": []}])
def test_an_empty_contract_is_a_note_in_a_project_and_a_warning_as_a_source(
    value: object, tmp_path: Path
) -> None:
    offer = read(value)
    assert ids(offer) == ["contract-empty"]
    assert offer.findings[0].severity == "note"
    (tmp_path / "tools.json").write_text(json.dumps(value), encoding="utf-8")
    (finding,) = read_sources([str(tmp_path / "tools.json")]).findings
    assert (finding.code.slug, finding.severity) == ("contract-empty", "warning")


def test_a_contract_of_resources_only_is_none() -> None:
    assert read({"tools": [], "resources": [{"name": "log", "uri": "log://today"}]}).findings == ()


@pytest.mark.parametrize("value", [{"tools": "x"}, {"tools": {"a": 1}}])
def test_a_list_that_is_none_is_an_error(value: object) -> None:
    offer = read(value)
    assert ids(offer)[0] == "contract-wrong-type"
    assert offer.findings[-1].place.address in {"/tools", ""}


def test_an_item_that_is_no_object_is_an_error_at_its_place() -> None:
    offer = read_contract(Tree(Memory({"c.json": b'{"tools": [\n  "x"\n]}'})), "c.json")
    wrong = offer.findings[0]
    assert (wrong.code.slug, wrong.place.address) == ("contract-wrong-type", "/tools/0")
    assert (wrong.position.line, wrong.position.column) == (2, 3)
    assert wrong.message == 'c.json#/tools/0 is "x"; an object is wanted'


def test_a_folder_of_one_tool_files_in_the_order_of_their_names() -> None:
    files = {"tools/b.json": TOOL, "tools/a.json": OTHER, "tools/notes.txt": "x", "tools/c.json": [PROMPT]}
    raw = {name: json.dumps(value).encode() for name, value in files.items()}
    offer = read_contract(Tree(Memory(raw)), "tools")
    assert [tool["name"] for tool in offer.contract.tools] == ["alerts", "get-forecast", "brief"]
    assert offer.files == ("tools/a.json", "tools/b.json", "tools/c.json")
    assert ids(offer) == ["contract-key-missing"]


def test_a_project_is_its_contract_and_its_server_json(project: Write) -> None:
    manifest: JsonObject = {"name": "io.github.acme/weather", "version": "1.2.0", "packages": []}
    folder = project(
        {
            "contract.json": json.dumps({"tools": [TOOL]}),
            "server.json": json.dumps(manifest),
            "package.json": "{}",
        }
    )
    offer = read_sources([str(folder)])
    assert offer.contract.tools == (TOOL,)
    assert (offer.identity.name, offer.identity.version) == ("io.github.acme/weather", "1.2.0")
    assert offer.files == (f"{folder.as_posix()}/contract.json", f"{folder.as_posix()}/server.json")
    assert offer.findings == ()


def test_several_sources_are_read_as_one(project: Write) -> None:
    answer = {"serverInfo": {"name": "weather", "version": "0.1"}, "instructions": "Ask."}
    folder = project(
        {
            "dump.json": json.dumps({"initialize": answer, "tools": [TOOL]}),
            "more.json": json.dumps([OTHER]),
            "server.json": json.dumps({"$schema": "x/server.schema.json", "name": "a/b", "version": "2.0.0"}),
        }
    )
    offer = read_sources([str(folder / name) for name in ("dump.json", "more.json", "server.json")])
    assert offer.contract.tools == (TOOL, OTHER)
    identity = offer.identity
    assert (identity.name, identity.label, identity.version, identity.instructions) == (
        "a/b",
        "weather",
        "2.0.0",
        "Ask.",
    )
    assert offer.findings == ()


def test_one_tool_in_two_sources_is_named_with_both_places(project: Write) -> None:
    folder = project({"a.json": json.dumps([TOOL]), "b.json": json.dumps([TOOL])})
    offer = read_sources([str(folder / "a.json"), str(folder / "b.json")])
    assert ids(offer) == ["contract-name-twice"]
    assert f"{folder.as_posix()}/a.json#/0/name" in offer.findings[0].message
    assert offer.findings[0].place.path.endswith("b.json")


def test_two_manifests_that_disagree_are_a_warning(project: Write) -> None:
    folder = project({n: json.dumps({"name": f"x/{n[0]}", "packages": []}) for n in ("a.json", "b.json")})
    offer = read_sources([str(folder / "a.json"), str(folder / "b.json")])
    assert offer.identity.name == "x/a"
    assert [(f.code.slug, f.have, f.want) for f in offer.findings] == [("sources-disagree", "x/b", "x/a")]


LATEST = {"_meta": {"io.modelcontextprotocol.registry/official": {"isLatest": True}}}
REGISTRY: JsonObject = {
    "servers": [
        {"server": {"name": "x/a", "version": "2.0.0", "packages": []}, **LATEST},
        {"server": {"name": "x/a", "version": "1.0.0", "packages": []}},
        {"server": {"name": "x/b", "version": "3.0.0", "packages": []}},
    ]
}


def test_a_registry_list_gives_the_named_server_in_its_newest_version(project: Write) -> None:
    folder = project({"list.json": json.dumps(REGISTRY)})
    offer = read_sources([str(folder / "list.json")], name="x/a")
    assert (offer.identity.name, offer.identity.version) == ("x/a", "2.0.0")
    assert offer.findings == ()


@pytest.mark.parametrize(("name", "words"), [("", "one is wanted"), ("x/c", "none is called x/c")])
def test_a_registry_list_of_several_servers_is_ambiguous(project: Write, name: str, words: str) -> None:
    folder = project({"list.json": json.dumps(REGISTRY)})
    offer = read_sources([str(folder / "list.json")], name=name)
    assert ids(offer) == ["source-ambiguous"]
    assert words in offer.findings[0].message
    assert '"x/a", "x/b"' in offer.findings[0].message


@pytest.mark.parametrize("source", ["stdio:weather-mcp", "https://example.com/mcp", "http://[::1]/mcp"])
def test_running_servers_are_not_read_yet(source: str) -> None:
    with pytest.raises(Refused, match="not in this version") as caught:
        open_source(source)
    assert caught.value.findings[0].code.slug == "source-unsupported"


def test_a_missing_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is not there") as caught:
        read_sources([str(tmp_path / "none.json")])
    assert caught.value.findings[0].code.exit == 2


def test_a_folder_without_json_is_refused(project: Write) -> None:
    folder = project({"readme.txt": "x"})
    with pytest.raises(Refused, match="is a folder without JSON files"):
        read_sources([str(folder)])


@pytest.mark.parametrize("raw", [b"", b"{", b'{"tools": [NaN]}', b'{"tools": [], "tools": []}', b"\xff"])
def test_what_is_no_json_is_refused_with_its_place(raw: bytes) -> None:
    with pytest.raises(Refused) as caught:
        read_contract(Tree(Memory({"contract.json": raw})), "contract.json")
    assert caught.value.findings[0].code.exit == 2
    assert caught.value.findings[0].place.path == "contract.json"


def test_real_tool_lists(shared: Path) -> None:
    for path in sorted((shared / "toollists").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        offer = read_sources([str(path)])
        assert list(offer.contract.tools) == data["tools"], path.name
        for kind in KINDS[1:]:
            assert list(offer.contract.of(kind)) == (as_array(data[kind]) or []), path.name
        assert offer.identity.label == data["initialize"]["serverInfo"]["name"]
        assert {finding.code.slug for finding in offer.findings} <= {"list-refused"}, path.name


def test_example_of_a_registry_list(shared: Path) -> None:
    path = shared / "seeds" / "registry-list.example.json"
    offer = read_sources([str(path)], name="my-local-server")
    assert offer.published is not None
    (package,) = objects(offer.published.data["packages"])
    assert [item["name"] for item in objects(package["environmentVariables"])] == ["ENV_VAR"]


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="pipes with a path need /dev/fd")
def test_a_pipe_is_read_to_its_end() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as handle:
        handle.write(b'[{"name": "get", "inputSchema": {"type": "object"}}]')
    try:
        offer = read_sources([f"/dev/fd/{reader}"])
    finally:
        os.close(reader)
    assert [tool["name"] for tool in offer.contract.tools] == ["get"]
    assert offer.errors == ()

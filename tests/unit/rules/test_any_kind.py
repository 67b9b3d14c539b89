from __future__ import annotations

import json
from pathlib import Path

from manifests import BUNDLE, ENTRY, sound_manifest
from mcp_lockstep.documents.data import table
from mcp_lockstep.documents.json import JsonDocument
from mcp_lockstep.findings import Finding
from mcp_lockstep.rules.any_kind import judge_each


def judged(data: object) -> tuple[Finding, ...]:
    return judge_each((JsonDocument("file.json", json.dumps(data, indent=2).encode()),))[0]


def told(data: object) -> list[tuple[str, str]]:
    return [(finding.code.slug, finding.place.address) for finding in judged(data)]


def test_sound_files_of_every_kind_give_nothing() -> None:
    assert judged(sound_manifest()) == ()
    assert judged({"servers": [{"server": ENTRY}, {"server": {**ENTRY, "name": "tides"}}]}) == ()
    assert judged(BUNDLE) == ()


def test_several_files_of_mixed_kinds_are_judged_as_each_alone() -> None:
    made: list[object] = [
        {**sound_manifest(), "version": "latest", "name": "weather"},
        {"servers": [{}]},
        sound_manifest(),
        {**BUNDLE, "manifest_version": "9.9"},
        [],
        {"$schema": "draft", "packages": [{"registryType": "pip"}], "description": "\u202e"},
    ]
    documents = [
        JsonDocument(f"{number}.json", json.dumps(data).encode()) for number, data in enumerate(made)
    ]
    alone = [judge_each((document,))[0] for document in documents]
    assert judge_each(documents) == alone
    assert [bool(findings) for findings in alone] == [True, True, False, True, True, True]
    assert judge_each(()) == []


def test_the_example_of_a_registry_list_is_sound(shared: Path) -> None:
    path = shared / "seeds" / "registry-list.example.json"
    assert judge_each((JsonDocument(path.name, path.read_bytes()),)) == [()]


def test_what_is_wrong_in_a_registry_list() -> None:
    long = {**ENTRY, "description": "x" * 101}
    slashed = {**ENTRY, "name": "io.github.acme/weather"}
    package = {**ENTRY, "name": "tides", "packages": [*ENTRY["packages"], *ENTRY["packages"]]}
    data = {"servers": [{"server": ENTRY}, {"server": long}, {"server": slashed}, {"server": package}, {}]}
    assert told(data) == [
        ("duplicate-server", "/servers/1/server/name"),
        ("description-too-long", "/servers/1/server/description"),
        ("wrong-form", "/servers/2/server/name"),
        ("wrong-length", "/servers/3/server/packages"),
        ("field-required", "/servers/4/server"),
    ]
    messages = [finding.message for finding in judged(data)]
    assert messages[0] == '`servers[1].server.name` is "weather", like `servers[0].server.name`.'
    assert (
        messages[1]
        == "`servers[1].server.description` has 101 characters; a registry list allows at most 100."
    )
    assert messages[3] == "`servers[3].server.packages` has 2 elements; at most 1 is wanted."


def test_what_is_wrong_in_a_bundle_manifest() -> None:
    assert told({**BUNDLE, "manifest_version": "9.9"}) == [
        ("bundle-revision-unknown", "/manifest_version"),
    ]
    assert told({**BUNDLE, "manifest_version": "0.2", "icons": []}) == [("key-not-allowed", "/icons")]
    (former,) = judged(
        {key: value for key, value in {**BUNDLE, "dxt_version": "0.4"}.items() if key[0] != "m"}
    )
    assert (former.code.slug, former.severity) == ("bundle-revision-key", "warning")


def test_a_list_where_an_object_is_wanted_is_one_finding() -> None:
    (finding,) = judged([BUNDLE])
    assert (
        finding.message
        == "file.json is an array; a server.json, a list of a registry or the manifest of an MCPB bundle is wanted"
    )


def test_a_key_in_a_bundle() -> None:
    token = "ghp_0123456789abcdefABCDEF0123456789abcd"
    config = {
        "command": "uv",
        "args": ["run", "--token", token],
        "env": {"A": f"Bearer {token}", "B": "${user_config.key}", "C": "sk-your-own-key-goes-here"},
        "platform_overrides": {"win32": {"env": {"A/B": token}}},
    }
    option = {"type": "string", "title": "Key", "description": "A key."}
    data = {
        **BUNDLE,
        "server": {**table(BUNDLE, "server"), "mcp_config": config},
        "user_config": {
            "key": {**option, "sensitive": True, "default": "aB3dE5gH7jK9mN1pQ3sT5vX7"},
            "city": {**option, "default": "aB3dE5gH7jK9mN1pQ3sT5vX7"},
        },
    }
    assert told(data) == [
        ("key-published", "/server/mcp_config/args/2"),
        ("key-published", "/server/mcp_config/env/A"),
        ("key-published", "/server/mcp_config/platform_overrides/win32/env/A~1B"),
        ("key-published", "/user_config/key/default"),
    ]
    assert token not in str(judged(data))

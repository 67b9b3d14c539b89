"""Files of the first revision: refused by the registry, and judged by what their keys mean."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.rules import OFFICIAL, PRIVATE, judge_data, judge_manifest
from mcp_lockstep.rules.former import with_todays_names
from mcp_lockstep.rules.manifest import JsonObject

URL = "https://static.modelcontextprotocol.io/schemas/{}/server.schema.json"
PACKAGE = "/packages/0"


def manifest(package: JsonObject, **top: object) -> JsonObject:
    sound = {
        "registry_type": "pypi",
        "identifier": "weather",
        "version": "1.2.0",
        "transport": {"type": "stdio"},
    }
    return {
        "$schema": URL.format("2025-07-09"),
        "name": "io.github.acme/weather",
        "description": "Forecasts.",
        "version": "1.2.0",
        "packages": [{**sound, **package}],
        **top,
    }


def told(data: JsonObject) -> list[tuple[str, str, str]]:
    faults = judge_data(data)
    return [(f.level or f.code.severity, f.code.slug, f.pointer) for f in faults]


REFUSED = ("error", "package-keys-former", f"{PACKAGE}/registry_type")
OLD = ("warning", "schema-revision-old", "/$schema")


def test_the_registry_refuses_it() -> None:
    assert told(manifest({})) == [OLD, REFUSED]
    fault = judge_data(manifest({}))[1]
    assert fault.message == (
        "`packages[0].registry_type`: the registry looks for `registryType`, and refuses the file without it."
    )
    assert fault.hint == "`mcp-lockstep migrate FILE --write` gives all keys their names of today."
    assert [fault.code.slug for fault in judge_data(manifest({}), PRIVATE)] == ["schema-revision-old"]


def test_without_packages_nothing_is_refused() -> None:
    data = manifest({}, remotes=[{"type": "sse", "url": "https://acme.example/sse"}])
    del data["packages"]
    assert told(data) == [("note", "schema-revision-old", "/$schema")]


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"registry_type": "homebrew"}, ("error", "registry-type-unsupported", "/registry_type")),
        (
            {"registry_base_url": "https://x.example"},
            ("error", "registry-base-url-wrong", "/registry_base_url"),
        ),
        ({"file_sha256": "0" * 64}, ("error", "file-hash-forbidden", "/file_sha256")),
        (
            {"environment_variables": [{"name": "API_KEY", "is_required": True}]},
            ("warning", "secret-not-marked", "/environment_variables/0"),
        ),
        (
            {"environment_variables": [{"name": "api-key", "is_secret": True}]},
            ("warning", "env-name-not-portable", "/environment_variables/0/name"),
        ),
        (
            {"package_arguments": [{"type": "named", "name": "--u <u>"}]},
            ("error", "invalid-named-argument-name", "/package_arguments/0/name"),
        ),
        (
            {"runtime_arguments": [{"type": "named", "name": "-u", "value_hint": "u"}]},
            ("note", "named-argument-value-hint", "/runtime_arguments/0/value_hint"),
        ),
        ({"identifier": "your-package"}, ("warning", "placeholder-text", "/identifier")),
    ],
)
def test_rules_see_what_the_keys_mean(changes: JsonObject, finding: tuple[str, str, str]) -> None:
    severity, slug, below = finding
    assert [f for f in told(manifest(changes)) if f not in (OLD, REFUSED)] == [
        (severity, slug, f"{PACKAGE}{below}")
    ]


def test_they_speak_of_the_file_as_it_is_written() -> None:
    data = manifest({"registry_type": "homebrew"}, website_url="http://acme.example")
    document = JsonDocument("server.json", json.dumps(data, indent=2).encode())
    lines = document.text.splitlines()
    found = {f.code.slug: f for f in judge_manifest(document, OFFICIAL)}
    for slug, key in (
        ("website-url-invalid-scheme", "website_url"),
        ("registry-type-unsupported", "registry_type"),
    ):
        assert f'"{key}": ' in lines[(found[slug].position.line or 0) - 1]
        assert f"{key}`" in found[slug].message


def test_a_key_by_both_names_counts_by_the_newer() -> None:
    data: JsonObject = {
        "website_url": "a",
        "websiteUrl": "b",
        "packages": [1, {"registry_type": "x"}],
        "remotes": {},
    }
    assert with_todays_names(data) == {
        "websiteUrl": "b",
        "packages": [1, {"registryType": "x"}],
        "remotes": {},
    }
    assert data["website_url"] == "a"
    assert with_todays_names({"websiteUrl": "b", "website_url": "a"}) == {"websiteUrl": "b"}


@pytest.mark.parametrize("revision", ["2025-09-16", "2025-12-11"])
def test_newer_revisions_say_it_in_their_schema(revision: str) -> None:
    data = {**manifest({}), "$schema": URL.format(revision)}
    found = told(data)
    assert ("error", "field-required", f"{PACKAGE}/registryType") in found
    assert not [fault for fault in found if fault[1] == "package-keys-former"]


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [None], [1], {"variables": 1}, [{"variables": [1]}]])
def test_wrong_types_make_no_crash(value: object) -> None:
    for key in ("environment_variables", "transport", "registry_type", "headers"):
        judge_data(manifest({key: value}))
    judge_data({**manifest({}), "packages": value, "remotes": value})


def test_the_variables_of_an_input_have_its_keys() -> None:
    inner = {"variables": {"is_secret": {"is_required": True}}}
    data: JsonObject = {"remotes": [{"headers": [{"name": "X", "is_secret": True, **inner}]}]}
    after = {"variables": {"is_secret": {"isRequired": True}}}
    assert with_todays_names(data) == {"remotes": [{"headers": [{"name": "X", "isSecret": True, **after}]}]}

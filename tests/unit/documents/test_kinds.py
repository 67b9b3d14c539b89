"""What a JSON file is meant to be, by its keys."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.kinds import Kind, is_sure, no_schema, other_kind, sign_of, words_of
from mcp_lockstep.findings import Finding

REVISION = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


@pytest.mark.parametrize(
    ("data", "kind", "key"),
    [
        ({}, "server.json", ""),
        ({"name": "a/b", "description": "", "version": "1"}, "server.json", ""),
        ({"packages": [], "tools": []}, "server.json", ""),
        ({"remotes": [], "main": "a.js"}, "server.json", ""),
        ({"$schema": REVISION, "dependencies": {}}, "server.json", ""),
        ({"name": "a/b", "version_detail": {"version": "1"}, "server": {}}, "server.json", ""),
        ({"tool": []}, "server.json", ""),
        ({"servers": []}, "registry list", "servers"),
        ({"servers": [], "packages": []}, "registry list", "servers"),
        ({"server": {"name": "a/b"}, "_meta": {}}, "registry entry", "server"),
        ({"manifest_version": "0.3"}, "MCPB manifest", "manifest_version"),
        ({"dxt_version": "0.1"}, "MCPB manifest", "dxt_version"),
        ({"manifest_version": "0.4", "server": {}, "tools": []}, "MCPB manifest", "manifest_version"),
        ({"manifest_version": 0.3}, "MCPB manifest", "manifest_version"),
        ({"manifest_version": 1, "server": {"type": "uv"}}, "MCPB manifest", "manifest_version"),
        ({"manifest_version": "0.3", "servers": []}, "MCPB manifest", "manifest_version"),
        ({"manifest_version": 3, "name": "a browser's"}, "browser extension", "manifest_version"),
        ({"mcpServers": {}}, "client configuration", "mcpServers"),
        ({"inputs": [], "servers": {}}, "client configuration", "servers"),
        ({"tools": []}, "contract", "tools"),
        ({"prompts": [], "name": "x"}, "contract", "prompts"),
        ({"name": "x", "inputSchema": {}}, "tool", "inputSchema"),
        ({"name": "@acme/x", "version": "1.0.0", "dependencies": {}}, "npm package", "dependencies"),
        ({"name": "x", "main": "a.js"}, "npm package", "main"),
        ({"name": "x", "bin": "a.js"}, "npm package", "bin"),
        ({"name": "x", "lockfileVersion": 3, "packages": {"": {}}}, "npm lock", "lockfileVersion"),
        ({"$defs": {}}, "JSON Schema", "$defs"),
        ([], "no object", ""),
        (None, "no object", ""),
    ],
)
def test_the_keys_tell(data: object, kind: Kind, key: str) -> None:
    assert sign_of(data) == (kind, key)


PUBLISHED = {"$schema": REVISION, "name": "a/b", "description": "", "version": "1"}


@pytest.mark.parametrize(
    ("data", "sure"),
    [
        (PUBLISHED, True),
        ({"$schema": REVISION}, True),
        ({"name": "a/b", "description": "", "remotes": []}, True),
        ({"name": "a/b", "description": "", "packages": [], "servers": {}}, True),
        ({"name": "a/b", "description": ""}, False),
        ({"name": "a/b", "remotes": []}, False),
        ({"manifest_version": "0.3"}, True),
        ({"manifest_version": 0.3}, True),
        ({"manifest_version": 3, "server": {"type": "uv"}}, True),
        ({"manifest_version": 3, "name": "a browser's"}, False),
        ({"dxt_version": "0.1"}, True),
        ({"servers": [{"server": {}}]}, True),
        ({"servers": []}, True),
        ({"servers": [], "packages": []}, True),
        ({"servers": [{"server": {}}, {"host": "a"}]}, False),
        ({"servers": ["a"]}, False),
        ({"servers": {"weather": {}}}, False),
        ({"name": "@a/b", "description": "", "version": "1", "workspaces": []}, False),
        ({"name": "@a/b", "packages": {}, "lockfileVersion": 3}, False),
        ({"tools": []}, False),
        ([PUBLISHED], False),
        ("text", False),
        ({}, False),
    ],
)
def test_a_file_that_nobody_named_is_taken_where_it_is_no_other(data: object, sure: bool) -> None:
    assert is_sure(data) is sure


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "an array"),
        ("x", "a string"),
        (None, "null"),
        (True, "a boolean"),
        (1.5, "a number"),
        ({}, "a server.json"),
    ],
)
def test_what_is_no_object_is_told_by_its_type(data: object, words: str) -> None:
    assert words_of(data) == words


def told(data: object, *wanted: Kind) -> Finding | None:
    return other_kind(JsonDocument("a.json", json.dumps(data, indent=1).encode()), *wanted)


def test_the_finding_stands_at_the_key_that_gives_it_away() -> None:
    finding = told({"name": "x", "servers": []})
    assert finding is not None
    assert (finding.code.id, str(finding.place), finding.position.line) == ("LS0016", "a.json#/servers", 3)
    assert finding.message == "a.json is a list of a registry; a server.json is wanted"
    assert (finding.have, finding.want) == ("a list of a registry", "a server.json")
    assert (
        finding.hint == "save the one server that you mean, what stands under `server`, as a file of its own"
    )


def test_what_is_wanted_is_taken() -> None:
    assert told({}) is None
    assert told({"servers": []}, "server.json", "registry list") is None
    finding = told([], "server.json", "registry list")
    assert finding is not None
    assert finding.message == "a.json is an array; a server.json or a list of a registry is wanted"
    assert (str(finding.place), finding.code.exit) == ("a.json", 2)


@pytest.mark.parametrize(
    ("data", "have"),
    [
        (None, "null"),
        (5, "a number"),
        (["a"], "an array"),
        ({"tools": []}, "a contract: lists of tools, resources or prompts"),
        ({"name": "a", "inputSchema": {}}, "one tool of a contract"),
        ({"$schema": REVISION, "name": "a/b", "title": "A"}, "a server.json"),
        ({"name": "a/b", "packages": []}, "a server.json"),
        ({"servers": []}, "a list of a registry"),
        ({"manifest_version": "0.4", "name": "a"}, "the manifest of an MCPB bundle"),
        ({"mcpServers": {}}, "the configuration of a client"),
    ],
)
def test_what_is_surely_no_schema(data: object, have: str) -> None:
    found = no_schema(JsonDocument("x.json", json.dumps(data).encode()))
    assert found is not None
    assert found.message == f"x.json is {have}; a JSON Schema is wanted"
    assert found.hint.startswith("name the schema itself")


@pytest.mark.parametrize(
    "data",
    [
        True,
        False,
        {},
        {"title": "T", "description": "d"},
        {"x-own": 1},
        {"type": "object", "tools": []},
        {"properties": {"packages": {}}, "packages": []},
        {"$schema": REVISION, "properties": {}},
        {"enum": [1], "dependencies": {}},
    ],
)
def test_what_may_be_a_schema(data: object) -> None:
    assert no_schema(JsonDocument("x.json", json.dumps(data).encode())) is None

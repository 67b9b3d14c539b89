"""References and dialects of the schemas in a contract."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.contract.origin import Origin
from mcp_lockstep.contract.references import schema_findings
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.findings import Finding


def findings(schema: JsonObject) -> list[Finding]:
    return list(schema_findings(schema, Origin(JsonDocument("c.json", json.dumps(schema).encode()))))


def found(schema: JsonObject) -> list[tuple[str, str]]:
    return [(finding.code.slug, finding.place.address) for finding in findings(schema)]


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"A": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/A"}}},
        {"definitions": {"A": True}, "items": {"$ref": "#/definitions/A"}},
        {"properties": {"child": {"$ref": "#"}}},
        {"properties": {"child": {"$ref": "#/properties/child"}}},
        {"$defs": {"a/b~c d": {}}, "$ref": "#/$defs/a~1b~0c%20d"},
        {"allOf": [{}, {"$ref": "#/allOf/0"}]},
        {"$defs": {"A": {"$anchor": "here"}}, "$ref": "#here"},
        {"definitions": {"A": {"$id": "#here"}}, "$ref": "#here"},
        {"$id": "https://x.test/root.json", "$defs": {"A": {}}, "$ref": "https://x.test/root.json#/$defs/A"},
        {
            "$id": "https://x.test/r.json",
            "$defs": {"A": {"$id": "a.json", "$defs": {"B": {}}}},
            "$ref": "a.json#/$defs/B",
        },
        {"$defs": {"A": {"$id": "a.json", "$defs": {"B": {}}, "$ref": "#/$defs/B"}}},
        {"$recursiveRef": "#"},
        {"x-own": {"A": {}}, "$ref": "#/x-own/A"},
    ],
)
def test_references_within_the_schema(schema: JsonObject) -> None:
    assert found(schema) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"$ref": {"type": "string"}}},
        {"properties": {"a": {"default": {"$ref": "http://x.test/"}}}},
        {"enum": [{"$ref": "other.json"}], "const": {"$ref": "#/nowhere"}, "examples": [{"$ref": "x"}]},
        {"x-own": {"$ref": "https://x.test/y"}},
    ],
)
def test_data_and_names_are_no_references(schema: JsonObject) -> None:
    assert found(schema) == []


@pytest.mark.parametrize(
    "reference",
    [
        "https://x.test/y.json",
        "http://json-schema.org/draft-07/schema#",
        "other.json",
        "file:///etc/passwd",
        "http://[",
    ],
)
def test_references_to_other_documents(reference: str) -> None:
    schema: JsonObject = {"properties": {"a": {"items": {"$ref": reference}}}}
    (finding,) = findings(schema)
    assert (finding.code.slug, finding.place.address) == ("reference-remote", "/properties/a/items/$ref")
    assert finding.code.exit == 2
    assert finding.have == reference
    assert finding.position.column == json.dumps(schema).index(json.dumps(reference)) + 1


@pytest.mark.parametrize(
    "reference", ["#/$defs/Citty", "#/$defs", "#nowhere", "#/$defs/City/type", "#/properties/0"]
)
def test_references_to_nothing(reference: str) -> None:
    schema: JsonObject = {"$defs": {"City": {"type": "string"}}, "anyOf": [{"$ref": reference}]}
    expected = [] if reference == "#/$defs" else [("reference-dangling", "/anyOf/0/$ref")]
    assert found(schema) == expected


def test_the_hint_names_the_nearest_definition() -> None:
    (finding,) = findings({"$defs": {"City": {}}, "$ref": "#/$defs/Citty"})
    assert finding.hint == "Is #/$defs/City meant?"


def test_an_identifier_in_between_moves_the_root() -> None:
    schema: JsonObject = {"$defs": {"B": {}, "A": {"$id": "a.json", "$ref": "#/$defs/B"}}}
    assert found(schema) == [("reference-dangling", "/$defs/A/$ref")]


def test_a_reference_that_is_no_string() -> None:
    assert found({"not": {"$ref": 5}}) == [("contract-wrong-type", "/not/$ref")]


@pytest.mark.parametrize(
    "dialect",
    [
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft/2019-09/schema",
    ],
)
def test_published_dialects(dialect: str) -> None:
    assert found({"$schema": dialect}) == []


@pytest.mark.parametrize(
    "dialect", ["", "https://json-schema.org/draft/2030-01/schema", "https://x.test/mine"]
)
def test_other_dialects_are_a_warning(dialect: str) -> None:
    (finding,) = findings({"$schema": dialect})
    assert (finding.code.slug, finding.severity, finding.place.address) == (
        "dialect-unknown",
        "warning",
        "/$schema",
    )

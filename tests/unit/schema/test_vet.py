from __future__ import annotations

import pytest

from mcp_lockstep.schema.values import Json
from mcp_lockstep.schema.vet import vet

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def slugs(schema: Json) -> list[tuple[str, tuple[str, ...]]]:
    return [(trouble.code.slug, trouble.path) for trouble in vet(schema)]


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"type": "object", "x-note": 1, "example": 2, "nullable": True}, []),
        ([], [("schema-malformed", ())]),
        ({"type": "strnig"}, [("schema-malformed", ("type",))]),
        ({"properties": []}, [("schema-malformed", ("properties",))]),
        (
            {"properties": {"a": 5}},
            [("schema-malformed", ("properties",)), ("schema-malformed", ("properties", "a"))],
        ),
        ({"required": "a"}, [("schema-malformed", ("required",))]),
        ({"minLength": -1}, [("schema-malformed", ("minLength",))]),
        ({"minLength": True}, [("schema-malformed", ("minLength",))]),
        ({"multipleOf": 0}, [("schema-malformed", ("multipleOf",))]),
        ({"anyOf": []}, [("schema-malformed", ("anyOf",))]),
        ({"minLenght": 1}, [("schema-keyword-unknown", ("minLenght",))]),
        ({"items": [{}]}, [("schema-older-form", ("items",))]),
        ({"items": [{}], "$schema": DRAFT_7}, []),
        ({"pattern": "(?<a"}, [("schema-pattern-unsupported", ("pattern",))]),
        ({"patternProperties": {"(": {}}}, [("schema-pattern-unsupported", ("patternProperties", "("))]),
        ({"$ref": "https://example.com/x.json"}, [("schema-reference-remote", ("$ref",))]),
        ({"$ref": "other.json#/a"}, [("schema-reference-remote", ("$ref",))]),
        ({"$ref": "#/$defs/no"}, [("schema-reference-broken", ("$ref",))]),
        (
            {"properties": {"a": {"$ref": "#/properties/a"}}},
            [("schema-reference-endless", ("properties", "a"))],
        ),
        ({"properties": {"a": {"$ref": "#"}}}, []),
        ({"anyOf": [{"type": "null"}, {"$ref": "#"}]}, [("schema-reference-endless", ())]),
        (
            {"unevaluatedProperties": False, "anyOf": [{"properties": {"a": {}}}]},
            [("schema-keyword-unsupported", ("unevaluatedProperties",))],
        ),
        ({"unevaluatedProperties": False, "allOf": [{"properties": {"a": {}}}]}, []),
        ({"const": {"$ref": "no", "type": 5}, "default": {"$ref": "no"}}, []),
    ],
)
def test_what_is_wrong_and_where(schema: Json, wanted: list[tuple[str, tuple[str, ...]]]) -> None:
    assert slugs(schema) == wanted


def test_depth_is_found_without_recursion() -> None:
    schema: Json = {}
    for _ in range(10_000):
        schema = {"items": schema}
    (trouble,) = vet(schema)
    assert trouble.code.slug == "schema-too-deep"
    assert trouble.code.exit == 2


def test_what_is_long_is_cut() -> None:
    (trouble,) = vet({"type": "x" * 1000})
    assert len(trouble.message) < 200

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import MISSING

from mcp_lockstep.models.base import Struct
from mcp_lockstep.models.judge import Judge, judged, raw

VALUES: list[Any] = [
    None, True, False, 0, 1, 1.0, 1.5, 2, 6, 0.3, 10**40, 1e308, "", "a", "ab", "xa", "a\n", [], [1],
    [1, 1.0], [1, True],
    ["a", 1], [None, "a", 2], {}, {"a": 1}, {"a": "a"}, {"a": 1, "b": 2},
    {"xa": "s"}, {"xa": 1}, {"a": {"a": {"a": 1}}},
    [[1], [1.0]], [{"a": 1}, {"a": 1}],
]  # fmt: skip
SCHEMAS: list[Any] = [
    True, False, {}, {"type": "integer"}, {"type": ["string", "null"]}, {"type": "number"}, {"const": 1},
    {"const": {"a": 1.0}}, {"enum": [True, "a", []]}, {"minimum": 1}, {"maximum": 1}, {"exclusiveMinimum": 1},
    {"exclusiveMaximum": 1}, {"multipleOf": 2}, {"multipleOf": 0.1}, {"multipleOf": 1.5}, {"minLength": 2},
    {"maxLength": 1}, {"pattern": "^a$"}, {"pattern": "b"}, {"minItems": 2}, {"maxItems": 1}, {"uniqueItems": True},
    {"uniqueItems": False}, {"items": {"type": "integer"}}, {"prefixItems": [{"type": "integer"}], "items": False},
    {"prefixItems": [True, {"type": "integer"}]}, {"contains": {"const": 1}}, {"contains": True, "minContains": 2},
    {"contains": {"const": 1}, "minContains": 0, "maxContains": 1}, {"required": ["a"]}, {"minProperties": 1},
    {"maxProperties": 1}, {"propertyNames": {"maxLength": 1}}, {"properties": {"a": {"type": "integer"}}},
    {"properties": {"a": True}, "additionalProperties": False}, {"additionalProperties": {"type": "integer"}},
    {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False},
    {"properties": {"xa": {"type": "string"}}, "patternProperties": {"a$": {"type": "string"}}},
    {"dependentRequired": {"a": ["b"]}}, {"dependentSchemas": {"a": {"maxProperties": 1}}},
    {"allOf": [{"minimum": 1}, {"maximum": 1}]}, {"anyOf": [{"minimum": 2}, {"type": "string"}]},
    {"oneOf": [{"minimum": 1}, {"maximum": 1}]}, {"not": {"type": "string"}},
    {"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "integer"}}, {"if": {"minimum": 1}},
    {"$ref": "#/$defs/Tree"}, {"$ref": "#/$defs/Tree", "maxProperties": 0},
]  # fmt: skip
DEFINITIONS: dict[str, Any] = {
    "Tree": {"properties": {"a": {"$ref": "#/$defs/Tree"}}, "minProperties": 0, "maxProperties": 1}
}


@pytest.mark.parametrize("schema", SCHEMAS, ids=repr)
def test_it_agrees_with_a_validator(schema: Any) -> None:
    whole = schema if isinstance(schema, bool) else {**schema, "$defs": DEFINITIONS}
    oracle = Draft202012Validator(whole)
    judge = Judge(DEFINITIONS)
    wrong = [value for value in VALUES if judge.fulfils(schema, value) != oracle.is_valid(value)]
    assert wrong == []


def test_our_own_keyword_means_all_of() -> None:
    judge = Judge({})
    assert judge.fulfils({"x-rules": [{"minimum": 1}, {"maximum": 2}]}, 2)
    assert not judge.fulfils({"x-rules": [{"minimum": 1}, {"maximum": 2}]}, 3)


def test_models_are_judged_as_what_they_stand_for() -> None:
    class Inner(Struct):
        a: int

    assert raw({"x": [Inner(a=1)], "y": MISSING}) == {"x": [{"a": 1}]}
    made = Inner(a=1)
    assert judged(made, {"required": ["a"]}) is made
    with pytest.raises(ValueError, match="does not fulfil"):
        judged(made, {"required": ["b"]})

from __future__ import annotations

import pytest

from mcp_lockstep.schema.passes.rules import relaxed
from mcp_lockstep.schema.values import Json, Node

CLOSED: Json = {"not": {}}
COUNT: Json = {"type": "integer"}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"type": "string", "pattern": "a"}, {"type": "string", "x-rules": [{"pattern": "a"}]}),
        ({"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 2}),
        ({"type": "number", "multipleOf": 2}, {"type": "number", "x-rules": [{"multipleOf": 2}]}),
        ({"type": "string", "minLength": 1.0}, {"type": "string", "minLength": 1}),
        ({"type": "string", "maxLength": 1e30}, {"type": "string", "x-rules": [{"maxLength": int(1e30)}]}),
        (
            {"type": "object", "required": ["a"], "properties": {}},
            {"type": "object", "properties": {}, "x-rules": [{"required": ["a"]}]},
        ),
        (
            {"type": "object", "properties": {"a": {}}, "additionalProperties": CLOSED},
            {"type": "object", "properties": {"a": {}}, "additionalProperties": CLOSED},
        ),
        (
            {"type": "object", "patternProperties": {"^n": COUNT}, "additionalProperties": CLOSED},
            {
                "type": "object",
                "additionalProperties": COUNT,
                "x-rules": [{"patternProperties": {"^n": COUNT}, "additionalProperties": CLOSED}],
            },
        ),
        (
            {"type": "array", "prefixItems": [COUNT], "items": CLOSED},
            {"type": "array", "items": COUNT, "x-rules": [{"prefixItems": [COUNT], "items": CLOSED}]},
        ),
        ({"const": 2.0}, {"const": 2}),
        ({"const": 1.5}, {"type": "number", "x-rules": [{"enum": [1.5]}]}),
        ({"const": {"a": 1}}, {"type": "object", "x-rules": [{"enum": [{"a": 1}]}]}),
        ({"enum": ["a", None]}, {"anyOf": [{"const": "a"}, {"type": "null"}]}),
        (
            {"type": "array", "contains": COUNT, "minContains": 2, "uniqueItems": True},
            {"type": "array", "x-rules": [{"contains": COUNT, "minContains": 2}, {"uniqueItems": True}]},
        ),
        ({"if": {}, "then": COUNT}, {"x-rules": [{"if": {}, "then": COUNT}]}),
    ],
)
def test_types_say_what_they_can_and_rules_the_rest(given: Node, wanted: Node) -> None:
    assert relaxed(given) == wanted

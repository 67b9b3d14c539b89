from __future__ import annotations

import pytest

from mcp_lockstep.schema.merge import Merger
from mcp_lockstep.schema.values import Node

B: Node = {"type": "object", "properties": {"b": {"type": "string"}}}


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ({}, {"type": "string"}, {"type": "string"}),
        ({"type": "number"}, {"type": "integer"}, {"type": "integer"}),
        ({"type": ["null", "string"]}, {"type": ["string", "integer"]}, {"type": "string"}),
        ({"type": "string"}, {"type": "null"}, {"not": {}}),
        ({"minimum": 1, "maximum": 9}, {"minimum": 3, "maximum": 5}, {"minimum": 3, "maximum": 5}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "c"]}, {"enum": ["b"]}),
        ({"enum": ["a"]}, {"enum": ["b"]}, {"not": {}}),
        ({"const": "a"}, {"const": "b"}, {"const": "a", "x-rules": [{"const": "b"}]}),
        ({"required": ["b"]}, {"required": ["a"]}, {"required": ["a", "b"]}),
        ({"items": {"minimum": 1}}, {"items": {"maximum": 2}}, {"items": {"minimum": 1, "maximum": 2}}),
        (
            {"if": {}, "then": {}},
            {"if": {}, "else": {}},
            {"if": {}, "then": {}, "x-rules": [{"else": {}, "if": {}}]},
        ),
        (
            {"description": "mine"},
            {"description": "other", "type": "null"},
            {"description": "mine", "type": "null"},
        ),
        (
            {"properties": {"a": {"type": "string"}}, "additionalProperties": {"not": {}}},
            {"properties": {"b": {}}},
            {"properties": {"a": {"type": "string"}, "b": {"not": {}}}, "additionalProperties": {"not": {}}},
        ),
        (
            {"patternProperties": {"^a": {}}},
            {"properties": {"b": {}}},
            {"patternProperties": {"^a": {}}, "x-rules": [{"properties": {"b": {}}}]},
        ),
    ],
)
def test_both_hold(a: Node, b: Node, wanted: Node) -> None:
    assert Merger({}).both(a, b) == wanted


def test_a_reference_alone_stays_and_beside_something_is_copied() -> None:
    merger = Merger({"B": B})
    assert merger.both({"$ref": "#/$defs/B"}, {"description": "d"}) == {
        "$ref": "#/$defs/B",
        "description": "d",
    }
    assert merger.both({"$ref": "#/$defs/B"}, {"required": ["b"]}) == {**B, "required": ["b"]}


def test_a_reference_to_itself_becomes_a_rule() -> None:
    loop: Node = {"properties": {"a": {"$ref": "#/$defs/Loop"}}}
    found = Merger({"Loop": loop}).both(
        {"$ref": "#/$defs/Loop"}, {"properties": {"a": {"$ref": "#/$defs/Loop"}, "b": {}}}
    )
    assert found == {"properties": {"a": {"$ref": "#/$defs/Loop"}, "b": {}}}

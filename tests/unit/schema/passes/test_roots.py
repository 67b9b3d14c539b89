from __future__ import annotations

from mcp_lockstep.schema.passes.roots import roots
from mcp_lockstep.schema.values import Json, Node


def root(node: Node, **others: Node) -> Json:
    found = roots({"$defs": {"A": node, **others}, "x-objects": ["A"]})["$defs"]
    assert isinstance(found, dict)
    return found["A"]


def test_branches_are_one_object_and_a_rule() -> None:
    branches: Json = [
        {"properties": {"id": {"type": "string"}, "n": {"type": "integer"}}, "required": ["id", "n"]},
        {"properties": {"name": {"type": "string"}, "n": {"type": "integer"}}, "required": ["name", "n"]},
    ]
    assert root({"anyOf": branches}) == {
        "type": "object",
        "properties": {"id": {}, "n": {"type": "integer"}, "name": {}},
        "required": ["n"],
        "x-rules": [{"anyOf": branches}],
    }


def test_a_reference_at_the_root_is_a_copy() -> None:
    assert root({"$ref": "#/$defs/B"}, B={"type": "object", "properties": {"b": {}}}) == {
        "type": "object",
        "properties": {"b": {}},
    }


def test_properties_that_only_a_condition_names_are_there_too() -> None:
    given: Node = {"type": "object", "properties": {"a": {}}, "if": {}, "then": {"properties": {"b": {}}}}
    assert root(given) == {**given, "properties": {"a": {}, "b": {}}}


def test_a_closed_object_gets_none() -> None:
    given: Node = {
        "type": "object",
        "additionalProperties": {"not": {}},
        "anyOf": [{"properties": {"b": {}}}],
    }
    found = root(given)
    assert isinstance(found, dict)
    assert found["properties"] == {}

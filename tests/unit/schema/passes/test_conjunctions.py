from __future__ import annotations

from mcp_lockstep.schema.passes.conjunctions import conjunctions
from mcp_lockstep.schema.values import Json, Node


def flat(node: Node, **others: Node) -> Json:
    found = conjunctions({"$defs": {"A": node, **others}})["$defs"]
    assert isinstance(found, dict)
    return found["A"]


def test_a_single_part_is_unwrapped_and_stays_a_reference() -> None:
    assert flat({"allOf": [{"$ref": "#/$defs/B"}], "description": "d"}, B={"type": "string"}) == {
        "$ref": "#/$defs/B",
        "description": "d",
    }


def test_objects_are_merged_property_by_property() -> None:
    def links(name: str) -> Json:
        inner: Json = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
        return {"type": "object", "properties": {"links": inner}, "required": ["links"]}

    both = flat({"allOf": [links("self"), links("next")]})
    assert both == {
        "type": "object",
        "properties": {
            "links": {
                "type": "object",
                "properties": {"next": {"type": "string"}, "self": {"type": "string"}},
                "required": ["next", "self"],
            }
        },
        "required": ["links"],
    }


def test_what_stands_beside_a_reference_is_merged_into_a_copy() -> None:
    assert flat(
        {"$ref": "#/$defs/B", "maxLength": 3}, B={"type": "string", "minLength": 1, "title": "B"}
    ) == {
        "type": "string",
        "minLength": 1,
        "maxLength": 3,
    }


def test_what_one_keyword_cannot_say_twice_is_a_rule() -> None:
    assert flat({"allOf": [{"pattern": "^a"}, {"pattern": "b$"}]}) == {
        "pattern": "^a",
        "x-rules": [{"pattern": "b$"}],
    }


def test_unevaluated_properties_beside_parts_are_additional() -> None:
    assert flat(
        {
            "allOf": [{"properties": {"a": {}}}],
            "properties": {"b": {}},
            "unevaluatedProperties": {"not": {}},
        }
    ) == {"additionalProperties": {"not": {}}, "properties": {"a": {}, "b": {}}}


def test_a_recursive_part_ends() -> None:
    tree: Node = {
        "allOf": [{"properties": {"kid": {"allOf": [{"$ref": "#/$defs/A"}, {"minProperties": 1}]}}}]
    }
    assert "allOf" not in str(flat(tree))

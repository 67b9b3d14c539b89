from __future__ import annotations

from mcp_lockstep.schema.passes.dialect import dialect
from mcp_lockstep.schema.values import Json, Node

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"


def modern(node: Node) -> Json:
    definitions = dialect({"$defs": {"A": node}})["$defs"]
    assert isinstance(definitions, dict)
    return definitions["A"]


def test_an_array_of_items_is_a_prefix() -> None:
    old: Node = {"$schema": DRAFT_7, "items": [{"type": "string"}], "additionalItems": False}
    assert modern(old) == {"$schema": DRAFT_7, "prefixItems": [{"type": "string"}], "items": False}


def test_additional_items_without_an_array_say_nothing() -> None:
    assert modern({"$schema": DRAFT_7, "additionalItems": False}) == {"$schema": DRAFT_7}


def test_in_draft_7_a_reference_stands_alone() -> None:
    old: Node = {"$schema": DRAFT_7, "properties": {"a": {"$ref": "#", "maxLength": 3, "description": "d"}}}
    assert modern(old) == {"$schema": DRAFT_7, "properties": {"a": {"$ref": "#", "description": "d"}}}


def test_in_2020_12_what_stands_beside_a_reference_counts() -> None:
    assert modern({"$ref": "#/$defs/B", "maxLength": 3}) == {"$ref": "#/$defs/B", "maxLength": 3}


def test_dependencies_are_two_keywords_now() -> None:
    old: Node = {"$schema": DRAFT_7, "dependencies": {"a": ["b"], "c": {"required": ["d"]}}}
    assert modern(old) == {
        "$schema": DRAFT_7,
        "dependentRequired": {"a": ["b"]},
        "dependentSchemas": {"c": {"required": ["d"]}},
    }


def test_draft_4_bounds_are_numbers_now() -> None:
    old: Node = {
        "$schema": DRAFT_4,
        "minimum": 1,
        "exclusiveMinimum": True,
        "maximum": 5,
        "exclusiveMaximum": False,
    }
    assert modern(old) == {"$schema": DRAFT_4, "exclusiveMinimum": 1, "maximum": 5}


def test_keywords_of_other_drafts_go() -> None:
    assert modern({"$schema": DRAFT_7, "prefixItems": [{}], "x-rules": [{}]}) == {"$schema": DRAFT_7}


def test_in_draft_7_the_address_beside_a_root_reference_stays() -> None:
    old: Node = {"$schema": DRAFT_7, "$id": "https://example.com/", "$ref": "/there", "maxLength": 3}
    assert modern(old) == {"$id": "https://example.com/", "$ref": "/there"}

from __future__ import annotations

import pytest

from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.passes.references import references
from mcp_lockstep.schema.values import Json, Node


def definitions(*parts: Part, keep: str = "used") -> dict[str, Json]:
    found = references(bundle(parts, keep=keep))["$defs"]
    assert isinstance(found, dict)
    return found


def test_definitions_of_either_pool_are_definitions_of_the_document() -> None:
    root: Node = {
        "properties": {"a": {"$ref": "#/definitions/a-b"}, "c": {"$ref": "#/$defs/C"}},
        "definitions": {"a-b": {"type": "string"}},
        "$defs": {"C": {"type": "null"}, "Unused": {}},
    }
    assert definitions(Part("Root", "R", root)) == {
        "Root": {"properties": {"a": {"$ref": "#/$defs/AB"}, "c": {"$ref": "#/$defs/C"}}},
        "AB": {"type": "string"},
        "C": {"type": "null"},
    }


def test_the_root_and_any_other_place_can_be_meant() -> None:
    root: Node = {
        "properties": {
            "self": {"$ref": "#"},
            "unit": {"type": "string"},
            "other": {"$ref": "#/properties/unit"},
        }
    }
    assert definitions(Part("Root", "R", root)) == {
        "Root": {
            "properties": {
                "self": {"$ref": "#/$defs/Root"},
                "unit": {"$ref": "#/$defs/Unit"},
                "other": {"$ref": "#/$defs/Unit"},
            }
        },
        "Unit": {"type": "string"},
    }


def test_identifiers_and_anchors_are_followed() -> None:
    root: Node = {
        "$id": "https://example.com/root.json",
        "properties": {
            "a": {"$ref": "inner.json"},
            "b": {"$ref": "#here"},
            "c": {"$ref": "inner.json#/$defs/D"},
        },
        "$defs": {
            "inner": {"$id": "inner.json", "type": "object", "$defs": {"D": {"type": "null"}}},
            "E": {"$anchor": "here", "type": "string"},
        },
    }
    assert definitions(Part("Root", "R", root)) == {
        "Root": {
            "properties": {
                "a": {"$ref": "#/$defs/Inner"},
                "b": {"$ref": "#/$defs/E"},
                "c": {"$ref": "#/$defs/D"},
            }
        },
        "Inner": {"type": "object"},
        "E": {"type": "string"},
        "D": {"type": "null"},
    }


def test_equal_definitions_are_shared_and_others_prefixed() -> None:
    def root(kind: str) -> Node:
        return {
            "properties": {"a": {"$ref": "#/$defs/Same"}, "b": {"$ref": "#/$defs/Other"}},
            "$defs": {"Same": {"type": "string"}, "Other": {"type": kind}},
        }

    found = definitions(Part("AArguments", "A", root("string")), Part("BArguments", "B", root("null")))
    assert sorted(found) == ["AArguments", "AOther", "BArguments", "BOther", "Same"]


def test_definitions_that_differ_only_in_what_they_refer_to_differ() -> None:
    def root(kind: str) -> Node:
        return {
            "$ref": "#/$defs/Outer",
            "$defs": {"Outer": {"items": {"$ref": "#/$defs/Inner"}}, "Inner": {"type": kind}},
        }

    found = definitions(Part("A", "A", root("string")), Part("B", "B", root("null")))
    assert sorted(found) == ["A", "AInner", "AOuter", "B", "BInner", "BOuter"]


def test_a_reference_in_data_is_data() -> None:
    root: Node = {"const": {"$ref": "#/$defs/X"}, "default": {"$ref": "no"}}
    assert definitions(Part("Root", "R", root)) == {"Root": root}


def test_all_definitions_stay_where_they_are_asked_for() -> None:
    assert sorted(definitions(Part("Root", "", {"$defs": {"Unused": {}}}), keep="all")) == ["Root", "Unused"]


def test_a_reference_that_leads_nowhere_is_never_dropped() -> None:
    with pytest.raises(LookupError, match="leads nowhere"):
        references({"$defs": {"Root": {"properties": {"a": {"$ref": "https://example.com/b"}}}}})

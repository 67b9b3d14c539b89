from __future__ import annotations

import pytest

from mcp_lockstep.schema.audit import repaired, unproved
from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.passes import PASSES
from mcp_lockstep.schema.passes.booleans import booleans
from mcp_lockstep.schema.values import Json, Node, named

EVERYTHING: Node = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a"},
        "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2},
        "list": {
            "type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "uniqueItems": True,
            "contains": {"const": "a"},
        },
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}]},
        "map": {
            "type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1,
            "propertyNames": {"maxLength": 3}, "patternProperties": {"^z": {"minimum": 5}},
            "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}},
        },
        "one": {"oneOf": [{"type": "number"}, {"type": "integer", "minimum": 3}]},
        "some": {"anyOf": [{"$ref": "#/$defs/Inner"}, {"type": "null"}]},
        "all": {"allOf": [{"$ref": "#/$defs/Inner"}, {"required": ["y"]}]},
        "not": {"not": {"const": "latest"}},
        "if": {"if": {"minimum": 3}, "then": {"multipleOf": 3}, "else": {"multipleOf": 2}},
    },
    "required": ["text", "unnamed"],
    "additionalProperties": False,
    "$defs": {"Inner": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}},
}  # fmt: skip


def run(schema: Node, lose: str = "") -> tuple[dict[str, Node], Node]:
    """The definitions that the audit starts from, and what the passes make if one of them loses a keyword."""
    document = bundle([Part("Root", "", schema)])
    source: dict[str, Node] = {}
    for change in PASSES:
        document = change(document)
        if change is booleans:
            source = named(document, "$defs")
            kept: dict[str, Json] = {name: _without(node, lose) for name, node in source.items()}
            document["$defs"] = kept
    return source, document


def _without(node: Node, lose: str) -> Node:
    def deep(value: Json) -> Json:
        if isinstance(value, dict):
            return {key: deep(item) for key, item in value.items() if key != lose}
        return [deep(item) for item in value] if isinstance(value, list) else value

    found = deep(node)
    assert isinstance(found, dict)
    return found


def test_all_is_proved() -> None:
    source, document = run(EVERYTHING)
    assert unproved(source, named(document, "$defs")) == {}
    assert repaired(source, document) == document


@pytest.mark.parametrize(
    "keyword",
    "minLength maxLength pattern minimum exclusiveMaximum multipleOf items minItems uniqueItems contains prefixItems "
    "additionalProperties minProperties propertyNames patternProperties dependentRequired dependentSchemas oneOf "
    "anyOf allOf not if then else required const enum".split(),
)
def test_a_lost_keyword_is_found_and_becomes_a_rule(keyword: str) -> None:
    source, document = run(EVERYTHING, lose=keyword)
    missing = unproved(source, named(document, "$defs"))
    assert "Root" in missing
    mended = named(repaired(source, document), "$defs")["Root"]
    rules = mended["x-rules"]
    assert isinstance(rules, list)
    assert source["Root"] in rules

"""Every keyword that the types of the standard library cannot say has a finding with its pointer."""

from __future__ import annotations

from typing import Any, cast

import pytest

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.models.kinds.unsaid import unsaid
from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.pipeline import normalised
from mcp_lockstep.schema.values import RULES, Json, Node, named, subschemas

PLANTED: tuple[tuple[str, dict[str, Json]], ...] = (
    ("contains", {"type": "array", "contains": {}}),
    ("minItems", {"type": "array", "minItems": 1}),
    ("maxItems", {"type": "array", "maxItems": 1}),
    ("uniqueItems", {"type": "array", "uniqueItems": True}),
    ("prefixItems", {"type": "array", "prefixItems": [{"type": "string"}]}),
    ("items", {"type": "array", "items": [{"type": "string"}]}),
    ("minLength", {"type": "string", "minLength": 1}),
    ("maxLength", {"type": "string", "maxLength": 1}),
    ("pattern", {"type": "string", "pattern": "a"}),
    ("minimum", {"type": "integer", "minimum": 1}),
    ("maximum", {"type": "integer", "maximum": 1}),
    ("exclusiveMinimum", {"type": "integer", "exclusiveMinimum": 1}),
    ("exclusiveMaximum", {"type": "integer", "exclusiveMaximum": 1}),
    ("multipleOf", {"type": "integer", "multipleOf": 2}),
    ("minProperties", {"type": "object", "minProperties": 1}),
    ("maxProperties", {"type": "object", "maxProperties": 1}),
    ("propertyNames", {"type": "object", "propertyNames": {"pattern": "a"}}),
    ("patternProperties", {"type": "object", "patternProperties": {"a": {"type": "string"}}}),
    ("dependentRequired", {"type": "object", "dependentRequired": {"a": ["b"]}}),
    ("dependentSchemas", {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}}),
    ("dependencies", {"type": "object", "dependencies": {"a": ["b"]}}),
    ("required", {"type": "object", "required": ["a"]}),
    (
        "additionalProperties",
        {"type": "object", "properties": {"a": {}}, "additionalProperties": {"not": {}}},
    ),
    ("not", {"not": {"const": 1}}),
    ("if", {"if": {"const": 1}, "then": {"type": "integer"}}),
    ("anyOf", {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    ("oneOf", {"oneOf": [{"type": "string"}, {"type": ["string", "null"]}]}),
    ("const", {"const": 1.5}),
    ("enum", {"enum": ["a", [1]]}),
    ("unevaluatedProperties", {"type": "object", "unevaluatedProperties": False}),
    ("items", {"type": "array", "items": False}),
    ("items", {"items": {"type": "string"}}),
    ("properties", {"properties": {"a": {}}}),
    ("properties/a", {"type": "object", "properties": {"a": False}}),
    ("additionalProperties", {"additionalProperties": False}),
)


def told(schema: dict[str, Json], *, closed: bool = True) -> list[str]:
    return [make_pointer(trouble.path) for trouble in unsaid(schema, closed=closed)]


@pytest.mark.parametrize(("keyword", "node"), PLANTED, ids=[keyword for keyword, _ in PLANTED])
@pytest.mark.parametrize("depth", ["", "/items", "/anyOf/0", "/$defs/a~1b"])
def test_each_keyword(keyword: str, node: dict[str, Json], depth: str) -> None:
    schemas: dict[str, dict[str, Json]] = {
        "": node, "/items": {"type": "array", "items": node}, "/anyOf/0": {"anyOf": [node]},
        "/$defs/a~1b": {"$defs": {"a/b": node}},
    }  # fmt: skip
    assert f"{depth}/{keyword}" in told(schemas[depth])


@pytest.mark.parametrize(
    "node",
    [
        {"type": "array", "items": {"type": "string"}, "minItems": 0},
        {"type": ["string", "null"], "enum": ["a", None], "description": "x", "format": "uri"},
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False},
    ],
)
def test_what_types_say_is_not_told(node: Any) -> None:
    assert told(node) == []


def test_what_stands_inside_of_a_check_is_told_once() -> None:
    assert told({"not": {"type": "string", "pattern": "a"}}) == ["/not"]


def test_open_objects_are_counted() -> None:
    inner: dict[str, Json] = {"type": "object", "properties": {"b": {}}}
    (trouble,) = unsaid({"type": "object", "properties": {"a": inner}}, closed=True)
    assert trouble.path == ()
    assert "2 kinds of objects" in trouble.message


def test_what_belongs_to_a_type_beside_it_is_not_told() -> None:
    branch: dict[str, Json] = {"properties": {"a": {}}, "required": ["a"], "additionalProperties": False}
    assert told({"type": "object", "allOf": [branch]}) == []


@pytest.mark.parametrize("label", [entry.label for entry in catalog.entries()])
def test_what_the_passes_make_a_rule_is_told(label: str) -> None:
    schema = cast("Node", catalog.documented(*label.split("@")))
    document = normalised(bundle([Part("Root", "", schema)], keep="all"))
    rules = sum(map(lost, named(document, "$defs").values()))
    assert bool(rules) == any(trouble.path for trouble in unsaid(schema, closed=True))


def lost(node: Json) -> int:
    """How much of a schema after all passes is a rule or a constraint."""
    if not isinstance(node, dict):
        return 0
    own = len(node.keys() & {RULES, "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum"})
    return own + sum(lost(child) for step, child in subschemas(node) if step[0] != RULES)

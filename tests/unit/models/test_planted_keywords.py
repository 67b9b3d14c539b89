"""Every keyword of draft-07 and 2020-12, planted in several kinds of place: its effect is there, or it is reported.

Each row has values that the keyword lets through and values that nothing but the keyword refuses. What the validator
says of them at a place, the generated module says too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import urljoin

import jsonschema
import pytest
from jsonschema_specifications import REGISTRY
from pydantic import TypeAdapter, ValidationError
from referencing.jsonschema import DRAFT7, DRAFT202012

from fidelity import RIGHT, Models
from generated_modules import loaded
from mcp_lockstep.__main__ import main
from mcp_lockstep.models import ModelOptions, generate_models
from mcp_lockstep.schema.values import Json, Node, same
from tally import TALLY

SEVEN, TWENTY = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"
POOL = {SEVEN: "definitions", TWENTY: "$defs"}
VALIDATORS: dict[str, Any] = {SEVEN: jsonschema.Draft7Validator, TWENTY: jsonschema.Draft202012Validator}
SPECIFICATIONS = {SEVEN: DRAFT7, TWENTY: DRAFT202012}
BASE = "https://example.com/"
BOTH = (SEVEN, TWENTY)
ODD = "0e7a"
PROBES: tuple[Json, ...] = (ODD, None, True, 0, 1.5, [], {})
"""Further values, on which module and validator must agree as well."""


class Row(NamedTuple):
    """A keyword in a small schema: what it lets through, and what it alone refuses.

    `Pool` in a reference stands for `$defs` or `definitions`.
    """

    keyword: str
    schema: Node
    good: tuple[Json, ...]
    bad: tuple[Json, ...]
    drafts: tuple[str, ...] = BOTH


def typed(
    kind: str,
    keyword: str,
    value: Json,
    good: tuple[Json, ...],
    bad: tuple[Json, ...],
    drafts: tuple[str, ...] = BOTH,
) -> Iterator[Row]:
    """The keyword without a type beside it, where values of other types pass, and with it."""
    other: Json = "text" if kind != "string" else 7
    yield Row(keyword, {keyword: value}, (*good, other), bad, drafts)
    yield Row(keyword, {"type": kind, keyword: value}, good, bad, drafts)


OBJECT: Node = {"type": "object"}
NAMED: Node = {"type": "object", "properties": {"a": {}, "b": {}}}
ROWS: tuple[Row, ...] = (
    Row("type", {"type": "string"}, ("a", ""), (1, None, ["a"])),
    Row("type", {"type": "integer"}, (1, 5.0, 10**20), (1.5, True, "1")),
    Row("type", {"type": "number"}, (1, 1.5), (True, "1", None)),
    Row("type", {"type": "boolean"}, (True, False), (0, 1, "true")),
    Row("type", {"type": "null"}, (None,), (False, 0, "")),
    Row("type", {"type": "array"}, ([], [1, "a"]), ({}, "a")),
    Row("type", {"type": "object"}, ({}, {"a": 1}), ([], "a")),
    Row("type", {"type": ["integer", "null", "array"]}, (1, None, []), ("a", 1.5, {})),
    Row("enum", {"enum": ["a", 1, None, [1], {"a": 1}]},
        ("a", 1, 1.0, None, [1], {"a": 1.0}), ("b", True, [True], {}, [])),
    Row("enum", {"enum": [True, 0]}, (True, 0, 0.0), (1, False)),
    Row("enum", {"enum": ["", "mro", "None", 1.5, "\\\"'\n"]}, ("", "mro", "None", 1.5, "\\\"'\n"), (None, 1, " ")),
    Row("enum", {"type": "string", "enum": ["a", "b", 3]}, ("a", "b"), ("c",)),
    Row("const", {"const": "a"}, ("a",), ("b", None)),
    Row("const", {"const": False}, (False,), (0, None)),
    Row("const", {"const": 0}, (0, 0.0), (False, "")),
    Row("const", {"const": 1.5}, (1.5,), (1, 2)),
    Row("const", {"const": None}, (None,), (0, False)),
    Row("const", {"const": {"a": [1, {"b": None}]}},
        ({"a": [1.0, {"b": None}]},), ({"a": [1, {}]}, {"a": [True, {"b": None}]})),
    Row("const", {"const": []}, ([],), ([None], {})),
    *typed("number", "multipleOf", 2, (4, -2, 4.0), (3, 4.5)),
    *typed("number", "multipleOf", 0.5, (1, 1.5), (1.25,)),
    *typed("integer", "multipleOf", 3, (3, 6.0), (4,)),
    *typed("number", "maximum", 3, (3, 3.0, -9), (3.5, 4)),
    *typed("number", "exclusiveMaximum", 3, (2.5,), (3, 3.0)),
    *typed("number", "minimum", -1.5, (-1.5, 0), (-2,)),
    *typed("number", "exclusiveMinimum", 0, (1, 0.5), (0, -1)),
    *typed("integer", "minimum", 2, (2, 2.0, 3), (1, -5)),
    *typed("integer", "exclusiveMaximum", 2, (1,), (2, 2.0)),
    *typed("string", "maxLength", 2, ("ab", "\U0001f600\U0001f600"), ("abc",)),
    *typed("string", "minLength", 2, ("ab", "\U0001f600\U0001f600"), ("a", "\U0001f600")),
    *typed("string", "minLength", 2.0, ("ab",), ("a",)),
    *typed("string", "pattern", "b+$", ("ab", "bb"), ("ba", "")),
    *typed("string", "pattern", "^(a|b)\\1$", ("aa", "bb"), ("ab",)),
    *typed("array", "items", {"type": "integer"}, ([], [1, 2]), ([1, "a"],)),
    *typed("array", "items", False, ([],), ([1],)),
    *typed("array", "maxItems", 1, ([], ["a"]), ([1, 2],)),
    *typed("array", "minItems", 2, ([1, 2],), ([], [1])),
    *typed("array", "uniqueItems", True, ([1, True, 0, False], [[1], [2]]), ([1, 1.0], [{"a": 1}, {"a": 1}])),
    *typed("array", "contains", {"const": 2}, ([1, 2], [2.0]), ([], [1])),
    *typed("object", "maxProperties", 1, ({}, {"a": 1}), ({"a": 1, "b": 2},)),
    *typed("object", "minProperties", 1, ({"a": 1},), ({},)),
    *typed("object", "required", ["a"], ({"a": None},), ({}, {"A": 1})),
    *typed("object", "properties", {"a": {"type": "integer"}}, ({}, {"a": 1}, {"b": "x"}), ({"a": "x"}, {"a": None})),
    *typed("object", "properties", {"a": False}, ({}, {"b": 1}), ({"a": 1},)),
    *typed("object", "patternProperties", {"^a": {"type": "integer"}, "z$": {"minimum": 3}},
           ({"ab": 1}, {"b": "x"}, {"az": 3}), ({"ab": "x"}, {"bz": 1}, {"az": 1})),
    *typed("object", "additionalProperties", {"type": "integer"}, ({}, {"x": 1}), ({"x": "y"},)),
    *typed("object", "additionalProperties", False, ({},), ({"x": 1},)),
    *typed("object", "propertyNames", {"pattern": "^[a-z]+$"}, ({}, {"a": 1}), ({"A": 1},)),
    *typed("object", "propertyNames", {"maxLength": 1}, ({"a": 1},), ({"ab": 1},)),
    *typed("object", "propertyNames", False, ({},), ({"a": 1},)),
    *typed("object", "dependencies", {"a": ["b"]}, ({}, {"a": 1, "b": 2}, {"b": 1}), ({"a": 1},), (SEVEN,)),
    *typed("object", "dependencies", {"a": {"required": ["b"]}}, ({"a": 1, "b": 2}, {"b": 1}), ({"a": 1},), (SEVEN,)),
    *typed("object", "dependentRequired", {"a": ["b"]}, ({}, {"a": 1, "b": 2}), ({"a": 1},), (TWENTY,)),
    *typed("object", "dependentSchemas", {"a": {"maxProperties": 1}},
        ({"a": 1}, {"b": 1, "c": 2}), ({"a": 1, "b": 2},), (TWENTY,)),
    Row("additionalProperties", {**NAMED, "additionalProperties": False}, ({"a": 1},), ({"c": 1},)),
    Row("additionalProperties", {**NAMED, "patternProperties": {"^p": {}}, "additionalProperties": {"type": "null"}},
        ({"a": 1, "px": 2, "q": None},), ({"q": 1},)),
    Row("required", {**NAMED, "required": ["a", "z"]}, ({"a": 1, "z": 2},), ({"a": 1}, {"z": 1})),
    Row("required", {**NAMED, "required": ["__class__", "a b"]},
        ({"__class__": 1, "a b": 2},), ({"a b": 2}, {"__class__": 1})),
    Row("minProperties", {**NAMED, "minProperties": 2}, ({"a": 1, "b": 2}, {"x": 1, "y": 1}), ({"a": 1}, {})),
    Row("propertyNames", {**NAMED, "propertyNames": {"not": {"const": "b"}}}, ({"a": 1},), ({"b": 1},)),
    Row("patternProperties", {**NAMED, "patternProperties": {"a|q": {"type": "integer"}}},
        ({"a": 1, "b": "x"},), ({"a": "x"}, {"q": "x"})),
    Row("items", {"items": [{"type": "integer"}, {"type": "string"}]},
        ([1], [1, "a", None], [], "text"), (["a"], [1, 2]), (SEVEN,)),
    Row("items", {"type": "array", "items": [{"type": "integer"}]}, ([1], [1, "a"]), (["a"],), (SEVEN,)),
    Row("additionalItems", {"items": [{}], "additionalItems": False}, ([1], []), ([1, 2],), (SEVEN,)),
    Row("additionalItems", {"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "integer"}},
        (["a", 1], ["a"]), (["a", "b"],), (SEVEN,)),
    Row("prefixItems", {"prefixItems": [{"type": "integer"}, {"type": "string"}]},
        ([1], [1, "a", None], "text"), (["a"], [1, 2]), (TWENTY,)),
    Row("prefixItems", {"type": "array", "prefixItems": [{"type": "integer"}]}, ([1], [1, "a"]), (["a"],), (TWENTY,)),
    Row("items", {"type": "array", "prefixItems": [{}], "items": {"type": "integer"}},
        (["a", 1],), (["a", "b"],), (TWENTY,)),
    Row("items", {"prefixItems": [{}, {}], "items": False}, ([1, 2],), ([1, 2, 3],), (TWENTY,)),
    Row("minContains", {"contains": {"type": "string"}, "minContains": 2},
        (["a", "b"], 7), (["a"], ["a", 1]), (TWENTY,)),
    Row("maxContains", {"contains": {"type": "string"}, "maxContains": 1},
        (["a"], ["a", 1]), (["a", "b"],), (TWENTY,)),
    Row("contains", {"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 5}},
        ([5, 1],), ([1], []),),
    Row("if", {"if": {"type": "string"}, "then": {"minLength": 2}}, ("ab", 1), ("a",)),
    Row("then", {"if": {"type": "string"}, "then": {"minLength": 2}}, ("ab", 1), ("a",)),
    Row("else", {"if": {"type": "string"}, "else": {"minimum": 2}}, ("a", 3), (1,)),
    Row("if", {**NAMED, "if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]},
                "else": {"maxProperties": 1}},
        ({"a": 1, "b": 2}, {"a": 2}), ({"a": 1}, {"a": 2, "b": 3})),
    Row("allOf", {"allOf": [{"type": "integer"}, {"minimum": 2}]}, (2,), (1, "a")),
    Row("allOf", {"allOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["a"], "type": "object"}]},
        ({"a": "x"},), ({}, {"a": 1})),
    Row("allOf", {**NAMED, "allOf": [{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}]},
        ({"a": 1}, {"b": 1}), ({}, {"a": 1, "b": 1})),
    Row("anyOf", {"anyOf": [{"type": "integer"}, {"minLength": 2}]}, (1, "ab", None), ("a",)),
    Row("anyOf", {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        ({"a": 1}, {"a": 1, "b": 2}), ({}, {"c": 1})),
    Row("anyOf", {**NAMED, "anyOf": [{"required": ["a"]}, {"properties": {"b": {"const": 1}}, "required": ["b"]}]},
        ({"a": 1}, {"b": 1}, {"a": 3, "b": 2}), ({}, {"b": 2})),
    Row("oneOf", {"oneOf": [{"type": "integer"}, {"minimum": 2}]}, (1, 2.5), (2, 1.5)),
    Row("oneOf", {"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]},
        ({"a": 1}, {"b": 1}), ({}, {"a": 1, "b": 1})),
    Row("oneOf", {"oneOf": [{"const": "a"}, {"enum": ["a", "b"]}]}, ("b",), ("a", "c")),
    Row("not", {"not": {"const": "latest"}}, ("a", 1), ("latest",)),
    Row("not", {"type": "string", "not": {"enum": ["a", "b"]}}, ("c",), ("a", "b")),
    Row("not", {**NAMED, "not": {"required": ["a", "b"]}}, ({"a": 1}, {"b": 1}), ({"a": 1, "b": 2},)),
    Row("not", {"type": ["integer", "string"], "not": {"type": "string", "maxLength": 1}}, (1, "ab"), ("a",)),
    Row("not",
        {"type": ["array", "null", "string"], "not": {"anyOf": [{"$ref": "#/Pool/Odd~1name~0%25"}, {"const": "x"}]}},
        ("a", []), (None, "x")),
    Row("$ref", {"$ref": "#/Pool/Whole"}, (1, 2.0), ("a", 1.5)),
    Row("$ref", {"type": "array", "items": {"$ref": "#/Pool/Thing"}}, ([{"size": 1}], []), ([{"size": "a"}], [{}])),
    Row("$ref", {"$ref": "#/Pool/Odd~1name~0%25"}, (None,), (1,)),
    Row("$ref", {"$ref": "#/Pool/Thing/properties/size"}, (1,), ("a",)),
    Row("$ref", {"$ref": "https://example.com/there#/Pool/Inner"}, (True,), (1,)),
    Row("$ref", {"$ref": "/there"}, ("a",), (1,)),
    Row("$id", {"$ref": "https://example.com/there"}, ("a",), (1,)),
    Row("$anchor", {"$ref": "#spot"}, (1,), ("a",), (TWENTY,)),
    Row("$anchor", {"$ref": "there#inside"}, (True,), (1,), (TWENTY,)),
    Row("$id", {"$ref": "#spot"}, (1,), ("a",), (SEVEN,)),
    Row("$dynamicRef", {"$dynamicRef": "#spot"}, (1,), ("a",), (TWENTY,)),
    Row("$dynamicRef", {"$dynamicRef": "#moving"}, (None,), (1,), (TWENTY,)),
    Row("$dynamicAnchor", {"$ref": "#moving"}, (None,), (1,), (TWENTY,)),
    Row("unevaluatedProperties", {**NAMED, "unevaluatedProperties": False}, ({"a": 1},), ({"c": 1},), (TWENTY,)),
    Row("unevaluatedProperties",
        {"type": "object", "allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": {"type": "null"}},
        ({"a": 1, "b": None},), ({"b": 1},), (TWENTY,)),
    Row("unevaluatedItems", {"type": "array", "prefixItems": [{}], "unevaluatedItems": False},
        ([1],), ([1, 2],), (TWENTY,)),
    Row("unevaluatedItems", {"unevaluatedItems": {"type": "integer"}}, ([1], []), (["a"],), (TWENTY,)),
)  # fmt: skip

SHARED: dict[str, Node] = {
    "Whole": {"type": "integer"},
    "Thing": {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]},
    "Odd/name~%": {"type": "null"},
}
APART: dict[str, dict[str, Node]] = {
    SEVEN: {
        "There": {"$id": "https://example.com/there", "type": "string", "definitions": {"Inner": {"type": "boolean"}}},
        "Spot": {"$id": "#spot", "type": "integer"},
    },
    TWENTY: {
        "There": {
            "$id": "https://example.com/there", "type": "string",
            "$defs": {"Inner": {"$anchor": "inside", "type": "boolean"}},
        },
        "Spot": {"$anchor": "spot", "type": "integer"},
        "Moving": {"$dynamicAnchor": "moving", "type": "null"},
    },
}  # fmt: skip


class Spot(NamedTuple):
    """A kind of place: the schema around a fragment, and the value around a value of it."""

    schema: Callable[[Node], Node]
    value: Callable[[Json], Json]


def same_value(value: Json) -> Json:
    return value


def tagged(fragment: Node) -> Node:
    def member(tag: str, node: Node) -> Node:
        return {"type": "object", "properties": {"tag": {"const": tag}, "v": node}, "required": ["tag", "v"]}

    return {"anyOf": [member("one", {"type": "string"}), member("two", fragment)]}


SPOTS: dict[str, Spot] = {
    "definition": Spot(lambda f: f, same_value),
    "property": Spot(lambda f: {"type": "object", "properties": {"p": f}}, lambda v: {"p": v}),
    "odd property": Spot(lambda f: {"type": "object", "properties": {"cl-ass": f}}, lambda v: {"cl-ass": v}),
    "required": Spot(
        lambda f: {"type": "object", "properties": {"p": f}, "required": ["p"]}, lambda v: {"p": v}
    ),
    "untyped": Spot(lambda f: {"properties": {"p": f}}, lambda v: {"p": v}),
    "item": Spot(lambda f: {"type": "array", "items": f}, lambda v: [v]),
    "map": Spot(lambda f: {"type": "object", "additionalProperties": f}, lambda v: {"k": v}),
    "pattern": Spot(lambda f: {"type": "object", "patternProperties": {"^k": f}}, lambda v: {"k": v}),
    "further": Spot(
        lambda f: {"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": f},
        lambda v: {"q": "", "k": v},
    ),
    "member of anyOf": Spot(lambda f: {"anyOf": [f, {"const": ODD}]}, same_value),
    "member of oneOf": Spot(lambda f: {"oneOf": [{"const": ODD}, f]}, same_value),
    "nullable": Spot(lambda f: {"anyOf": [f, {"type": "null"}]}, same_value),
    "member of allOf": Spot(lambda f: {"allOf": [f, {"not": {"const": ODD}}]}, same_value),
    "only in allOf": Spot(lambda f: {"description": "one", "allOf": [f]}, same_value),
    "tagged": Spot(tagged, lambda v: {"tag": "two", "v": v}),
    "beside $ref": Spot(lambda f: {"$ref": "#/Pool/Any", **f}, same_value),
    "beside $ref to types": Spot(lambda f: {"$ref": "#/Pool/Typed", **f}, same_value),
    "through $ref": Spot(lambda f: {"type": "array", "items": {"$ref": "#/Pool/definition"}}, lambda v: [v]),
    "beside anyOf": Spot(
        lambda f: {**f, "anyOf": [{"type": "string"}, {"not": {"type": "string"}}]}, same_value
    ),
    "in not": Spot(lambda f: {"not": {"not": f}}, same_value),
    "in then": Spot(lambda f: {"if": {}, "then": f}, same_value),
    "recursive": Spot(
        lambda f: {"type": "object", "properties": {"p": f, "next": {"$ref": "#/Pool/recursive"}}},
        lambda v: {"next": {"next": {"p": v}}},
    ),
}
HIDDEN = {SEVEN: {"beside $ref", "beside $ref to types"}, TWENTY: set[str]()}
"""To draft-07 a `$ref` hides what stands beside it."""
MEANT_ELSEWHERE = {"$id", "$anchor", "$dynamicAnchor"}
"""Keywords that stand in another definition, to which the row refers."""
REFUSED = {
    ("unevaluatedProperties", "beside anyOf"), ("unevaluatedItems", "beside anyOf"),
}  # fmt: skip
"""Places where no module can be exact: a finding names the keyword."""


def spelled(value: Json, pool: str) -> Any:
    """`value` with the name of the pool of definitions in its references."""
    if isinstance(value, dict):
        return {
            key: item.replace("/Pool/", f"/{pool}/")
            if key.endswith("ef") and isinstance(item, str)
            else spelled(item, pool)
            for key, item in value.items()
        }
    return [spelled(item, pool) for item in value] if isinstance(value, list) else value


def document(row: Row, draft: str, spots: dict[str, Spot]) -> dict[str, Any]:
    """One schema with a definition for each kind of place, and those that rows refer to."""
    pool = POOL[draft]
    fixed: Node = {"Any": {}, "Typed": {"type": ["array", "boolean", "null", "number", "object", "string"]}}
    made = {name: spot.schema(row.schema) for name, spot in spots.items() if not clashes(row, name)}
    found = {**SHARED, **APART[draft], **fixed, **made}
    return {"$schema": draft, "$id": BASE, pool: spelled(cast("Json", found), pool)}


def clashes(row: Row, spot: str) -> bool:
    """Whether a place and a row need the same keyword."""
    words = {"beside $ref": "$ref", "beside $ref to types": "$ref", "beside anyOf": "anyOf"}
    return words.get(spot, "") in row.schema


def bare(value: Json, keyword: str) -> Json:
    """`value` without the keyword at any depth."""
    if isinstance(value, dict):
        return {key: bare(item, keyword) for key, item in value.items() if key != keyword}
    return [bare(item, keyword) for item in value] if isinstance(value, list) else value


def judge(schema: Node, draft: str, name: str) -> Callable[[Json], bool]:
    """What the validator says of a value at a place."""
    registry = REGISTRY.with_resource(BASE, SPECIFICATIONS[draft].create_resource(schema))
    found = VALIDATORS[draft]({"$ref": f"{BASE}#/{POOL[draft]}/{name}"}, registry=registry)
    return lambda value: bool(found.is_valid(value))


CASES = [(row, draft) for row in ROWS for draft in row.drafts]


def told(case: object) -> str:
    """The name of a case."""
    if isinstance(case, Row):
        return f"{case.keyword} {ROWS.index(case)}"
    return "7" if case == SEVEN else "2020"


@pytest.mark.parametrize(("row", "draft"), CASES, ids=told)
def test_only_the_keyword_tells_the_values_apart(row: Row, draft: str) -> None:
    schema = document(row, draft, {"definition": SPOTS["definition"]})
    says = judge(schema, draft, "definition")
    assert [value for value in row.good if not says(value)] == []
    assert [value for value in row.bad if says(value)] == []
    if row.keyword in MEANT_ELSEWHERE:
        return
    without = cast("Node", bare(row.schema, row.keyword))
    says = judge(
        document(row._replace(schema=without), draft, {"definition": SPOTS["definition"]}),
        draft,
        "definition",
    )
    assert [value for value in row.bad if not says(value)] == []


@pytest.mark.parametrize(("row", "draft"), CASES, ids=told)
def test_the_module_says_what_the_validator_says(row: Row, draft: str) -> None:
    schema = document(
        row, draft, {name: spot for name, spot in SPOTS.items() if (row.keyword, name) not in REFUSED}
    )
    models, wrong, apart = Models(schema), list[str](), set[str]()
    for name in schema[POOL[draft]].keys() & SPOTS.keys():
        says, values = judge(schema, draft, name), [*row.good, *row.bad, *PROBES]
        wrapped = [*map(SPOTS[name].value, values), *PROBES]
        wanted = [says(value) for value in wrapped]
        wrong += [
            f"{name}: {verdict} {value!r}"
            for value, valid in zip(wrapped, wanted, strict=True)
            if (verdict := models.verdict(name, value, valid=valid)) not in RIGHT
        ]
        given = dict(zip(map(repr, values), wanted, strict=False))
        if {given[repr(value)] for value in row.good} == {True} and not all(given[repr(v)] for v in row.bad):
            apart.add(name)
        TALLY["planted keywords: places where module and validator agree"] += 1
    assert wrong == []
    assert schema[POOL[draft]].keys() & SPOTS.keys() - apart == HIDDEN[draft] & schema[POOL[draft]].keys()


@pytest.mark.parametrize(("row", "draft"), CASES, ids=told)
def test_at_the_root(row: Row, draft: str) -> None:
    if "ef'" in str(row.schema):
        # Beside a `$ref` draft-07 hides the `$id` that the reference is seen from.
        schema = {**document(row, draft, {}), "allOf": [spelled(row.schema, POOL[draft])]}
    else:
        schema = {"$schema": draft, **row.schema}
    made = generate_models(schema, ModelOptions(name="Root"))
    assert [finding.message for finding in made.findings] == []
    adapter: TypeAdapter[Any] = TypeAdapter(loaded(made.source).Root)
    says = VALIDATORS[draft](schema).is_valid
    values = [*row.good, *row.bad, *PROBES]
    assert [value for value in values if taken(adapter, value) != says(value)] == []


def taken(adapter: TypeAdapter[Any], value: Json) -> bool:
    """Whether a model takes a value; what it takes it must give back."""
    try:
        made = adapter.validate_python(value, by_alias=True, by_name=False)
    except ValidationError:
        return False
    assert same(adapter.dump_python(made, mode="json", by_alias=True, exclude_unset=True), value)
    return True


@pytest.mark.parametrize(("keyword", "spot"), sorted(REFUSED))
def test_what_cannot_be_exact_is_reported(keyword: str, spot: str, tmp_path: Path) -> None:
    for row in [row for row in ROWS if row.keyword == keyword]:
        schema = document(row, TWENTY, {spot: SPOTS[spot]})
        (tmp_path / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
        made = generate_models(schema, ModelOptions(path="schema.json"))
        assert made.source == ""
        assert [str(finding.place) for finding in made.findings] == [f"schema.json#/$defs/{spot}/{keyword}"]
        output = tmp_path / "models.py"
        assert main(["models", str(tmp_path / "schema.json"), "-o", str(output)]) == 2
        assert not output.exists()


ANNOTATIONS: dict[str, Node] = {
    "title": {"title": "Some thing"},
    "description": {"description": "what it is"},
    "default": {"default": "a default"},
    "examples": {"examples": ["one", 2]},
    "$comment": {"$comment": "for maintainers"},
    "$schema": {"$schema": TWENTY},
    "$vocabulary": {"$vocabulary": {"https://example.com/words": True}},
    "deprecated": {"deprecated": True},
    "readOnly": {"readOnly": True},
    "writeOnly": {"writeOnly": True},
    "format": {"format": "email"},
    "contentEncoding": {"contentEncoding": "base64"},
    "contentMediaType": {"contentMediaType": "application/json"},
    "contentSchema": {"contentMediaType": "application/json", "contentSchema": {"type": "integer"}},
    "$defs": {"$defs": {"Lonely": {"type": "integer"}}},
    "definitions": {"definitions": {"Lonely": {"type": "integer"}}},
    "$recursiveAnchor": {"$recursiveAnchor": True},
    "$recursiveRef": {"$recursiveRef": "#"},
}
"""What refuses nothing to the validator either."""


@pytest.mark.parametrize("draft", BOTH, ids=told)
@pytest.mark.parametrize("keyword", ANNOTATIONS)
def test_annotations_refuse_and_change_nothing(keyword: str, draft: str) -> None:
    if keyword == "$schema" or (draft == SEVEN and keyword == "$vocabulary"):
        return
    row = Row(
        keyword, {"type": ["string", "integer"], **ANNOTATIONS[keyword]}, ("not base64 {", "", 3), (1.5,)
    )
    test_the_module_says_what_the_validator_says(row, draft)


def test_texts_are_where_people_read_them() -> None:
    schema: Json = {
        "title": "big thing",
        "type": "object",
        "description": "All of it.",
        "properties": {"a": {"type": "integer", "description": "How many.", "default": 3}},
    }
    module = loaded(generate_models(schema).source)
    assert module.BigThing.__doc__ == "All of it."
    assert module.BigThing.model_fields["a"].description == "How many."
    assert module.BigThing().a == 3


def test_a_keyword_of_another_draft_is_reported() -> None:
    for draft, keyword, value in ((TWENTY, "dependencies", {"a": ["b"]}), (SEVEN, "prefixItems", [{}])):
        made = generate_models({"$schema": draft, keyword: value}, ModelOptions(path="s.json"))
        assert [str(finding.place) for finding in made.findings] == [f"s.json#/{keyword}"]


def keywords(draft: str) -> set[str]:
    """All keywords that the meta-schema of a draft knows."""
    meta = cast("dict[str, Any]", REGISTRY.contents(draft))
    parts = [
        cast("dict[str, Any]", REGISTRY.contents(urljoin(draft, p["$ref"]))) for p in meta.get("allOf", ())
    ]
    return set[str]().union(*(part["properties"] for part in (meta, *parts)))


@pytest.mark.parametrize("draft", BOTH, ids=told)
def test_no_keyword_is_left_out(draft: str) -> None:
    planted = {row.keyword for row in ROWS if draft in row.drafts} | ANNOTATIONS.keys() | {"dependencies"}
    assert keywords(draft) <= planted

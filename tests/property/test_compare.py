"""What `compare` calls compatible is: no value of the old schema is refused by the new one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcp_lockstep.bundled import catalog
from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Difference
from mcp_lockstep.compare.schemas import compare_schema, compare_schemas

VALUES: tuple[object, ...] = (
    None,
    True,
    False,
    0,
    1,
    1.5,
    -3,
    7,
    10**9,
    "",
    "a",
    "b",
    "abc",
    "2026-01-01",
    [],
    ["a"],
    [1, 1],
    [1, "a", None],
    {},
    {"a": 1},
    {"a": "a"},
    {"a": "a", "b": 1},
    {"a": None, "b": "b", "c": []},
    {"b": {"a": 1}},
    {"c": {"a": "a", "b": 2}, "z": 0},
    {"kind": "one", "a": 1},
    {"kind": "two", "a": "b"},
    {"a": {"kind": "one"}, "b": [{"a": 1}]},
    {"a": {"kind": "two", "a": 3}},
)
NAMES = ("a", "b", "c")


def scalars() -> st.SearchStrategy[object]:
    """Schemas without schemas in them."""
    count = st.integers(0, 3)
    return st.one_of(
        st.just({}),
        st.booleans(),
        st.sampled_from(["null", "boolean", "integer", "number", "string"]).map(lambda t: {"type": t}),
        st.lists(st.sampled_from(["null", "integer", "string", "array"]), min_size=1, unique=True).map(
            lambda t: {"type": t}
        ),
        st.lists(st.sampled_from([None, 1, 2.5, "a", "b", True, {"a": 1}]), min_size=1, max_size=4).map(
            lambda v: {"enum": v}
        ),
        st.sampled_from([1, "a", None, "one", "two"]).map(lambda v: {"const": v}),
        st.fixed_dictionaries(
            {"type": st.sampled_from(["integer", "number"])},
            optional={
                "minimum": count,
                "exclusiveMinimum": count,
                "maximum": st.integers(3, 8),
                "exclusiveMaximum": st.integers(3, 8),
                "multipleOf": st.sampled_from([0.5, 1, 2, 4]),
            },
        ),
        st.fixed_dictionaries(
            {"type": st.just("string")},
            optional={"minLength": count, "maxLength": count, "pattern": st.sampled_from(["^a", "b$"])},
        ),
        st.sampled_from(NAMES).map(lambda name: {"$ref": f"#/$defs/{name}"}),
    )


def compound(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Schemas of arrays and objects, unions and conjunctions."""
    some = st.lists(inner, min_size=1, max_size=3)
    marked = st.sampled_from(["one", "two"]).flatmap(
        lambda kind: st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "required": st.just(["kind"]),
                "properties": st.fixed_dictionaries({"kind": st.just({"const": kind}), "a": inner}),
            }
        )
    )
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object")},
            optional={
                "properties": st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
                "required": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
                "additionalProperties": st.one_of(st.booleans(), inner),
                "patternProperties": st.dictionaries(st.sampled_from(["^a", "z"]), inner, max_size=1),
                "propertyNames": st.sampled_from([{"maxLength": 1}, {"pattern": "^a"}]),
                "minProperties": st.integers(0, 2),
                "maxProperties": st.integers(0, 2),
                "dependentRequired": st.just({"a": ["b"]}),
            },
        ),
        st.fixed_dictionaries(
            {"type": st.just("array")},
            optional={
                "items": inner,
                "prefixItems": some,
                "minItems": st.integers(0, 2),
                "maxItems": st.integers(0, 2),
                "uniqueItems": st.booleans(),
                "contains": inner,
                "minContains": st.integers(0, 2),
            },
        ),
        some.map(lambda members: {"anyOf": members}),
        some.map(lambda members: {"oneOf": members}),
        st.lists(marked, min_size=1, max_size=3).map(lambda members: {"oneOf": members}),
        some.map(lambda members: {"allOf": members}),
        inner.map(lambda member: {"not": member}),
        st.fixed_dictionaries({"if": inner, "then": inner}, optional={"else": inner}),
        st.tuples(inner, some).map(lambda pair: {"anyOf": pair[1], "properties": {"a": pair[0]}}),
        st.tuples(inner, some).map(
            lambda pair: {"allOf": pair[1], "properties": {"a": pair[0]}, "unevaluatedProperties": False}
        ),
    )


NODES = st.recursive(scalars(), compound, max_leaves=8)


def documents() -> st.SearchStrategy[dict[str, object]]:
    """Schemas whose references lead somewhere."""
    leaf = scalars().filter(lambda node: not (isinstance(node, dict) and "$ref" in node))
    node = NODES.map(lambda found: found if isinstance(found, dict) else {"allOf": [found]})
    return st.tuples(node, leaf, leaf, NODES).map(
        lambda parts: {
            **parts[0],
            # A reference that leads to itself alone says nothing, and validators run in circles over it.
            "$defs": {"a": parts[1], "b": parts[2], "c": {"type": "array", "items": parts[3]}},
        }
    )


def spots(node: object) -> Iterator[dict[str, object]]:
    """Every object in a schema."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from spots(child)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[object, object]:
    """Two schemas: one and a changed copy of it, or two that have nothing to do with each other."""
    old = draw(documents())
    if draw(st.integers(0, 3)) == 0:
        return old, draw(documents())
    new = copy.deepcopy(old)
    flip = st.booleans()
    for _ in range(draw(st.integers(1, 2))):
        spot = draw(st.sampled_from(list(spots(new))))
        if draw(flip) and spot:
            spot.pop(draw(st.sampled_from(sorted(set(spot) - {"$defs", "a", "b", "c"}) or ["nothing"])), None)
        else:
            # What a strategy gave may be its own constant.
            other = copy.deepcopy(draw(NODES))
            spot.update(other if isinstance(other, dict) and "$defs" not in spot else {})
    return old, new


def accepts(schema: object) -> Callable[[object], bool]:
    """Whether a schema accepts a value, in the judgement of another implementation."""
    validator = Draft202012Validator(cast("Any", schema))
    return lambda value: validator.is_valid(cast("Any", value))


def undeclared(found: list[Difference]) -> set[str]:
    """Names that the new schema declares and the old one did not."""
    return {(d.new or "").strip('"') for d in found if d.code in (codes.PROPERTY_ADDED, codes.REQUIRED_ADDED)}


def names(value: object) -> set[str]:
    """Every key in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set(value if isinstance(value, dict) else ()).union(*map(names, inner))


@settings(max_examples=600, deadline=None)
@given(pairs())
def test_what_is_compatible_for_callers_refuses_nothing(pair: tuple[object, object]) -> None:
    old, new = pair
    found = compare_schema(old, new, "input")
    if any(each.breaks for each in found):
        return
    before, after = accepts(old), accepts(new)
    new_names = undeclared(found)
    for value in VALUES:
        if before(value) and not names(value) & new_names:
            assert after(value), (old, new, value, found)


@settings(max_examples=600, deadline=None)
@given(pairs())
def test_what_is_compatible_for_readers_brings_nothing_new(pair: tuple[object, object]) -> None:
    old, new = pair
    found = compare_schema(old, new, "output")
    if any(each.breaks for each in found):
        return
    before, after = accepts(old), accepts(new)
    for value in VALUES:
        if after(value):
            assert before(value), (old, new, value, found)


@settings(max_examples=200, deadline=None)
@given(documents())
def test_a_schema_is_not_different_from_itself(schema: object) -> None:
    assert compare_schemas(schema, copy.deepcopy(schema)) == []


@pytest.mark.parametrize("entry", catalog.entries(), ids=lambda entry: entry.label)
def test_no_bundled_schema_is_different_from_itself(entry: catalog.Entry) -> None:
    schema = catalog.schema(entry.name, entry.revision)
    assert compare_schemas(schema, schema) == []


WORDS = st.sampled_from(
    "type enum const not anyOf oneOf allOf $ref $id $anchor properties required items prefixItems minimum "
    "exclusiveMinimum multipleOf maxLength pattern uniqueItems additionalProperties patternProperties contains "
    "minContains unevaluatedProperties propertyNames if then default format $defs definitions $schema a / ~".split()
)
JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
        st.sampled_from(
            ["string", "integer", "object", "#", "#/$defs/a", "#/not", "https://[", "#%", "(", "a" * 99]
        ),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=5)),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(JUNK, JUNK)
def test_whatever_is_given_is_compared(old: object, new: object) -> None:
    compare_schemas(old, new)
    assert compare_schemas(old, copy.deepcopy(old)) == []


def test_a_longer_prefix_leaves_less_that_is_unevaluated() -> None:
    old = {"type": "array", "prefixItems": [{}], "unevaluatedItems": False}
    new = {"type": "array", "prefixItems": [{}, {"type": "null"}], "unevaluatedItems": False}
    assert any(difference.readers != "no" for difference in compare_schemas(old, new))
    assert any(difference.writers != "no" for difference in compare_schemas(new, old))
    assert compare_schemas(old, old) == []


def test_what_is_unevaluated_depends_on_every_part() -> None:
    rest = {"type": "object", "unevaluatedProperties": {"type": "null"}}
    one = {**rest, "allOf": [{"properties": {"a": {}}}]}
    two = {**rest, "allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}
    for old, new in ((rest, one), (one, two)):
        assert any(difference.readers != "no" for difference in compare_schemas(old, new))
        assert any(difference.writers != "no" for difference in compare_schemas(new, old))
        assert compare_schemas(new, new) == []

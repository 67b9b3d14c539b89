"""Schemas at random: what is made as valid is accepted, what is made as broken is rejected for the reason given."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from argument_sets import argument_sets
from mcp_lockstep.schema.instances import Schemas, broken_instances, valid_instances
from mcp_lockstep.schema.instances.regex import UnreadableRegex, compiled, python_source, read_regex, regex
from mcp_lockstep.schema.instances.regex_strings import matching, not_matching
from mcp_lockstep.schema.instances.values import Dice
from mcp_lockstep.schema.values import Json

NAMES = st.sampled_from(["a", "b", "class", "a/b", "~x", "é", ""])
SCALARS: st.SearchStrategy[Json] = st.sampled_from([None, True, False, 0, 1, 2.5, "", "a", "null", [], {}])
SMALL = st.integers(0, 3)


def fields(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    lists = st.lists(inner, min_size=1, max_size=3)
    maps = st.dictionaries(NAMES, inner, max_size=3)
    names = st.lists(NAMES, unique=True, max_size=2)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": st.sampled_from(
            [
                "null",
                "boolean",
                "integer",
                "number",
                "string",
                "array",
                "object",
                ["string", "null"],
                ["object", "array"],
            ]
        ),
        "enum": st.lists(SCALARS, min_size=1, max_size=4),
        "const": SCALARS,
        **dict.fromkeys(("minimum", "exclusiveMinimum"), st.sampled_from([-1, 0, 1.5])),
        **dict.fromkeys(("maximum", "exclusiveMaximum"), st.sampled_from([2, 3.5, 10])),
        "multipleOf": st.sampled_from([1, 2, 0.5, 0.1, 3]),
        **dict.fromkeys(("minLength", "minItems", "minProperties"), SMALL),
        **dict.fromkeys(("maxLength", "maxItems", "maxProperties"), SMALL),
        "pattern": st.sampled_from(["^a", r"\d", "^[a-z]{2,}$", "x|y$", r"^(?!a)\w*$"]),
        "uniqueItems": st.booleans(),
        "items": inner,
        "prefixItems": lists,
        "contains": inner,
        "minContains": SMALL,
        "maxContains": SMALL,
        "properties": maps,
        "required": names,
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=2),
        "propertyNames": inner,
        "dependentRequired": st.dictionaries(NAMES, names, max_size=2),
        "dependentSchemas": maps,
        **dict.fromkeys(("anyOf", "oneOf", "allOf"), lists),
        **dict.fromkeys(("not", "if", "then", "else"), inner),
        "unevaluatedProperties": inner,
        "unevaluatedItems": inner,
        "$ref": st.sampled_from(["#", "#/$defs/one"]),
    }
    chosen = st.lists(st.sampled_from(sorted(keywords)), unique=True, max_size=4)
    return chosen.flatmap(lambda some: st.fixed_dictionaries({name: keywords[name] for name in some}))


SCHEMAS: st.SearchStrategy[Json] = st.recursive(
    st.one_of(st.booleans(), fields(st.booleans())), fields, max_leaves=6
)
DOCUMENTS = st.tuples(fields(SCHEMAS), fields(st.booleans())).map(
    lambda pair: {**pair[0], "$defs": {"one": pair[1]}}
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS)
def test_a_validator_agrees_on_any_schema(schema: dict[str, Json]) -> None:
    schemas = Schemas(schema)
    schemas.routes("")
    assume(not schemas.endless)
    validator = jsonschema.Draft202012Validator(schema)
    for instance in valid_instances(schema, count=6):
        assert validator.is_valid(instance.value), instance
    for broken in broken_instances(schema, count=12):
        assert not validator.is_valid(broken.value), broken
        assert broken.pointer_of_keyword.startswith("/") or broken.keyword == "false"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS)
def test_the_same_again_and_json_throughout(schema: dict[str, Json]) -> None:
    first = [list(valid_instances(schema, count=4)), list(broken_instances(schema, count=8))]
    again = json.loads(json.dumps(schema))
    assert [list(valid_instances(again, count=4)), list(broken_instances(again, count=8))] == first
    json.dumps(first, allow_nan=False)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(NAMES, SCHEMAS, max_size=3))
def test_argument_sets_are_judged_alike(properties: dict[str, Json]) -> None:
    schema: dict[str, Json] = {"type": "object", "properties": properties, "$defs": {"one": {}}}
    validator = jsonschema.Draft202012Validator(schema)
    for found in argument_sets(schema, limit=120):
        assert validator.is_valid(found.arguments) is found.valid, found


PIECES = st.sampled_from(
    [
        *"ab1-.^$|()[]{}*+?\\/",
        r"\d",
        r"\w",
        r"\S",
        "[a-z]",
        "[^x]",
        "{2}",
        "{1,3}",
        "(?:",
        "(?=",
        "(?!",
        r"\b",
        r"\.",
        "(a|b)",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join), st.integers(0, 12))
def test_strings_match_or_fail_as_asked(source: str, length: int) -> None:
    pattern = regex(source)
    for text in matching(pattern, length, Dice(source, length)):
        assert pattern.matches(text)
        assert not pattern.stock or pattern.stock.search(text)
    for text in not_matching(pattern, length, Dice(source, length)):
        assert pattern.matches(text) is False
        assert not pattern.stock or not pattern.stock.search(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(source: str) -> None:
    try:
        tree = read_regex(source)
    except UnreadableRegex:
        return
    python_source(tree)
    compiled(source)

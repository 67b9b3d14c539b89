"""Each keyword, both ways: whom it breaks that the old schema became the new one, and the other way round."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from mcp_lockstep.compare.difference import Difference
from mcp_lockstep.compare.schemas import compare_schema, compare_schemas


class Row(NamedTuple):
    """Two schemas, and what `verdict` says of old -> new and of new -> old; the slugs of old -> new."""

    old: object
    new: object
    there: str
    back: str
    slugs: str = ""


def obj(**properties: object) -> dict[str, object]:
    """An open object."""
    return {"type": "object", "properties": properties}


def closed(**properties: object) -> dict[str, object]:
    """A closed object."""
    return {**obj(**properties), "additionalProperties": False}


def verdict(found: list[Difference]) -> str:
    """`W`, `R`: breaks writers, readers; `w`, `r`: may break them; `=`: breaks nobody; empty: no difference."""
    grades = {(party, each.grade) for each in found for party in each.breaks}
    word = ""
    for party, letter in (("writers", "w"), ("readers", "r")):
        if (party, "breaking") in grades:
            word += letter.upper()
        elif (party, "may-break") in grades:
            word += letter
    return word or ("=" if found else "")


STRING: dict[str, object] = {"type": "string"}
A = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "a"}, "x": STRING}}
B = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "b"}}}

ROWS = {
    "type": Row({"type": "string"}, {"type": "integer"}, "WR", "WR", "type-changed"),
    "type-lost": Row({"type": ["string", "null"]}, STRING, "W", "R", "type-changed"),
    "integer-is-a-number": Row({"type": "integer"}, {"type": "number"}, "R", "W", "type-changed"),
    "integer-beside-number": Row({"type": ["integer", "number"]}, {"type": "number"}, "", ""),
    "any-type": Row({}, STRING, "W", "R", "type-changed"),
    "true-is-empty": Row(True, {}, "", ""),
    "false-is-never": Row(False, {"not": {}}, "", ""),
    "nothing": Row(STRING, False, "W", "R", "type-changed"),
    "nullable-any-of": Row({"type": ["string", "null"]}, {"anyOf": [STRING, {"type": "null"}]}, "", ""),
    "nullable-one-of": Row({"type": ["string", "null"]}, {"oneOf": [{"type": "null"}, STRING]}, "", ""),
    "nullable-enum": Row(
        {"enum": ["a", None]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"const": None}]}, "", ""
    ),
    "enum-of-booleans": Row({"enum": [True, False]}, {"type": "boolean"}, "", ""),
    "enum-in-other-order": Row({"enum": ["a", "b"]}, {"enum": ["b", "a"]}, "", ""),
    "enum-value-lost": Row({"enum": ["a", "b"]}, {"enum": ["a"]}, "W", "R", "values-changed"),
    "enum-other-value": Row({"enum": ["a", "b"]}, {"enum": ["a", "c"]}, "WR", "WR", "values-changed"),
    "const-is-enum": Row({"enum": ["a"]}, {"const": "a"}, "", ""),
    "const": Row({"const": 1}, {"const": 2}, "WR", "WR", "values-changed"),
    "const-1.0": Row({"const": 1}, {"const": 1.0}, "", ""),
    "consts-are-an-enum": Row({"enum": ["a", "b"]}, {"oneOf": [{"const": "a"}, {"const": "b"}]}, "", ""),
    "enum-lifted": Row({"enum": ["a"]}, {"type": "string", "minLength": 1}, "R", "W", "values-changed"),
    "enum-lifted-not-wholly": Row({"enum": ["a", ""]}, {"type": "string", "minLength": 1}, "WR", "WR"),
    "minimum": Row({"type": "number"}, {"type": "number", "minimum": 1}, "W", "R", "bound-changed"),
    "maximum": Row(
        {"type": "number", "maximum": 5}, {"type": "number", "maximum": 4}, "W", "R", "bound-changed"
    ),
    "exclusive": Row({"type": "number", "minimum": 1}, {"type": "number", "exclusiveMinimum": 1}, "W", "R"),
    "exclusive-whole": Row(
        {"type": "integer", "minimum": 1}, {"type": "integer", "exclusiveMinimum": 0}, "", ""
    ),
    "exclusive-draft-4": Row(
        {"type": "number", "minimum": 1, "exclusiveMinimum": True},
        {"type": "number", "exclusiveMinimum": 1},
        "",
        "",
    ),
    "multiple-of": Row({"type": "number", "multipleOf": 2}, {"type": "number", "multipleOf": 4}, "W", "R"),
    "multiple-of-apart": Row(
        {"type": "number", "multipleOf": 2}, {"type": "number", "multipleOf": 3}, "WR", "WR"
    ),
    "length": Row({"type": "string", "maxLength": 9}, STRING, "R", "W", "bound-changed"),
    "min-length-zero": Row({"type": "string", "minLength": 0}, STRING, "", ""),
    "pattern": Row(STRING, {"type": "string", "pattern": "^a"}, "W", "R", "pattern-changed"),
    "pattern-other": Row(
        {"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}, "wr", "wr"
    ),
    "format": Row(STRING, {"type": "string", "format": "date"}, "w", "r", "format-changed"),
    "default-added": Row(STRING, {"type": "string", "default": "a"}, "=", "wr", "default-changed"),
    "default-other": Row({"type": "string", "default": "a"}, {"type": "string", "default": "b"}, "wr", "wr"),
    "description": Row(STRING, {"type": "string", "description": "x"}, "=", "=", "prose-changed"),
    "title": Row(
        {"type": "string", "title": "a"}, {"type": "string", "title": "b"}, "=", "=", "prose-changed"
    ),
    "unknown-keyword": Row(STRING, {"type": "string", "x-order": 1}, "=", "=", "prose-changed"),
    "required": Row(obj(a=STRING), {**obj(a=STRING), "required": ["a"]}, "W", "R", "required-added"),
    "property-open": Row(obj(), obj(a=STRING), "=", "R", "property-added"),
    "property-closed": Row(closed(), closed(a=STRING), "R", "W", "property-added"),
    "property-required": Row(obj(), {**obj(a=STRING), "required": ["a"]}, "W", "R", "required-added"),
    "property-required-closed": Row(closed(), {**closed(a=STRING), "required": ["a"]}, "WR", "WR"),
    "property-of-a-map": Row(
        {"type": "object", "additionalProperties": STRING},
        {**obj(a={"type": "string", "minLength": 1}), "additionalProperties": STRING},
        "W",
        "R",
        "bound-changed",
    ),
    "closed": Row(obj(a=STRING), closed(a=STRING), "W", "R", "undeclared-properties"),
    "map-values": Row(
        {"type": "object", "additionalProperties": STRING},
        {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        "R",
        "W",
    ),
    "additional-true-is-absent": Row(obj(), {**obj(), "additionalProperties": True}, "", ""),
    "unevaluated-closes-too": Row(closed(), {**obj(), "unevaluatedProperties": False}, "", ""),
    "pattern-properties": Row(obj(), {**obj(), "patternProperties": {"^x": STRING}}, "wr", "wr"),
    "property-names": Row(obj(), {**obj(), "propertyNames": {"maxLength": 3}}, "W", "R", "bound-changed"),
    "min-properties": Row(obj(), {**obj(), "minProperties": 1}, "W", "R", "bound-changed"),
    "dependent-required": Row(obj(), {**obj(), "dependentRequired": {"a": ["b"]}}, "w", "r"),
    "items": Row({"type": "array"}, {"type": "array", "items": STRING}, "W", "R", "type-changed"),
    "items-false": Row({"type": "array", "items": STRING}, {"type": "array", "items": False}, "W", "R"),
    "tuple-spellings": Row(
        {"type": "array", "items": [STRING], "additionalItems": False},
        {"type": "array", "prefixItems": [STRING], "items": False},
        "",
        "",
    ),
    "tuple-longer": Row(
        {"type": "array", "prefixItems": [STRING]},
        {"type": "array", "prefixItems": [STRING, STRING]},
        "W",
        "R",
    ),
    "max-items": Row({"type": "array"}, {"type": "array", "maxItems": 3}, "W", "R", "bound-changed"),
    "unique": Row({"type": "array"}, {"type": "array", "uniqueItems": True}, "W", "R", "items-changed"),
    "contains": Row({"type": "array"}, {"type": "array", "contains": STRING}, "W", "R", "items-changed"),
    "any-of-member": Row({"anyOf": [A, B]}, {"anyOf": [A]}, "W", "R", "alternative-removed"),
    "any-of-order": Row({"anyOf": [A, B]}, {"anyOf": [B, A]}, "", ""),
    "any-of-one": Row({"anyOf": [STRING]}, STRING, "", ""),
    "any-of-inside": Row(
        {"oneOf": [A, B]},
        {"oneOf": [A, {**B, "required": ["kind", "y"]}]},
        "W",
        "R",
        "required-added",
    ),
    "any-of-covered": Row(
        {"anyOf": [{"type": "string", "maxLength": 3}, STRING]}, {"anyOf": [STRING]}, "", ""
    ),
    "one-of-overlapping": Row({"anyOf": [obj(), A]}, {"oneOf": [obj(), A]}, "w", "r", "one-of-overlaps"),
    "all-of-one": Row({"allOf": [STRING]}, STRING, "", ""),
    "all-of-part": Row(
        {"allOf": [obj(a=STRING), obj(b=STRING)]},
        {"allOf": [obj(a=STRING), {**obj(b=STRING), "required": ["b"]}]},
        "W",
        "R",
        "required-added",
    ),
    "all-of-in-all-of": Row(
        {"allOf": [{"allOf": [STRING, {"title": "x"}]}, {"title": "y"}]},
        {"allOf": [{"allOf": [{"type": "string", "maxLength": 3}, {"title": "x"}]}, {"title": "y"}]},
        "W",
        "R",
        "bound-changed",
    ),
    "not": Row(STRING, {"type": "string", "not": {"const": "a"}}, "w", "r", "constraint-changed"),
    "if": Row(obj(), {**obj(), "if": {"required": ["a"]}, "then": {"required": ["b"]}}, "w", "r"),
    "reference-spelling": Row(
        {"$ref": "#/definitions/S", "definitions": {"S": STRING}},
        {"$ref": "#/$defs/T", "$defs": {"T": STRING}},
        "",
        "",
    ),
    "reference-inlined": Row({"$ref": "#/$defs/S", "$defs": {"S": STRING}}, STRING, "", ""),
    "reference-within": Row(
        {"$ref": "#/$defs/S", "$defs": {"S": STRING}},
        {"$ref": "#/$defs/S", "$defs": {"S": {"type": "integer"}}},
        "WR",
        "WR",
        "type-changed",
    ),
    "reference-in-not": Row(
        {"not": {"$ref": "#/$defs/S"}, "$defs": {"S": STRING}},
        {"not": {"$ref": "#/$defs/S"}, "$defs": {"S": {"type": "integer"}}},
        "wr",
        "wr",
        "constraint-changed",
    ),
    "reference-remote": Row({"$ref": "https://a.example/x"}, {"$ref": "https://a.example/y"}, "wr", "wr"),
    "reference-remote-same": Row({"$ref": "https://a.example/x"}, {"$ref": "https://a.example/x"}, "", ""),
    "reference-by-anchor": Row(
        {"$ref": "#s", "$defs": {"S": {"$anchor": "s", "type": "string"}}}, STRING, "", ""
    ),
    "reference-by-id": Row(
        {"$id": "https://a.example/", "$ref": "s", "$defs": {"S": {"$id": "s", "type": "string"}}},
        STRING,
        "",
        "",
    ),
    "reference-ring": Row({"$ref": "#"}, {"$ref": "#"}, "", ""),
    "draft-7-reference-stands-alone": Row(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"a": {"$ref": "#/definitions/S", "minLength": 3}},
            "definitions": {"S": STRING},
        },
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": STRING}},
        "",
        "",
    ),
}


def both(old: object, new: object) -> list[Difference]:
    """The differences of two schemas whose values are written and read, without definitions."""
    return compare_schema(old, new, "both")


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_a_keyword_breaks_those_whom_it_does(row: Row) -> None:
    found = both(row.old, row.new)
    assert (verdict(found), verdict(both(row.new, row.old))) == (row.there, row.back), found
    if row.slugs:
        assert {each.code.slug for each in found} == set(row.slugs.split())


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_roles_keep_their_half(row: Row) -> None:
    for role, letters in (("input", "Ww"), ("output", "Rr")):
        expected = "".join(letter for letter in row.there if letter in letters)
        found = compare_schema(row.old, row.new, "input" if role == "input" else "output")
        assert verdict(found).replace("=", "") == expected


def test_what_is_gone_is_named_as_what_comes_when_it_goes_the_other_way() -> None:
    old, new = closed(a=STRING), closed(b=STRING)
    there, back = both(old, new), both(new, old)
    assert {(d.code.slug, d.old, d.new) for d in there} == {
        ("property-removed", '"a"', None),
        ("property-added", None, '"b"'),
    }
    assert {(d.code.slug, d.new, d.old) for d in back} == {
        ("property-removed", None, '"b"'),
        ("property-added", '"a"', None),
    }


def test_pointers_lead_to_the_place() -> None:
    old = {"$ref": "#/$defs/P", "$defs": {"P": obj(**{"a/b": {"type": "string", "maxLength": 5}})}}
    new = {"$ref": "#/$defs/P", "$defs": {"P": obj(**{"a/b": {"type": "string", "maxLength": 4}})}}
    (found,) = both(old, new)
    assert found.new_at == "/$defs/P/properties/a~1b/maxLength"
    assert (found.old, found.new) == ("maxLength 5", "maxLength 4")


def test_recursion_ends() -> None:
    def tree(leaf: object) -> object:
        return {
            "$ref": "#/$defs/T",
            "$defs": {"T": {"anyOf": [leaf, {"type": "array", "items": {"$ref": "#/$defs/T"}}]}},
        }

    (found,) = both(tree(STRING), tree({"type": "string", "maxLength": 2}))
    assert (found.code.slug, verdict([found])) == ("bound-changed", "W")


def test_a_reference_that_is_recursive_in_a_condition_ends() -> None:
    def odd(leaf: object) -> object:
        return {"not": {"items": {"$ref": "#"}, "allOf": [leaf]}}

    assert verdict(both(odd(STRING), odd({"type": "number"}))) == "wr"


def test_definitions_are_compared_both_ways_and_gone_ones_break_everybody() -> None:
    old = {"definitions": {"A": STRING, "B": STRING, "C": {"type": "integer"}}}
    new = {"$defs": {"A": {"type": "string", "maxLength": 3}, "C": {"type": "number"}, "D": STRING}}
    found = {(d.code.slug, d.pointer): d.breaks for d in compare_schemas(old, new)}
    assert found == {
        ("definition-removed", "/definitions/B"): ("writers", "readers"),
        ("definition-added", "/$defs/D"): (),
        ("bound-changed", "/$defs/A/maxLength"): ("writers",),
        ("type-changed", "/$defs/C"): ("readers",),
    }


def test_a_definition_of_a_schema_with_a_root_is_its_own_matter() -> None:
    old = {"$ref": "#/$defs/A", "$defs": {"A": STRING}}
    new = {"$ref": "#/$defs/B", "$defs": {"B": STRING}}
    assert verdict(compare_schemas(old, new)) == "="


def test_many_schemas_that_refer_to_each_other_end_soon() -> None:
    def web(limit: int) -> object:
        members = [{"$ref": f"#/$defs/D{index}"} for index in range(40)]
        return {
            "$defs": {
                f"D{index}": {"anyOf": [{"type": "object", "properties": {f"p{index}": m}} for m in members]}
                for index in range(40)
            }
            | {"Last": {"type": "string", "maxLength": limit}}
        }

    assert verdict(compare_schemas(web(5), web(4))) == "W"


@pytest.mark.parametrize(
    "junk", [None, 1, "text", [], {"type": 3}, {"properties": []}, {"enum": 1}, {"$ref": 1}]
)
def test_what_is_no_schema_stops_nothing(junk: object) -> None:
    assert verdict(both(junk, junk)) == ""
    both(junk, obj(a=STRING))
    both(obj(a=STRING), junk)


def test_an_argument_that_is_not_declared_any_more_may_break_its_callers() -> None:
    (found,) = compare_schema(obj(a=STRING), obj(), "input")
    assert (found.code.slug, found.grade, found.breaks) == ("property-removed", "may-break", ("writers",))


def test_a_long_union_ends_soon() -> None:
    def union(limit: int) -> object:
        text = {"type": "string", "maxLength": limit}
        return {"anyOf": [{**obj(**{f"p{index}": text}), "required": [f"p{index}"]} for index in range(300)]}

    found = both(union(5), union(4))
    assert len(found) == 300 and {each.code.slug for each in found} == {"bound-changed"}


def test_messages_of_one_shape_are_not_taken_for_each_other() -> None:
    """One that is gone is removed, whatever new one has the same fields."""

    def protocol(*names: str) -> dict[str, object]:
        messages = {
            name: {"type": "object", "properties": {"method": {"const": name}}, "required": ["method"]}
            for name in names
        }
        union = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
        return {"$defs": {**messages, "Request": union}}

    found = compare_schemas(protocol("Call", "Ping", "Hello"), protocol("Call", "Discover", "Listen"))
    assert sorted((one.code.slug, one.old or one.new) for one in found) == [
        ("alternative-added", "Discover"),
        ("alternative-added", "Listen"),
        ("alternative-removed", "Hello"),
        ("alternative-removed", "Ping"),
        ("definition-added", '"Discover"'),
        ("definition-added", '"Listen"'),
        ("definition-removed", '"Hello"'),
        ("definition-removed", '"Ping"'),
    ]

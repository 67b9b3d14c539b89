"""The maker of instances, judged by a validator of its own on the schemas as they were written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft7Validator, Draft202012Validator, ValidationError
from jsonschema.protocols import Validator

from argument_sets import argument_sets
from mcp_lockstep.schema.instances import (
    Broken,
    Coverage,
    Maker,
    Position,
    Schemas,
    SchemaUnusable,
    broken_instances,
    valid_instances,
)
from mcp_lockstep.schema.values import Json

SUPPORT = Path(__file__).resolve().parents[2] / "support"
DRAFT7 = "http://json-schema.org/draft-07/schema#"
WHOLE = os.environ.get("MCP_LOCKSTEP_TESTS") == "whole"
"""Set `MCP_LOCKSTEP_TESTS=whole` to go through every tool and definition instead of a sample."""

KEYWORDS: dict[str, Json] = {
    "type": {"type": "integer"},
    "type list": {"type": ["string", "null", "array"], "items": {"type": "boolean"}},
    "enum": {"enum": [1, "a", None, [1], {"a": True}]},
    "const": {"const": {"a": [1]}},
    "bounds": {"type": "integer", "minimum": 3, "maximum": 9},
    "exclusive bounds": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "one number": {"type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 6},
    "multipleOf": {"type": "number", "multipleOf": 0.01, "minimum": 2},
    "lengths": {"type": "string", "minLength": 3, "maxLength": 5},
    "pattern": {"type": "string", "pattern": r"^[a-z]{2}-\d+$", "maxLength": 8},
    "long pattern": {"type": "string", "minLength": 90, "pattern": "^(ab|c)+$"},
    "lookahead": {"pattern": r"^(?=.*[A-Z])(?=.*\d).{8,}$"},
    "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 4},
    "unique": {"type": "array", "uniqueItems": True, "minItems": 2, "items": {"enum": [1, 2, 3, 1.5]}},
    "many unique": {"type": "array", "uniqueItems": True, "minItems": 60, "items": {"type": "integer"}},
    "prefixItems": {"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
    "items after prefix": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "null"}},
    "draft-07 tuple": {"$schema": DRAFT7, "items": [{"type": "string"}], "additionalItems": False},
    "draft-07 rest": {"$schema": DRAFT7, "items": [{"type": "string"}], "additionalItems": {"type": "null"}},
    "contains": {"type": "array", "contains": {"const": 1}, "minContains": 2, "maxContains": 3},
    "draft-07 contains": {"$schema": DRAFT7, "contains": {"type": "string", "minLength": 1}},
    "object": {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"], "type": "object"},
    "closed": {
        "properties": {"a": {}},
        "patternProperties": {"^x-": {"type": "null"}},
        "additionalProperties": False,
    },
    "map": {"type": "object", "additionalProperties": {"type": "integer", "maximum": 3}},
    "sizes": {"type": "object", "minProperties": 2, "maxProperties": 3},
    "sized patterns": {
        "type": "object",
        "minProperties": 5,
        "patternProperties": {r"^k\d$": {"type": "null"}},
        "additionalProperties": False,
    },
    "propertyNames": {"type": "object", "propertyNames": {"pattern": "^[a-z]+$", "maxLength": 5}},
    "named keys": {
        "type": "object",
        "propertyNames": {"enum": ["a", "b"]},
        "additionalProperties": {"minimum": 0},
    },
    "dependentRequired": {"properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b", "c"]}},
    "dependentSchemas": {
        "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"type": "null"}}}}
    },
    "dependencies": {
        "$schema": DRAFT7,
        "properties": {"a": {}, "b": {}},
        "dependencies": {"a": ["b"], "b": {"required": ["c"], "properties": {"c": {"type": "string"}}}},
    },
    "anyOf": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "integer"}]},
    "oneOf": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}]},
    "allOf": {"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "string"}}}]},
    "union with siblings": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    },
    "tagged union": {
        "oneOf": [
            {"properties": {"k": {"const": "a"}, "v": {"type": "string"}}, "required": ["k", "v"]},
            {"properties": {"k": {"const": "b"}, "v": {"type": "integer"}}, "required": ["k", "v"]},
        ],
        "type": "object",
    },
    "not": {"not": {"const": "latest"}, "type": "string"},
    "not required": {"type": "object", "not": {"required": ["a", "b"]}},
    "not any": {"not": {"anyOf": [{"type": "string"}, {"minimum": 5}]}},
    "if then else": {
        "type": "object",
        "properties": {"k": {"enum": ["a", "b"]}},
        "if": {"properties": {"k": {"const": "a"}}, "required": ["k"]},
        "then": {"properties": {"v": {"type": "string"}}, "required": ["v"]},
        "else": {"properties": {"v": {"type": "integer"}}},
    },
    "recursive": {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "properties": {"next": {"$ref": "#/$defs/node"}, "v": {"type": "integer"}},
                "required": ["v"],
                "additionalProperties": False,
            }
        },
    },
    "recursive union": {
        "$defs": {
            "t": {
                "anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/t"}, "minItems": 1}]
            }
        },
        "$ref": "#/$defs/t",
    },
    "lone reference": {
        "$schema": DRAFT7,
        "$ref": "#/definitions/a",
        "type": "string",
        "definitions": {"a": {"type": "integer"}},
    },
    "reference with siblings": {"$ref": "#/$defs/a", "maximum": 4, "$defs": {"a": {"type": "integer"}}},
    "anchor": {
        "$id": "https://example.org/x.json",
        "$ref": "#a",
        "$defs": {"b": {"$anchor": "a", "type": "null"}},
    },
    "own resource": {
        "$id": "https://example.org/x.json",
        "$ref": "y.json",
        "$defs": {"y": {"$id": "y.json", "type": "integer", "maximum": 4}},
    },
    "odd pointers": {
        "properties": {"a/b": {"type": "string"}, "c~d": {"$ref": "#/$defs/x~1y%25"}},
        "$defs": {"x/y%": {"type": "boolean"}},
    },
    "false property": {"properties": {"a": False, "b": {"type": "string"}}, "type": "object"},
    "false pattern": {"type": "object", "patternProperties": {"^x": False}, "minProperties": 1},
    "false names": {"$schema": DRAFT7, "type": ["object", "null"], "propertyNames": False},
    "unevaluatedProperties": {
        "type": "object",
        "allOf": [{"properties": {"a": {"type": "string"}}}],
        "properties": {"b": {"type": "integer"}},
        "unevaluatedProperties": False,
    },
    "unevaluatedItems": {"type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": False},
    "nested": {"properties": {"x": {"items": {"properties": {"y": {"maxItems": 1}}, "required": ["z"]}}}},
}


def validator_of(schema: Json) -> Validator:
    contents = schema if isinstance(schema, dict) else bool(schema)
    named = isinstance(schema, dict) and schema.get("$schema") == DRAFT7
    return Draft7Validator(contents) if named else Draft202012Validator(contents)


def leaves(errors: Iterator[ValidationError]) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    for error in errors:
        yield str(error.validator), tuple(error.absolute_path)
        yield from leaves(iter(error.context or ()))


def breakable_positions(coverage: Coverage) -> list[Position]:
    """The positions that some value breaks as far as can be told from the schema alone."""
    reasons = coverage.reasons
    return [p for p in coverage.positions if not reasons.get(p, "").startswith("it holds for every value")]


def check_broken(validator: Validator, broken: Broken) -> None:
    errors = list(validator.iter_errors(broken.value))
    keyword = "not" if broken.keyword == "false" else broken.keyword
    found = set(leaves(iter(errors)))
    if broken.keyword != "false":
        assert (keyword, broken.instance_path) in found, broken
    assert errors, broken
    if not broken.implied and not any(error.context for error in errors):
        own = [
            error
            for error in errors
            if not str(error.validator).startswith("unevaluated") or len(errors) == 1
        ]
        assert len(own) == 1, broken


@pytest.mark.parametrize("name", KEYWORDS)
def test_every_keyword_is_met_and_broken(name: str) -> None:
    schema = KEYWORDS[name]
    validator = validator_of(schema)
    coverage = Coverage()
    valid = list(valid_instances(schema, count=12, coverage=coverage))
    broken = list(broken_instances(schema, count=40, coverage=coverage))
    assert valid
    assert len(broken) == 40
    for instance in valid:
        assert validator.is_valid(instance.value), instance
    for mutant in broken:
        check_broken(validator, mutant)
    assert {str(p): r for p, r in coverage.unbroken.items() if p in breakable_positions(coverage)} == {}
    assert [str(p) for p in coverage.positions if not coverage.valid[p]] == []


def test_pointers_name_the_entry_and_the_part() -> None:
    schema: Json = {"properties": {"a": {"type": "object", "required": ["x", "y"]}}, "required": ["a"]}
    found = {(b.pointer_of_keyword, b.keyword, b.instance_path) for b in broken_instances(schema)}
    assert found == {
        ("/required/0", "required", ()),
        ("/properties/a/type", "type", ("a",)),
        ("/properties/a/required/0", "required", ("a",)),
        ("/properties/a/required/1", "required", ("a",)),
    }


def test_a_type_beside_an_enumeration_says_that_both_fail() -> None:
    schema: Json = {"type": "string", "enum": ["a", "b"]}
    by_keyword = {b.keyword: b for b in broken_instances(schema)}
    assert by_keyword["enum"].implied == ()
    assert [p.pointer for p in by_keyword["type"].implied] == ["/enum"]
    assert not isinstance(by_keyword["type"].value, str)


def test_what_cannot_be_broken_has_a_reason() -> None:
    schema: Json = {
        "properties": {
            "any": {"anyOf": [{"type": "string"}, {}]},
            "long": {"type": "string", "maxLength": 10**7},
            "unicode": {"pattern": r"^\p{L}+$"},
        },
        "propertyNames": {"type": "string"},
    }
    coverage = Coverage()
    list(broken_instances(schema, coverage=coverage))
    reasons = {position.pointer: reason for position, reason in coverage.unbroken.items()}
    assert reasons == {
        "/properties/any/anyOf": "it holds for every value",
        "/properties/any/anyOf/0/type": "it holds for every value: an alternative beside it accepts everything",
        "/properties/long/maxLength": "a value past maxLength 10000000 is larger than is made here",
        "/properties/unicode/pattern": r"the regular expression cannot be read: escape \p is not known here",
        "/propertyNames/type": "it holds for every value: property names are strings",
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"not": {}},
        False,
        {"type": "object", "required": ["a"], "additionalProperties": False},
        {"type": "object", "properties": {"self": {"$ref": "#"}}, "required": ["self"]},
        {"$ref": "https://nowhere.example/schema.json"},
        {"type": "integer", "enum": ["a"]},
    ],
)
def test_schemas_without_an_instance_end_without_one(schema: Json) -> None:
    assert list(valid_instances(schema, count=12)) == []


def test_a_schema_that_refers_to_itself_for_the_same_part_counts_as_false() -> None:
    schema: Json = {"anyOf": [{"type": "string"}, {"$ref": "#"}], "properties": {"a": {"$ref": "#"}}}
    schemas = Schemas(schema)
    values = [instance.value for instance in Maker(schemas).valid(12)]
    assert list(schemas.endless) == ["/anyOf/1"]
    assert len(values) == 12
    assert all(isinstance(value, str) for value in values)


def test_remote_references_are_neither_fetched_nor_needed() -> None:
    schema: Json = {"properties": {"r": {"$ref": "https://nowhere.example/z.json"}, "a": {"type": "string"}}}
    assert all("r" not in i.value for i in valid_instances(schema, count=12) if isinstance(i.value, dict))
    assert {b.pointer_of_keyword for b in broken_instances(schema)} == {"/properties/a/type"}


def test_expressions_that_only_ecma_reads_are_met_and_broken() -> None:
    schema: Json = {"type": "string", "pattern": r"^(?<year>\d{4})-\k<year>$"}
    coverage = Coverage()
    texts = [str(i.value) for i in valid_instances(schema, count=5, coverage=coverage)]
    assert all(len(t) == 9 and t[:4] == t[5:] and t[:4].isascii() and t[:4].isdigit() for t in texts)
    broken = [b for b in broken_instances(schema, count=20, coverage=coverage) if b.keyword == "pattern"]
    assert broken
    assert all(str(b.value)[:4] != str(b.value)[5:] or "-" not in str(b.value) for b in broken)


def test_a_part_of_a_document_and_a_schema_of_its_own() -> None:
    document: Json = {"$defs": {"a": {"type": "integer", "minimum": 1}, "b": {"$ref": "#/$defs/a"}}}
    assert isinstance(document, dict)
    by_reference = next(valid_instances({"$ref": "#/$defs/b"}, document))
    grafted = next(
        broken_instances({"type": "array", "items": {"$ref": "#/$defs/a"}, "minItems": 1}, document)
    )
    prepared = next(valid_instances({"$ref": "#/$defs/b"}, Schemas(document)))
    assert isinstance(by_reference.value, int)
    assert by_reference == prepared
    assert grafted.pointer_of_keyword == "/x-mcp-lockstep-schema/type"
    assert document == {"$defs": {"a": {"type": "integer", "minimum": 1}, "b": {"$ref": "#/$defs/a"}}}


def test_a_schema_nested_without_measure_is_refused() -> None:
    schema: Json = {}
    for _ in range(2_000):
        schema = {"items": schema}
    with pytest.raises(SchemaUnusable, match="nested more than 200 levels"):
        next(valid_instances(schema))


SEEDED = """
import json, sys
sys.path.append(sys.argv[2])
from argument_sets import argument_sets
from mcp_lockstep.schema.instances import broken_instances, valid_instances
schema = json.loads(sys.argv[1])
print([i.value for i in valid_instances(schema, count=12)], list(broken_instances(schema, count=40)))
print(list(argument_sets(schema)))
"""


def test_the_same_under_every_hash_seed() -> None:
    schema = json.dumps(KEYWORDS["if then else"])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SEEDED, schema, str(SUPPORT)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


def test_another_seed_gives_other_instances() -> None:
    schema: Json = {"type": "string", "pattern": "^[a-z]{20}$"}
    assert [i.value for i in valid_instances(schema, count=5)] != [
        i.value for i in valid_instances(schema, None, 5, 1)
    ]


TOOL: Json = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1, "maxLength": 5},
        "days": {"type": "integer", "minimum": 1, "maximum": 16, "default": 3},
        "units": {"enum": ["metric", "imperial"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "note": {"type": ["string", "null"]},
    },
    "required": ["city"],
    "additionalProperties": False,
}


def test_argument_sets_hold_what_careless_servers_get_wrong() -> None:
    validator = validator_of(TOOL)
    sets = list(argument_sets(TOOL))
    for found in sets:
        assert validator.is_valid(found.arguments) is found.valid, found
    valid = [s.arguments for s in sets if s.valid]
    broken = [s for s in sets if not s.valid]

    def values(name: str) -> list[str]:
        return [json.dumps(arguments[name]) for arguments in valid if name in arguments]

    assert {'"[1]"', '"null"', '"{}"', '"1"', '"true"', '"\\"x\\""', '""'} <= {*values("city"), '""'}
    assert {"1", "16", "1.0", "5", "5.0"} <= set(values("days"))
    assert set(values("units")) == {'"metric"', '"imperial"'}
    assert {"null", '"null"', '""'} <= set(values("note"))
    assert {"[]", '["\\"x\\""]'} <= set(values("tags"))
    for name in ("days", "units", "tags", "note"):
        assert any(name in arguments for arguments in valid)
        assert any(name not in arguments for arguments in valid)
    one_past = {(s.keyword, s.path, json.dumps(s.arguments.get("days"))) for s in broken}
    assert {("minimum", ("days",), "0"), ("maximum", ("days",), "17")} <= one_past
    assert {"type", "enum", "minLength", "maxLength", "maxItems", "required", "additionalProperties"} <= {
        s.keyword for s in broken
    }
    assert any(s.arguments.get("city") == "x" * 6 and s.keyword == "maxLength" for s in broken)
    assert any(s.arguments.get("tags") == "[1]" and s.keyword == "type" for s in broken)
    assert any("self" in s.arguments and s.keyword == "additionalProperties" for s in broken)


def test_argument_sets_are_cut_from_the_end() -> None:
    everything = list(argument_sets(TOOL))
    assert list(argument_sets(TOOL, limit=50)) == everything[:50]
    assert len(everything) > 200


def tool_schemas(shared: Path) -> list[tuple[str, dict[str, Json]]]:
    found: list[tuple[str, dict[str, Json]]] = []
    for path in sorted((shared / "toollists").glob("*.json")):
        for tool in json.loads(path.read_text(encoding="utf-8"))["tools"]:
            for part in ("inputSchema", "outputSchema"):
                if part in tool:
                    found.append((f"{path.stem}:{tool['name']}:{part}", tool[part]))
    return found


def test_every_keyword_of_real_tools_is_met_and_broken(shared: Path) -> None:
    schemas = tool_schemas(shared)
    if not WHOLE:
        schemas = [(name, schema) for name, schema in schemas if len(json.dumps(schema)) < 40_000]
    positions = valid_positions = broken_positions = breakable = valid = broken = 0
    for name, schema in schemas:
        validator = validator_of(schema)
        coverage = Coverage()
        for instance in valid_instances(schema, coverage=coverage):
            valid += 1
            assert validator.is_valid(instance.value), (name, instance)
        for mutant in broken_instances(schema, coverage=coverage):
            broken += 1
            check_broken(validator, mutant)
        positions += len(coverage.positions)
        breakable += len(breakable_positions(coverage))
        valid_positions += sum(1 for p in coverage.positions if coverage.valid[p])
        broken_positions += sum(1 for p in coverage.positions if coverage.broken[p])
        for position, reason in coverage.unbroken.items():
            print(f"{name} {position}: {reason}")
    print(f"{len(schemas)} schemas, {positions} keywords, {valid} valid and {broken} broken instances")
    print(f"met {valid_positions}, broken {broken_positions} of {breakable} that can be")
    assert valid_positions >= 0.99 * positions
    assert broken_positions >= 0.99 * breakable


def test_argument_sets_of_real_tools(shared: Path) -> None:
    schemas = [(name, schema) for name, schema in tool_schemas(shared) if name.endswith("inputSchema")]
    total = broken = 0
    for name, schema in schemas[:: 1 if WHOLE else 9]:
        validator = validator_of(schema)
        for found in argument_sets(schema):
            total += 1
            broken += not found.valid
            assert validator.is_valid(found.arguments) is found.valid, (name, found)
    print(f"{total} argument sets, {broken} of them broken")
    assert total > 8_000
    assert 0.4 < broken / total < 0.9


def definitions(shared: Path) -> Iterator[tuple[str, Schemas, str, dict[str, Json]]]:
    upstream = shared / "upstream"
    patterns = ("mcp/*/schema.json", "server/*.json", "mcpb/*.json", "rmcp/*.json")
    for path in sorted(found for pattern in patterns for found in upstream.glob(pattern)):
        document = json.loads(path.read_text(encoding="utf-8"))
        schemas = Schemas(document)
        for key in ("$defs", "definitions"):
            for name in document.get(key, {}):
                yield path.relative_to(upstream).as_posix(), schemas, f"/{key}/{name}", document
        if path.parent.parent.name != "mcp":
            yield path.relative_to(upstream).as_posix(), schemas, "", document


def test_definitions_of_published_schemas_have_instances(shared: Path) -> None:
    few_valid: list[str] = []
    few_broken: list[str] = []
    chosen = list(definitions(shared))[:: 1 if WHOLE else 25]
    valid = broken = 0
    for file, schemas, pointer, document in chosen:
        validator = validator_of({**document, "$ref": f"#{pointer}"} if pointer else document)
        maker = Maker(schemas, pointer)
        accepted, rejected = list(maker.valid(12)), list(maker.broken(40))
        assert all(validator.is_valid(instance.value) for instance in accepted), (file, pointer)
        assert not any(validator.is_valid(instance.value) for instance in rejected), (file, pointer)
        valid += len(accepted)
        broken += len(rejected)
        if len(accepted) < 12:
            few_valid.append(f"{file}#{pointer}: {len(accepted)}")
        if len(rejected) < 40:
            few_broken.append(f"{file}#{pointer}: {len(rejected)}")
    print(
        f"{len(chosen)} definitions, {valid} valid, {broken} broken; short of valid {few_valid}, of broken {few_broken}"
    )
    assert valid >= 10 * len(chosen)
    assert broken >= 37 * len(chosen)

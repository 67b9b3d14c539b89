"""The checks that every generated project carries: what a schema refuses is told with path, given and allowed."""

from __future__ import annotations

import importlib.util
import json
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from emitted import tool_list
from mcp_lockstep.bundled import resources
from mcp_lockstep.documents.data import JsonObject, as_object


@pytest.fixture(scope="module")
def checks() -> types.ModuleType:
    """The module as it is copied into projects."""
    path = Path(resources.folder("templates") or "") / "_common/checks.py"
    spec = importlib.util.spec_from_file_location("checks_under_test", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("schema", "value", "lines"),
    [
        (
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"a": 1},
            ["$.a: given 1, allowed string"],
        ),
        (
            {"required": ["a", "b c"]},
            {},
            ["$.a: given nothing, allowed a value", '$["b c"]: given nothing, allowed a value'],
        ),
        ({"additionalProperties": False}, {"x": 1}, ["$.x: given 1, allowed only none"]),
        (
            {"patternProperties": {"^x": {}}, "additionalProperties": False, "properties": {"a": {}}},
            {"x1": 1, "y": 2},
            ['$.y: given 2, allowed only "a"'],
        ),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ["$.b: given nothing, allowed a value"]),
        ({"properties": {"a": {"const": None}}}, {"a": 1}, ["$.a: given 1, allowed null"]),
        (
            {"properties": {"a": {"not": {"type": "null"}}}},
            {"a": None},
            ['$.a: given null, allowed not {"type": "null"}'],
        ),
        (
            {"properties": {"a": {"items": {"maximum": 2}}}},
            {"a": [1, 9]},
            ["$.a[1]: given 9, allowed maximum 2"],
        ),
        ({"properties": {"a": False}}, {"a": 1}, ["$: given 1, allowed nothing"]),
        (
            {"properties": {"a": {"oneOf": [{"type": "integer"}, {"minimum": 1}]}}},
            {"a": 5},
            ["$.a: given 5, allowed what exactly one of its forms accepts"],
        ),
        (
            {"properties": {"a": {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]}}},
            {"a": "x"},
            ['$.a: given "x", allowed minLength 2'],
        ),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, ['$: given "ab", allowed maxLength 1']),
        (
            {"unevaluatedProperties": False},
            {"x": 1},
            ["$: Unevaluated properties are not allowed ('x' was unexpected)"],
        ),
        (
            {
                "$schema": "http://json-schema.org/draft-04/schema#",
                "properties": {"a": {"maximum": 1, "exclusiveMaximum": True}},
            },
            {"a": 1},
            ["$.a: given 1, allowed maximum 1"],
        ),
        (
            {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
            {"a": 1},
            ["$.b: given nothing, allowed a value"],
        ),
        ({"properties": {"a": {"format": "date"}}}, {"a": "x"}, []),
    ],
)
def test_what_is_wrong_is_told(
    checks: types.ModuleType, schema: JsonObject, value: JsonObject, lines: list[str]
) -> None:
    assert list(checks.Schema(schema).problems(value)) == lines


def test_many_faults_are_cut_short(checks: types.ModuleType) -> None:
    lines = checks.Schema({"items": {"type": "string"}}).problems(list(range(100)))
    assert len(lines) == 6 and lines[-1] == "and more"


def test_a_long_value_is_cut_short(checks: types.ModuleType) -> None:
    (line,) = checks.Schema({"type": "string"}).problems(["x" * 1000])
    assert len(line) < 200


def test_a_deep_value_is_told_not_thrown(checks: types.ModuleType) -> None:
    value: object = 1
    for _ in range(5000):
        value = [value]
    assert checks.Schema({"$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}).problems(
        value
    ) == ("$: nested too deeply",)


def test_nothing_is_fetched(checks: types.ModuleType) -> None:
    with pytest.raises(Exception, match="Unresolvable"):
        checks.Schema({"$ref": "http://127.0.0.1:9/schema.json"}).problems({})


def wrong_values(schema: JsonObject, checks: types.ModuleType) -> Iterator[tuple[str, JsonObject]]:
    """For each property that does not take everything the path and arguments in which it is wrong."""
    properties = as_object(schema.get("properties")) or {}
    judge = checks.Schema({**schema, "required": []})
    wrongs: tuple[object, ...] = ([[{}]], {"?": [[]]}, 1.5, "\x00?")
    for name in properties:
        for wrong in wrongs:
            arguments: JsonObject = {name: wrong}
            if judge.problems(arguments):
                yield checks.json_path([name]), arguments
                break


def test_every_property_of_real_tools_is_named_when_it_is_wrong(
    shared: Path, checks: types.ModuleType
) -> None:
    told = 0
    for path in sorted((shared / "toollists").glob("*.json")):
        for tool in tool_list(path).tools:
            schema = as_object(tool["inputSchema"]) or {}
            for place, arguments in wrong_values(schema, checks):
                lines = checks.Schema({**schema, "required": []}).problems(arguments)
                assert any(line.startswith(place) for line in lines), (path.name, tool["name"], lines)
                told += 1
    assert told > 1500


def test_paths_are_json_paths(checks: types.ModuleType) -> None:
    assert checks.json_path(["a", 0, "x-y", 'q"', "é"]) == '$.a[0]["x-y"][' + json.dumps('q"') + "].é"


def test_a_number_beyond_floats_is_told_not_thrown(checks: types.ModuleType) -> None:
    schema = checks.Schema({"type": "integer", "multipleOf": 0.1})
    assert schema.problems(10**400) == ("$: holds a number too large to be checked",)
    assert schema.problems(7) == ()

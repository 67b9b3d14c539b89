"""Example instances as files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_lockstep.config import ModelJob
from mcp_lockstep.findings import Refused
from mcp_lockstep.generated.modules import task
from mcp_lockstep.models.examples import definitions, example_files
from mcp_lockstep.named import for_project
from mcp_lockstep.tree import Memory, Tree

SCHEMA = {
    "type": "object",
    "properties": {"city": {"$ref": "#/$defs/city"}},
    "required": ["city"],
    "$defs": {"city": {"type": "string", "minLength": 2}, "City": {"const": 1}, "document": {"type": "null"}},
}


def examples(raw: bytes) -> dict[str, Any]:
    job = ModelJob("a.json", "a.py")
    files = example_files(task(job, for_project(Tree(Memory({"a.json": raw})))), "x")
    return {file.path: json.loads(file.make()) for file in files}


def test_each_definition_has_examples_with_verdicts() -> None:
    found = examples(json.dumps(SCHEMA).encode())
    assert len({path.lower() for path in found}) == 4
    assert {data["schema"] for data in found.values()} == {
        "#",
        "#/$defs/city",
        "#/$defs/City",
        "#/$defs/document",
    }
    for data in found.values():
        part = {"$defs": SCHEMA["$defs"], "$ref": data["schema"]} if data["schema"] != "#" else SCHEMA
        validator = Draft202012Validator(part)
        assert data["valid"] and data["invalid"]
        assert all(validator.is_valid(value) for value in data["valid"])
        assert not any(validator.is_valid(wrong["value"]) for wrong in data["invalid"])
    broken = {(wrong["breaks"], wrong["at"]) for data in found.values() for wrong in data["invalid"]}
    assert ("#/$defs/city/minLength", "/city") in broken
    assert ("#/required/0", "") in broken


def test_the_same_files_each_time() -> None:
    raw = json.dumps(SCHEMA).encode()
    assert examples(raw) == examples(raw)


def test_a_root_that_only_lists_definitions_has_none() -> None:
    assert [name for name, _ in definitions({"$schema": "x", "$defs": {"a": {}}})] == ["a"]
    assert [name for name, _ in definitions({"$ref": "#/$defs/a", "$defs": {"a": {}}})] == ["#", "a"]
    assert [*definitions(True)] == [("#", "")]


def test_a_schema_too_deep_is_refused() -> None:
    schema: dict[str, Any] = {}
    for _ in range(90):
        schema = {"items": schema, "type": "array"}
    assert len(examples(json.dumps(schema).encode())) == 1
    with pytest.raises(Refused):
        examples(b"[" * 300 + b"]" * 300)

"""Generated models against the schemas of real tools: what a validator takes they take, and give it back."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import TypeAdapter, ValidationError

from generated_modules import loaded
from mcp_lockstep.models import ModelOptions, generate_models
from mcp_lockstep.models.contract import contract_models
from mcp_lockstep.schema.instances import broken_instances, valid_instances
from mcp_lockstep.schema.values import Json, same

VALID = 3
BROKEN = 6
FILES = 28


class Judged(NamedTuple):
    """A value, and whether its schema takes it."""

    value: Json
    valid: bool


def judged_values(schema: Json, root: Json = None) -> Iterator[Judged]:
    for found in valid_instances(schema, root, count=VALID, seed=1):
        yield Judged(found.value, valid=True)
    for broken in broken_instances(schema, root, count=BROKEN, seed=1):
        yield Judged(broken.value, valid=False)


def disagreement(adapter: TypeAdapter[Any], case: Judged) -> str:
    """What the model does otherwise than the schema; empty where they agree."""
    text = json.dumps(case.value)[:300]
    try:
        made = adapter.validate_python(case.value, by_alias=True, by_name=False)
    except ValidationError as error:
        return f"refuses {text}: {error}" if case.valid else ""
    if not case.valid:
        return f"takes {text}"
    back = adapter.dump_python(made, mode="json", by_alias=True, exclude_unset=True)
    return "" if same(back, case.value) else f"changes {text} to {json.dumps(back)[:300]}"


def disagreements(kind: Any, schema: Json, root: Json = None) -> list[str]:
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return [found for case in judged_values(schema, root) if (found := disagreement(adapter, case))]


def tool_lists(shared: Path) -> list[Path]:
    return sorted((shared / "toollists").glob("*.json"))


@pytest.mark.parametrize("place", range(FILES))
def test_tools_of_real_servers(shared: Path, place: int) -> None:
    path = tool_lists(shared)[place]
    data = json.loads(path.read_text(encoding="utf-8"))
    tools = data["tools"] if isinstance(data, dict) else data
    made = contract_models(tools)
    assert [view.name for view in made.tools] == [tool["name"] for tool in tools]
    module = loaded(made.source)
    wrong: list[str] = []
    for tool, view in zip(tools, made.tools, strict=True):
        wrong += disagreements(getattr(module, view.arguments), tool["inputSchema"])
        if "outputSchema" in tool:
            wrong += disagreements(getattr(module, view.signature.returns), tool["outputSchema"])
    assert wrong == []


def test_every_list_is_tested(shared: Path) -> None:
    assert len(tool_lists(shared)) == FILES


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-11-25", "2026-07-28"])
def test_definitions_of_the_protocol(shared: Path, revision: str) -> None:
    schema = json.loads((shared / "upstream" / "mcp" / revision / "schema.json").read_text(encoding="utf-8"))
    made = generate_models(schema)
    module = loaded(made.source)
    pool = "$defs" if "$defs" in schema else "definitions"
    assert made.names.keys() == schema[pool].keys()
    some = random.Random(1).sample(sorted(made.names), 25)
    wrong: list[str] = []
    for name in some:
        wrong += disagreements(getattr(module, made.names[name]), {"$ref": f"#/{pool}/{name}"}, schema)
    assert wrong == []


ODD: dict[str, Json] = {
    "not": {"properties": {"version": {"type": "string", "not": {"const": "latest"}}}},
    "if": {"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}},
    "one": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    "names": {"propertyNames": {"pattern": "^[a-z]+$"}, "minProperties": 1},
    "patterns": {"properties": {"n_": {"type": "integer"}}, "patternProperties": {"^n": {"minimum": 3}}},
    "array": {"properties": {"a": {"type": "array", "contains": {"const": 1}, "uniqueItems": True}}},
    "pair": {"properties": {"a": {"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False}}},
    "dependent": {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}},
    "numbers": {"properties": {"a": {"multipleOf": 0.5}, "b": {"enum": [1, True, 1.5, [1], {"a": 1}]}}},
    "left": {"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": False},
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_types_cannot_say(name: str) -> None:
    schema = ODD[name]
    assert isinstance(schema, dict)
    schema = {"type": "object", **schema}
    made = generate_models(schema, ModelOptions(name="Root"))
    assert disagreements(loaded(made.source).Root, schema) == []

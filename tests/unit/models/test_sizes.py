"""Large, deep and circular schemas: models that work, or a finding; never a traceback."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

import sizes
from generated_modules import loaded
from mcp_lockstep.models import generate_models
from mcp_lockstep.models.contract import contract_models
from mcp_lockstep.schema.values import Json, Node

SIZES = (20, 60, 80, 100, 250, 500, 2000)


def adapter(source: str, name: str) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(loaded(source), name))


def test_two_thousand_definitions() -> None:
    made = generate_models(sizes.definitions(2000))
    assert (made.findings, len(made.names)) == ((), 2000)
    last = adapter(made.source, "T1999")
    assert last.validate_python({"size": 1999, "next": {"size": 999}}).next.size == 999
    with pytest.raises(ValidationError):
        last.validate_python({"size": 1999, "next": {"size": 998}})


def test_a_union_of_three_hundred() -> None:
    made = generate_models(sizes.union(300))
    assert made.findings == ()
    found = adapter(made.source, "Choice").validate_python({"kind": "k299", "value": 1})
    assert type(found).__name__ == "T299"
    assert "oneOf" not in made.source


@pytest.mark.parametrize("wrap", sizes.WRAPS)
def test_a_chain_works_or_is_refused(wrap: str) -> None:
    refused: list[bool] = []
    for count in SIZES:
        made = generate_models(sizes.chain(count, sizes.WRAPS[wrap]))
        refused.append(not made.source)
        if made.source:
            value: Json = [] if wrap == "array" else "text" if wrap == "alias" else {}
            assert adapter(made.source, "T0").validate_python(value) is not None
        else:
            assert [str(finding.place) for finding in made.findings] == ["schema.json#/$defs/T0"]
            assert made.findings[0].code.slug == "schema-too-deep"
    assert refused == sorted(refused)
    assert (refused[0], refused[-1]) == (False, True)


@pytest.mark.parametrize("count", [50, 95, 125, 250, 500, 5000])
def test_nesting_works_or_is_refused(count: int) -> None:
    made = generate_models(sizes.nested(count))
    assert bool(made.source) == (count < 100)
    if made.source:
        with pytest.raises(ValidationError):
            adapter(made.source, "T0").validate_python([[1]])
    else:
        assert [finding.code.slug for finding in made.findings] == ["schema-too-deep"]


def test_a_tool_of_many_levels_is_refused_at_its_place() -> None:
    schema: Node = {
        **sizes.chain(200, sizes.WRAPS["class"]),
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/T0"}},
    }
    tools: list[Node] = [
        {"name": "plain", "inputSchema": {"type": "object"}},
        {"name": "deep", "inputSchema": schema},
    ]
    made = contract_models(tools)
    assert made.source == ""
    assert [str(finding.place) for finding in made.findings] == ["contract.json#/tools/1/inputSchema"]


CIRCLES: Node = {
    "$defs": {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
        "B": {"type": "object", "properties": {"c": {"$ref": "#/$defs/C"}}},
        "C": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
        "Rows": {"type": "array", "items": {"$ref": "#/$defs/Rows"}},
        "Map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Map"}},
        "Both": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Inner"}}, {"type": "null"}]},
        "Inner": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Both"}},
        "Tree": {"allOf": [{"$ref": "#/$defs/A"}, {"type": "object", "properties": {"t": {"$ref": "#/$defs/Tree"}}}]},
        "Not": {"not": {"type": "array", "items": {"$ref": "#/$defs/Not"}}},
    }
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("A", {"b": {"c": {"a": {"b": {}}}}}, {"b": {"c": {"a": 1}}}),
        ("Rows", [[[]], []], [[1]]),
        ("Map", {"a": {"b": {}}}, {"a": {"b": 1}}),
        ("Both", [{"a": [{"b": None}]}], [{"a": 1}]),
        ("Tree", {"t": {"t": {"b": {"c": {}}}}}, {"t": {"t": {"b": 1}}}),
        ("Not", [[]], []),
    ],
)
def test_circles(name: str, good: Json, bad: Json) -> None:
    found = adapter(generate_models(CIRCLES).source, name)
    assert found.dump_python(found.validate_python(good), by_alias=True, exclude_unset=True) == good
    with pytest.raises(ValidationError):
        found.validate_python(bad)


@pytest.mark.parametrize(
    "node",
    [
        {"$ref": "#/$defs/A"},
        {"$ref": "#/$defs/B"},
        {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]},
        {"allOf": [{"$ref": "#/$defs/A"}]},
        {"not": {"$ref": "#/$defs/A"}},
        {"if": {"$ref": "#/$defs/B"}, "then": {}},
        {"dependentSchemas": {"a": {"$ref": "#/$defs/A"}}},
    ],
)
def test_a_schema_that_means_itself_is_refused(node: Node) -> None:
    made = generate_models({"$defs": {"A": node, "B": {"oneOf": [{"$ref": "#/$defs/A"}]}}})
    assert made.source == ""
    assert {finding.code.slug for finding in made.findings} == {"schema-reference-endless"}


@pytest.mark.parametrize("count", [30, 300])
def test_a_long_circle_works_or_is_refused(count: int) -> None:
    schema = sizes.chain(count, sizes.WRAPS["class"])
    pool = schema["$defs"]
    assert isinstance(pool, dict)
    pool[f"T{count}"] = {"$ref": "#/$defs/T0"}
    made = generate_models(schema)
    assert bool(made.source) == (count == 30)
    if made.source:
        assert adapter(made.source, "T7").validate_python({"next": {}}) is not None

from __future__ import annotations

from mcp_lockstep.schema.passes.booleans import booleans
from mcp_lockstep.schema.values import Node


def test_true_and_false_become_objects() -> None:
    node: Node = {
        "properties": {"a": True, "b": False},
        "items": True,
        "additionalProperties": True,
        "not": False,
    }
    assert booleans({"$defs": {"A": node, "B": True}})["$defs"] == {
        "A": {"properties": {"a": {}, "b": {"not": {}}}, "additionalProperties": {}, "not": {"not": {}}},
        "B": {},
    }


def test_data_is_no_schema() -> None:
    assert booleans({"$defs": {"A": {"const": True}}})["$defs"] == {"A": {"const": True}}

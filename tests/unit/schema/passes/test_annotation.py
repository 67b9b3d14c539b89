from __future__ import annotations

from mcp_lockstep.schema.passes.annotation import annotation
from mcp_lockstep.schema.values import Node


def test_what_refuses_nothing_goes_and_texts_stay() -> None:
    node: Node = {
        "type": "string",
        "format": "uri",
        "deprecated": True,
        "examples": ["a"],
        "description": "d",
        "default": "x",
    }
    assert annotation({"$defs": {"A": node}})["$defs"] == {
        "A": {"type": "string", "description": "d", "default": "x"}
    }


def test_a_property_of_such_a_name_stays() -> None:
    node: Node = {"properties": {"format": {"type": "string"}}}
    assert annotation({"$defs": {"A": node}})["$defs"] == {"A": node}


def test_branches_need_an_if_and_an_if_needs_branches() -> None:
    assert annotation({"$defs": {"A": {"then": {}}, "B": {"if": {}}}})["$defs"] == {"A": {}, "B": {}}

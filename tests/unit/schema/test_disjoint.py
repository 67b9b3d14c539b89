from __future__ import annotations

import pytest

from mcp_lockstep.schema.disjoint import all_disjoint, disjoint
from mcp_lockstep.schema.values import Json, Node

CLOSED: Json = {"not": {}}


def tagged(value: Json, **more: Json) -> Node:
    return {"type": "object", "properties": {"kind": value}, "required": ["kind"], **more}


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ({"type": "string"}, {"type": "null"}, True),
        ({"type": "integer"}, {"type": "number"}, False),
        ({"const": "a"}, {"enum": ["b", "c"]}, True),
        ({"const": 1}, {"const": 1.0}, False),
        ({"const": True}, {"type": "number"}, True),
        (tagged({"const": "a"}), tagged({"const": "b"}), True),
        (tagged({"const": "a"}), tagged({"type": "string"}), False),
        (tagged({"const": "a"}), {"type": "object", "properties": {"kind": {"const": "b"}}}, False),
        (
            {"type": "object", "properties": {"a": {}}, "additionalProperties": CLOSED},
            {"type": "object", "required": ["b"]},
            True,
        ),
        ({"$ref": "#/$defs/T"}, {"type": "null"}, True),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "boolean"}, True),
        ({}, {"type": "null"}, False),
    ],
)
def test_only_what_is_proved_is_apart(a: Node, b: Node, wanted: bool) -> None:
    definitions: dict[str, Node] = {"T": {"type": "string"}}
    assert disjoint(a, b, definitions) is wanted
    assert disjoint(b, a, definitions) is wanted


def test_many_are_apart_by_one_tag() -> None:
    def member(tag: Json) -> Node:
        return {"type": "object", "properties": {"k": tag}, "required": ["k"]}

    assert all_disjoint([member({"const": place}) for place in range(300)], {})
    assert all_disjoint(
        [member({"$ref": "#/$defs/A"}), member({"enum": ["b", True, 1]})], {"A": {"const": "a"}}
    )
    assert not all_disjoint([member({"const": 1}), member({"enum": ["b", 1.0]})], {})
    assert not all_disjoint([member({"const": "a"}), member({"type": "string"})], {})
    assert not all_disjoint([member({"const": "a"}), {**member({"const": "b"}), "required": []}], {})
    assert all_disjoint([{"type": "string"}, {"type": "null"}, {"const": 1}], {})

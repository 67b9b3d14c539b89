from __future__ import annotations

import pytest

from mcp_lockstep.schema.disjoint import disjoint
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

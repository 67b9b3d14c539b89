from __future__ import annotations

import pytest

from mcp_lockstep.schema.passes.unions import unions
from mcp_lockstep.schema.values import Node

TEXT: Node = {"type": "string"}
NULL: Node = {"type": "null"}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"anyOf": [TEXT, {"anyOf": [NULL, TEXT]}]}, {"anyOf": [TEXT, NULL]}),
        ({"anyOf": [TEXT, TEXT]}, TEXT),
        ({"anyOf": [TEXT, {"not": {}}], "description": "d"}, {**TEXT, "description": "d"}),
        ({"anyOf": [TEXT, {}]}, {}),
        ({"anyOf": [{"not": {}}]}, {"not": {}}),
        (
            {"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {
                "type": "object",
                "properties": {"a": {}},
                "x-rules": [{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}],
            },
        ),
        (
            {
                "type": "object",
                "properties": {"a": {}},
                "anyOf": [{"properties": {"b": TEXT}}, {"properties": {"b": NULL}}],
            },
            {
                "anyOf": [
                    {"type": "object", "properties": {"a": {}, "b": TEXT}},
                    {"type": "object", "properties": {"a": {}, "b": NULL}},
                ]
            },
        ),
    ],
)
def test_any_of_stands_alone(given: Node, wanted: Node) -> None:
    assert unions({"$defs": {"A": given}})["$defs"] == {"A": wanted}

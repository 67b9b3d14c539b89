from __future__ import annotations

import pytest

from mcp_lockstep.schema.passes.kinds import kinds
from mcp_lockstep.schema.values import Node


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (
            {"type": ["null", "string"], "minLength": 1, "description": "d"},
            {"anyOf": [{"type": "null"}, {"minLength": 1, "type": "string"}], "description": "d"},
        ),
        ({"type": ["integer", "number"], "minimum": 1}, {"type": "number", "minimum": 1}),
        ({"type": "string", "minimum": 1}, {"type": "string"}),
        ({"minLength": 1}, {"x-rules": [{"minLength": 1}]}),
        (
            {"properties": {"a": {}}},
            {
                "anyOf": [
                    {"type": "object", "properties": {"a": {}}},
                    {"x-rules": [{"not": {"type": ["object"]}}]},
                ]
            },
        ),
    ],
)
def test_one_type_per_schema(given: Node, wanted: Node) -> None:
    assert kinds({"$defs": {"A": given}})["$defs"] == {"A": wanted}

from __future__ import annotations

import pytest

from mcp_lockstep.schema.passes.constants import constants
from mcp_lockstep.schema.values import Node


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"enum": ["a"]}, {"const": "a"}),
        ({"enum": ["a", "a"]}, {"const": "a"}),
        ({"enum": [1, 1.0, True]}, {"enum": [1, True]}),
        ({"enum": ["a", 1], "type": "string"}, {"const": "a"}),
        ({"enum": [1.0], "type": "integer"}, {"const": 1.0}),
        ({"enum": [True, False]}, {"type": "boolean"}),
        ({"enum": [None]}, {"type": "null"}),
        ({"const": "a", "type": "null"}, {"not": {}}),
        ({"const": "a", "enum": ["b"]}, {"not": {}}),
        ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, {"enum": ["a", "b"]}),
        (
            {"oneOf": [{"const": "a"}, {"enum": ["b", "a"]}]},
            {"oneOf": [{"const": "a"}, {"enum": ["b", "a"]}]},
        ),
        ({"anyOf": [{"const": "a"}, {"enum": ["b", "a"]}]}, {"enum": ["a", "b"]}),
        ({"anyOf": [{"const": "a"}, {"type": "null"}]}, {"anyOf": [{"const": "a"}, {"type": "null"}]}),
    ],
)
def test_the_shortest_form(given: Node, wanted: Node) -> None:
    assert constants({"$defs": {"A": given}})["$defs"] == {"A": wanted}

from __future__ import annotations

import json
import random

from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.pipeline import normalised
from mcp_lockstep.schema.values import Node
from shuffling import shuffled

SCHEMA: Node = {
    "type": "object",
    "properties": {
        "b": {"enum": ["x", "y"]},
        "a": {"type": ["string", "null"], "minLength": 1},
        "c": {"oneOf": [{"$ref": "#/$defs/P"}, {"$ref": "#/$defs/Q"}]},
    },
    "$defs": {
        "Q": {"type": "object", "properties": {"k": {"const": "q"}}, "required": ["k"]},
        "P": {"type": "object", "properties": {"k": {"const": "p"}}, "required": ["k"]},
    },
}


def test_the_order_of_keys_changes_nothing() -> None:
    texts = set()
    for seed in range(8):
        schema = shuffled(SCHEMA, random.Random(seed))
        assert isinstance(schema, dict)
        texts.add(json.dumps(normalised(bundle([Part("Root", "", schema)]))["$defs"]))
    assert len(texts) == 1


def test_the_input_is_not_changed() -> None:
    before = json.dumps(SCHEMA)
    normalised(bundle([Part("Root", "", SCHEMA)]))
    assert json.dumps(SCHEMA) == before


def test_what_comes_out_twice_is_what_came_out_once() -> None:
    once = normalised(bundle([Part("Root", "", SCHEMA)], keep="all"))
    assert once["$defs"] == {
        "B": {"enum": ["x", "y"]},
        "P": SCHEMA["$defs"]["P"],  # type: ignore[index,call-overload]  # the literal above
        "Q": SCHEMA["$defs"]["Q"],  # type: ignore[index,call-overload]  # the literal above
        "Root": {
            "properties": {
                "a": {"anyOf": [{"type": "null"}, {"minLength": 1, "type": "string"}]},
                "b": {"$ref": "#/$defs/B"},
                "c": {"anyOf": [{"$ref": "#/$defs/P"}, {"$ref": "#/$defs/Q"}]},
            },
            "type": "object",
        },
    }

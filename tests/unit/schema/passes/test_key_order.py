from __future__ import annotations

import json

from mcp_lockstep.schema.passes.key_order import key_order
from mcp_lockstep.schema.values import Node


def test_the_order_of_keys_and_names_changes_nothing() -> None:
    a: Node = {"$defs": {"B": {"type": ["string", "null"], "required": ["b", "a"]}, "A": {}}}
    b: Node = {"$defs": {"A": {}, "B": {"required": ["a", "b"], "type": ["null", "string"]}}}
    assert json.dumps(key_order(a)) == json.dumps(key_order(b))


def test_an_enum_keeps_its_order() -> None:
    assert key_order({"$defs": {"A": {"enum": ["z", "a"]}}})["$defs"] == {"A": {"enum": ["z", "a"]}}

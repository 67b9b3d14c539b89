from __future__ import annotations

from mcp_lockstep.schema.values import Node, encoded, everywhere, same


def test_json_equality_knows_no_difference_between_one_and_one() -> None:
    assert same(1, 1.0)
    assert same({"a": [1, None]}, {"a": [1.0, None]})
    assert not same(1, True)
    assert not same(0, False)
    assert not same([1], [1, 1])
    assert not same({"a": 1}, {"b": 1})


def test_one_text_for_one_value() -> None:
    assert encoded({"b": 1, "a": True}) == '{"a":true,"b":1}'


def test_only_schemas_are_visited() -> None:
    node: Node = {
        "properties": {"const": {"const": {"type": "x"}}},
        "enum": [{"type": "y"}],
        "items": [{}, True],
    }
    seen: list[object] = []

    def noted(found: Node) -> Node:
        seen.append(found)
        return found

    assert everywhere(node, noted) == node
    assert seen == [{"const": {"type": "x"}}, {}, node]

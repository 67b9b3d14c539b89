"""The tree of spans."""

from __future__ import annotations

from mcp_lockstep.documents.spans import (
    Node,
    Spans,
    deeper_than,
    key_span,
    new_index,
    node_at,
    present,
    value_span,
)

LEAF = Node((5, 6), (1, 4), None)
ARRAY = Node((10, 14), (7, 9), [Node((11, 12), None, None)])
ROOT = Node(
    None, None, {"a": LEAF, "b": ARRAY, "c": Node(None, (20, 21), {"d": Node((24, 25), (22, 23), None)})}
)


def test_spans_are_a_mapping_in_the_order_of_the_file() -> None:
    assert dict(Spans(ROOT, value_span)) == {"/a": (5, 6), "/b": (10, 14), "/b/0": (11, 12), "/c/d": (24, 25)}
    assert [*Spans(ROOT, key_span)] == ["/a", "/b", "/c", "/c/d"]
    assert len(Spans(ROOT, key_span)) == 4
    assert "/b/1" not in Spans(ROOT, value_span)
    assert "/c" not in Spans(ROOT, value_span)
    assert Spans(ROOT, value_span).get("/a/x") is None


def test_nodes_are_reached_by_pointer() -> None:
    assert node_at(ROOT, "") is ROOT
    assert node_at(ROOT, "/b/0") is not None
    assert node_at(ROOT, "/b/00") is None
    assert present(ROOT, ("b", "0", "x")) == 2
    assert present(ROOT, ()) == 0


def test_leaves_stand_in_for_what_is_only_implied() -> None:
    assert [leaf.span for leaf in ROOT.leaves()] == [(5, 6), (10, 14), (24, 25)]
    assert [leaf.extent for leaf in ROOT.leaves()] == [(1, 6), (7, 14), (22, 25)]


def test_new_items_go_to_a_place_in_an_array() -> None:
    assert [new_index(ARRAY, part) for part in ("0", "1", "-", "2", "x")] == [0, 1, 1, None, None]
    assert new_index(ROOT, "0") is None


def test_depth_counts_containers() -> None:
    assert not deeper_than(1, 0)
    assert deeper_than([], 0)
    assert not deeper_than([{}, 1], 2)
    assert deeper_than([{"a": [1]}], 2)

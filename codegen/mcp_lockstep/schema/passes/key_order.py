"""Canonical key order, so that the order in which a schema was written changes nothing."""

from __future__ import annotations

from mcp_lockstep.schema.values import Json, Node, as_texts, within_definitions


def key_order(document: Node) -> Node:
    """`document` with sorted keys, sorted `required` and `type`; arrays whose order means something stay."""
    ordered = within_definitions(document, _ordered)
    return {**ordered, "$defs": _sorted(ordered["$defs"])}


def _ordered(node: Node) -> Node:
    copy = {key: _sorted(node[key]) for key in sorted(node)}
    for key in ("required", "type"):
        if isinstance(copy.get(key), list):
            copy[key] = [*sorted(set(as_texts(copy[key])))]
    return copy


def _sorted(value: Json) -> Json:
    """Sorted keys at every depth; the values of `default` and `const` are data, so only their text changes."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value

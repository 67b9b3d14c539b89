"""Boolean schemas become objects, so that later passes meet one form."""

from __future__ import annotations

from mcp_lockstep.schema.values import Json, Node, as_node, named, rebuilt

_OPEN = ("items", "unevaluatedItems", "unevaluatedProperties")


def booleans(document: Node) -> Node:
    """`document` with `true` as `{}` and `false` as `{"not": {}}`; where `true` is what holds anyway it goes.

    `additionalProperties: true` stays: an object that says it is open has a parameter for the rest.
    """

    def deep(value: Json) -> Json:
        node = rebuilt(as_node(value), deep)
        return {key: part for key, part in node.items() if key not in _OPEN or part != {}}

    return {**document, "$defs": {name: deep(node) for name, node in named(document, "$defs").items()}}

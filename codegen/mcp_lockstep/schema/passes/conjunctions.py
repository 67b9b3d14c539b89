"""`allOf` and what stands beside a `$ref` become one flat schema; a single `allOf` is unwrapped."""

from __future__ import annotations

from functools import partial, reduce

from mcp_lockstep.schema.merge import Merger, asserts
from mcp_lockstep.schema.values import RULES, Node, encoded, named, nodes, within_definitions

_LEFT_OVER = frozenset(["unevaluatedItems", "unevaluatedProperties"])
_ROUNDS = 4
"""A definition that is merged may hold an `allOf` itself; recursive ones could go on for ever."""


def conjunctions(document: Node) -> Node:
    """`document` without `allOf`: each is merged into the schema around it, or a rule where that fails."""
    document = within_definitions(document, _wrapped_refs)
    for _ in range(_ROUNDS):
        merger = Merger(named(document, "$defs"))
        document = within_definitions(document, partial(_flat, merger))
        if '"allOf"' not in encoded(document):
            return document
    return within_definitions(document, _as_rules)


def _flat(merger: Merger, node: Node) -> Node:
    if _LEFT_OVER & node.keys():
        return _left_over(merger, node)
    if "allOf" not in node:
        return node
    rest = {key: value for key, value in node.items() if key != "allOf"}
    return reduce(merger.both, (_flat(merger, part) for part in nodes(node, "allOf")), rest)


def _left_over(merger: Merger, node: Node) -> Node:
    """Beside nothing that branches (`vet` sees to that) what is unevaluated is what is additional."""
    rest = {key: value for key, value in node.items() if key not in _LEFT_OVER}
    flat = merger.expanded(_flat(merger, rest))
    if "unevaluatedProperties" in node:
        flat = {"additionalProperties": node["unevaluatedProperties"], **flat}
    if "unevaluatedItems" in node:
        flat = {"items": node["unevaluatedItems"], **flat}
    return flat


def _as_rules(node: Node) -> Node:
    if "allOf" not in node:
        return node
    rest = {key: value for key, value in node.items() if key != "allOf"}
    return {**rest, RULES: [*nodes(node, RULES), *nodes(node, "allOf")]}


def _wrapped_refs(node: Node) -> Node:
    """A reference beside other assertions as one more part of `allOf`."""
    rest = {key: value for key, value in node.items() if key != "$ref"}
    if "$ref" not in node or not asserts(rest):
        return node
    return {**rest, "allOf": [{"$ref": node["$ref"]}, *nodes(node, "allOf")]}

"""`oneOf` is `anyOf`, with a rule that exactly one fits where the branches are not provably apart."""

from __future__ import annotations

from mcp_lockstep.schema.disjoint import all_disjoint
from mcp_lockstep.schema.values import RULES, Node, named, nodes, within_definitions


def alternatives(document: Node) -> Node:
    """`document` without `oneOf` outside rules."""
    definitions = named(document, "$defs")

    def change(node: Node) -> Node:
        if "oneOf" not in node:
            return node
        parts = nodes(node, "oneOf")
        rest = {key: value for key, value in node.items() if key != "oneOf"}
        if not all_disjoint(parts, definitions):
            rest[RULES] = [*nodes(node, RULES), {"oneOf": [*parts]}]
        if "anyOf" in rest:
            return {**rest, "allOf": [*nodes(rest, "allOf"), {"anyOf": [*parts]}]}
        return {**rest, "anyOf": [*parts]}

    return within_definitions(document, change)

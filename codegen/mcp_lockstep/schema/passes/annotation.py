"""Keywords that refuse nothing go; the texts that people read stay."""

from __future__ import annotations

from mcp_lockstep.schema.dialects import ANNOTATIONS
from mcp_lockstep.schema.values import Node, within_definitions


def annotation(document: Node) -> Node:
    """`document` without `format`, `deprecated`, `examples` and their like, and `then` without an `if`."""
    return within_definitions(document, _bare)


def _bare(node: Node) -> Node:
    node = {key: value for key, value in node.items() if key not in ANNOTATIONS and key != "$schema"}
    if "if" not in node:
        node = {key: value for key, value in node.items() if key not in {"then", "else"}}
    elif not node.keys() & {"then", "else"}:
        del node["if"]
    return node

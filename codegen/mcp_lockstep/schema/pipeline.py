"""From a bundle of schemas to one document of classes, aliases and rules, with the audit at the end."""

from __future__ import annotations

from mcp_lockstep.schema.audit import repaired
from mcp_lockstep.schema.passes import PASSES
from mcp_lockstep.schema.passes.booleans import booleans
from mcp_lockstep.schema.values import Node, named


def normalised(document: Node) -> Node:
    """`document` after all passes; what the audit cannot prove is a rule besides."""
    source = named(document, "$defs")
    for change in PASSES:
        document = change(document)
        if change is booleans:
            # From here on all drafts read alike: what the audit holds the result against.
            source = named(document, "$defs")
    return repaired(source, document)

"""The passes that make a schema plain enough for a generator of classes, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from mcp_lockstep.schema.passes.alternatives import alternatives
from mcp_lockstep.schema.passes.annotation import annotation
from mcp_lockstep.schema.passes.booleans import booleans
from mcp_lockstep.schema.passes.conjunctions import conjunctions
from mcp_lockstep.schema.passes.constants import constants
from mcp_lockstep.schema.passes.dialect import dialect
from mcp_lockstep.schema.passes.hoist import hoist
from mcp_lockstep.schema.passes.key_order import key_order
from mcp_lockstep.schema.passes.kinds import kinds
from mcp_lockstep.schema.passes.references import references
from mcp_lockstep.schema.passes.roots import roots
from mcp_lockstep.schema.passes.rules import rules
from mcp_lockstep.schema.passes.unions import unions
from mcp_lockstep.schema.values import Node

Pass = Callable[[Node], Node]

PASSES: tuple[Pass, ...] = (
    key_order,
    dialect,
    annotation,
    references,
    booleans,
    constants,
    alternatives,
    conjunctions,
    constants,
    roots,
    unions,
    kinds,
    unions,
    rules,
    hoist,
)

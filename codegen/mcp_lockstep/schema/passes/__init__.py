"""The passes that make a schema plain enough for a generator of classes, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from ..values import Node
from .alternatives import alternatives
from .annotations import annotations
from .booleans import booleans
from .conjunctions import conjunctions
from .constants import constants
from .dialect import dialect
from .hoist import hoist
from .key_order import key_order
from .kinds import kinds
from .references import references
from .roots import roots
from .rules import rules
from .unions import unions

Pass = Callable[[Node], Node]

PASSES: tuple[Pass, ...] = (
    key_order,
    dialect,
    annotations,
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


def normalised(document: Node) -> Node:
    """`document` after all passes."""
    for change in PASSES:
        document = change(document)
    return document

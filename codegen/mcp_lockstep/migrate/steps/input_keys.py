"""The keys of arguments, variables and headers lost their underscores in 2025-09-16."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, renames
from mcp_lockstep.migrate.walk import inputs
from mcp_lockstep.rules.former import INPUT
from mcp_lockstep.rules.manifest import JsonObject


def input_keys(data: JsonObject, target: str) -> Iterator[Move]:
    """The four keys of inputs; the names of variables are the user's and stay."""
    for at in inputs(data):
        yield from renames(at, INPUT)

"""`transport_type` became `type`."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, renames
from mcp_lockstep.migrate.walk import packages, remotes
from mcp_lockstep.rules.manifest import JsonObject

_NAMES = {"transport_type": "type", "transportType": "type"}


def transport_keys(data: JsonObject, target: str) -> Iterator[Move]:
    """Remotes and transports name their kind under `type`."""
    for remote in remotes(data):
        yield from renames(remote, _NAMES)
    for package in packages(data):
        yield from renames(package.child("transport"), _NAMES)

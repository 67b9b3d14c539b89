"""What the registry itself writes into `_meta` left the file in 2025-09-29."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, dropped
from mcp_lockstep.rules.manifest import At, JsonObject

OFFICIAL = "io.modelcontextprotocol.registry/official"


def registry_meta(data: JsonObject, target: str) -> Iterator[Move]:
    """The registry's own entry goes, and with it a `_meta` that holds nothing else."""
    top = At("", data)
    meta = top.child("_meta")
    if OFFICIAL in meta.data:
        alone = len(meta.data) == 1
        pointer = meta.pointer if alone else meta.to(OFFICIAL)
        yield dropped(pointer, "is written by the registry, never by a publisher", level="note")

"""The publisher's own data found its place under `_meta`."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.codes import MOVED
from mcp_lockstep.migrate.moves import Add, Drop, Move, Rename
from mcp_lockstep.rules.manifest import At, JsonObject
from mcp_lockstep.rules.meta import PUBLISHER


def publisher_meta(data: JsonObject, target: str) -> Iterator[Move]:
    """`_meta.publisher` and `x-publisher` move under the key that the registry keeps, where that is free."""
    top = At("", data)
    meta = top.child("_meta")
    if PUBLISHER in meta.data or not isinstance(data.get("_meta", {}), dict):
        return
    if isinstance(meta.data.get("publisher"), dict):
        yield _moved(meta.to("publisher"), "_meta.publisher", Rename(meta.to("publisher"), PUBLISHER))
    elif isinstance(value := data.get("x-publisher"), dict):
        old = top.to("x-publisher")
        yield _moved(old, "x-publisher", Drop(old), Add(meta.to(PUBLISHER), value, source=old))


def _moved(pointer: str, old: str, *changes: Drop | Add | Rename) -> Move:
    message = f"`{old}` stands at `_meta`, key `{PUBLISHER}`, now."
    return Move(MOVED, pointer, message, changes, have=old, want=PUBLISHER)

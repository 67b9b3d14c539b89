"""`version_detail`, of the time before the first published revision, became `version`."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.codes import MOVED
from mcp_lockstep.migrate.moves import Move, Rename, Write, dropped
from mcp_lockstep.rules.manifest import At, JsonObject

_KEPT_BY_REGISTRY = ("id", "release_date", "is_latest", "created_at", "updated_at")


def version_detail(data: JsonObject, target: str) -> Iterator[Move]:
    """The version stands at the top; what the registry notes down for itself is no part of the file."""
    top = At("", data)
    detail = top.child("version_detail")
    if "version_detail" in data:
        yield from _detail(top, detail)
    for key in _KEPT_BY_REGISTRY:
        if key in data:
            yield dropped(top.to(key), "is noted down by the registry itself", level="note")


def _detail(top: At, detail: At) -> Iterator[Move]:
    version = detail.data.get("version")
    if not isinstance(version, str) or "version" in top.data:
        reason = "gave way to `version`"
        yield dropped(detail.pointer, reason, "Look at `version`: it is what stays.")
        return
    changes = (Rename(detail.pointer, "version", detail.to("version")), Write(detail.pointer, version))
    message = "`version_detail.version` is called `version` now."
    yield Move(MOVED, detail.to("version"), message, changes, have="version_detail.version", want="version")
    for key in detail.data:
        if key != "version":
            # It goes with the object around it.
            yield dropped(detail.to(key), "is noted down by the registry itself", level="note")._replace(
                changes=()
            )

"""`status` left the file in 2025-09-29: it is told to the registry after publishing."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, dropped
from mcp_lockstep.rules.manifest import At, JsonObject


def status(data: JsonObject, target: str) -> Iterator[Move]:
    """`status` goes; one that says something has to be told to the registry."""
    if "status" not in data:
        return
    value = data["status"]
    reason = "is no part of the file since 2025-09-29"
    if value == "active":
        yield dropped(At("", data).to("status"), reason, level="note")
    else:
        hint = "Tell the registry after publishing: `mcp-publisher status --status STATUS NAME VERSION`."
        yield dropped(At("", data).to("status"), reason, hint)

"""`$schema` names the revision that the file was moved to."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.bundled import catalog
from mcp_lockstep.migrate.codes import ASSUMED, CONVERTED
from mcp_lockstep.migrate.moves import Add, Move, Write
from mcp_lockstep.rules.manifest import At, JsonObject, shown
from mcp_lockstep.secrecy import masked_text


def schema_address(data: JsonObject, target: str) -> Iterator[Move]:
    """The address of the new revision, first in the file where there was none."""
    pointer, url = At("", data).to("$schema"), catalog.server_url(target)
    old = data.get("$schema")
    if "$schema" not in data:
        message = f"The file did not say which revision it keeps to; it is {target} now."
        yield Move(ASSUMED, pointer, message, (Add(pointer, url, first=True),), want=url, level="note")
    elif old != url:
        known = catalog.server_revision(old) if isinstance(old, str) else None
        was = f"was {known}" if known else "named no published revision"
        message = f"The file keeps to {target} now; it {was}."
        yield Move(
            CONVERTED,
            pointer,
            message,
            (Write(pointer, url),),
            have=masked_text(old) if isinstance(old, str) else shown(old),
            want=url,
        )

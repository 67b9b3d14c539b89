"""manifest.json: what an MCPB bundle of the project repeats."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import as_object
from mcp_lockstep.facts.table import Reading, State
from mcp_lockstep.findings import Place
from mcp_lockstep.placeholders import is_template


def read(document: JsonDocument) -> Iterator[Reading]:
    """The version; a bundle's name is that of a file, and no server's."""
    version = (as_object(document.data) or {}).get("version")
    if isinstance(version, str):
        state: State = "stamped" if is_template(version) else "known"
        yield Reading("version", "bundle", Place(document.path, "#", "/version"), version, state)

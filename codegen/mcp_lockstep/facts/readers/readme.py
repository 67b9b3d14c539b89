"""The description of the package: the ownership marker in it."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.documents import MarkdownDocument
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Place


def read(document: MarkdownDocument) -> Iterator[Reading]:
    """One reading per marker, in order; the first stands at `#mcp-name`, the next at `#mcp-name/2`."""
    for index, marker in enumerate(document.markers):
        address = "mcp-name" if index == 0 else f"mcp-name/{index + 1}"
        yield Reading(
            "name", "readme", Place(document.path, "#", address), marker.name, span=marker.name_span
        )

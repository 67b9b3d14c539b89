"""From a place, as users write it, to the pointer that documents take."""

from __future__ import annotations

from mcp_lockstep.documents.toml_text import toml_pointer
from mcp_lockstep.findings import Place


def place_pointer(place: Place) -> str:
    """The JSON pointer of a value in a JSON or TOML file; empty for a symbol, a marker and a whole file."""
    if place.separator == ":":
        return toml_pointer(place.address)
    return place.address if place.separator == "#" and place.address.startswith("/") else ""

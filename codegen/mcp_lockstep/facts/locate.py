"""From a reading to its spot in the text: where it stands, and the edit that puts another value there."""

from __future__ import annotations

from mcp_lockstep.documents import Document, Edit, PythonDocument, Span, literal_like, value_at
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.facts.table import Reading


def span_of(document: Document, reading: Reading) -> Span | None:
    """Where the value of `reading` stands in the text of its document."""
    return reading.span or document.spans.get(place_pointer(reading.place))


def edit_for(document: Document, reading: Reading, value: str) -> Edit | None:
    """The edit that puts `value` at the place of `reading`, in the style of what stands there; None where it cannot."""
    if reading.span is None:
        return document.replace(place_pointer(reading.place), _whole(reading, document, value))
    old = document.text[slice(*reading.span)]
    symbol = reading.place.separator == "::"
    new = literal_like(old, value, document.newline) if symbol else value
    if isinstance(document, PythonDocument) and not symbol and not _plain(value):
        return None
    return None if new is None else Edit(document.path, *reading.span, new)


def _whole(reading: Reading, document: Document, value: str) -> str:
    if reading.part is None:
        return value
    old = str(value_at(document.data, place_pointer(reading.place)))
    start, end = reading.part
    return f"{old[:start]}{value}{old[end:]}"


def _plain(value: str) -> bool:
    """Whether `value` means itself between any quotes."""
    return value.isprintable() and not any(char in value for char in "'\"\\")

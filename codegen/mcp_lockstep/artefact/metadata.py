"""The core metadata of a package: METADATA in a wheel, PKG-INFO in an sdist, with the place of each field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from mcp_lockstep.documents import MarkdownDocument
from mcp_lockstep.documents.markdown import Marker
from mcp_lockstep.documents.spans import Span
from mcp_lockstep.findings import Place, Position
from mcp_lockstep.records import NamedTuple

_FOLD = re.compile(r"\r?\n(?: {7}\||[ \t])")


class Field(NamedTuple):
    """One header: what it says, and where that stands."""

    value: str
    span: Span


class Metadata(MarkdownDocument):
    """A metadata file. What it says of a field is the first header of that name."""

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """Lower-case name -> field; a field that is given twice counts as it is given first."""
        return {name: fields[0] for name, fields in self._all.items()}

    @cached_property
    def again(self) -> Mapping[str, Sequence[Field]]:
        """Lower-case name -> the fields of that name behind the first."""
        return {name: fields[1:] for name, fields in self._all.items()}

    @cached_property
    def _all(self) -> Mapping[str, Sequence[Field]]:
        found: dict[str, list[Field]] = {}
        at, end = self.body, self.header_end
        while at < end:
            line_end = self._line_end(at, end)
            name, colon, _ = self.text[at:line_end].partition(":")
            start = at + len(name) + 1
            if colon and name.strip():
                found.setdefault(name.strip().lower(), []).append(self._field(start, line_end))
            at = line_end + 1
        return found

    @cached_property
    def header_end(self) -> int:
        """Offset of the empty line behind the headers; the end where there is none."""
        match = re.compile(r"^\r?$", re.MULTILINE).search(self.text, self.body)
        return match.start() if match is not None else len(self.text)

    @cached_property
    def description(self) -> Span:
        """Where the description stands: behind the headers, or in the field of that name."""
        if self.text[self.header_end :].strip():
            return self.header_end, len(self.text)
        field = self.fields.get("description")
        return field.span if field is not None else (len(self.text), len(self.text))

    @cached_property
    def described(self) -> tuple[Marker, ...]:
        """The ownership markers that a registry sees: those in the description."""
        start, end = self.description
        return tuple(marker for marker in self.markers if start <= marker.span[0] < end)

    def said(self, name: str) -> str:
        """What a field says, trimmed; empty where it is absent."""
        field = self.fields.get(name.lower())
        return field.value if field is not None else ""

    def field_place(self, name: str) -> tuple[Place, Position]:
        """Where a field stands; the whole file where it is absent."""
        field = self.fields.get(name.lower())
        if field is None:
            return Place(self.path), Position()
        return Place(self.path, "#", name), self.position(field.span)

    def _line_end(self, at: int, end: int) -> int:
        """Offset of the line end behind a header and the lines that continue it."""
        while True:
            found = self.text.find("\n", at, end)
            if found < 0:
                return end
            if self.text[found + 1 : found + 2] not in (" ", "\t"):
                return found
            at = found + 1

    def _field(self, start: int, end: int) -> Field:
        text = self.text[start:end]
        inner = text.strip()
        first = start + len(text) - len(text.lstrip())
        return Field(_FOLD.sub("\n", inner), (first, first + len(inner)))

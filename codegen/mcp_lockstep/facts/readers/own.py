"""`[[tool.mcp-lockstep.places]]`: what the user named as further places of a fact."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from mcp_lockstep.config import OwnPlace
from mcp_lockstep.documents import Document, value_at
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.facts.table import FACTS, Reading
from mcp_lockstep.findings import Code, Finding, Place, parse_place
from mcp_lockstep.project import Project

OWN_PLACE_UNUSABLE = Code(
    "LS0104",
    "own-place-unusable",
    "error",
    "A place that the configuration names cannot be read.",
    "Name an identity fact, and a whole file (`VERSION`), a value (`plugin.json#/version`, `tool.toml:a.b`) or a "
    "file with a `pattern` that has one group around the value.",
    exit=2,
)
CODES = (OWN_PLACE_UNUSABLE,)


def read(project: Project) -> Iterator[Reading]:
    """A reading per place; one that cannot be read is a finding of the project."""
    for index, own in enumerate(project.config.places):
        reading = _reading(project, own)
        if reading is not None:
            yield reading
        else:
            project.report(_unusable(project, own, index))


def _unusable(project: Project, own: OwnPlace, index: int) -> Finding:
    place, where = project.configured(f"/places/{index}/place")
    return Finding(
        OWN_PLACE_UNUSABLE,
        place,
        f"{own.place!r} is no place of the fact {own.fact!r}",
        where,
        have=own.place,
        hint=OWN_PLACE_UNUSABLE.explain,
    )


def _reading(project: Project, own: OwnPlace) -> Reading | None:
    place = parse_place(own.place)
    document = project.document(place.path)
    if own.fact not in FACTS or FACTS[own.fact].kind != "identity" or document is None:
        return None
    if place.address:
        value = _value(document, place)
        return Reading(own.fact, "own", place, value) if value is not None else None
    span = _span(document, own.pattern)
    return None if span is None else Reading(own.fact, "own", place, document.text[slice(*span)], span=span)


def _value(document: Document, place: Place) -> str | None:
    if place.separator == "::":
        return None
    try:
        value = value_at(document.data, place_pointer(place))
    except (KeyError, ValueError):
        return None
    return value if isinstance(value, str) else None


def _span(document: Document, pattern: str) -> tuple[int, int] | None:
    """The first group of `pattern` in the text; without a pattern, the text less white space around it."""
    text = document.text[document.body :]
    returns = [match.start() for match in re.finditer("\r\n", text)]
    try:
        expression = re.compile(pattern or r"\s*(.*?)\s*\Z", re.M if pattern else re.S)
    except re.error:
        return None
    found = (expression.search if pattern else expression.match)(text.replace("\r\n", "\n"))
    if found is None or not expression.groups or found[1] is None:
        return None
    # A pattern sees every line end as one character, so that `$` means the same on every machine.
    gone = [offset - index for index, offset in enumerate(returns)]
    start, end = (document.body + offset + bisect_left(gone, offset) for offset in found.span(1))
    return start, end

"""`[[tool.mcp-lockstep.places]]`: what the user named as further places of a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.config import OwnPlace
from mcp_lockstep.documents import Document, value_at
from mcp_lockstep.facts.locate import pointer_of
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
    for own in project.config.places:
        reading = _reading(project, own)
        if reading is not None:
            yield reading
        else:
            message = f"{own.place!r} is no place of the fact {own.fact!r}"
            place = Place(project.config.path)
            project.report(Finding(OWN_PLACE_UNUSABLE, place, message, hint=OWN_PLACE_UNUSABLE.explain))


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
    try:
        value = value_at(document.data, pointer_of(place))
    except (KeyError, ValueError):
        return None
    return value if isinstance(value, str) else None


def _span(document: Document, pattern: str) -> tuple[int, int] | None:
    """The first group of `pattern` in the text; without a pattern, the text less white space around it."""
    try:
        found = re.search(pattern or r"\A\s*(.*?)\s*\Z", document.text, re.M if pattern else re.S)
    except re.error:
        return None
    return found.span(1) if found and found.re.groups and found[1] is not None else None

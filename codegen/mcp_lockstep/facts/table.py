"""The fact table: what a project repeats, who decides it, and the words for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from mcp_lockstep.documents import Span
from mcp_lockstep.facts.normal import normal_identifier, version_key
from mcp_lockstep.findings import Place
from mcp_lockstep.records import NamedTuple

Kind = Literal["identity", "prose", "surface"]
Home = Literal["config", "manifest", "pyproject", "readme", "image", "code", "bundle", "own"]
"""What a place stands in: configuration, server.json, pyproject, README, Dockerfile, code, a bundle's manifest,
`[[places]]`."""
State = Literal["known", "absent", "dynamic", "stamped"]


class Reading(NamedTuple):
    """What one place says about one fact.

    `value` is None unless `state` is known or stamped; `span` is where the value stands in the text of its file
    (None: ask the document for the address); `part` narrows it to a piece of the value, in code points of the value
    (the tag of an image).
    """

    fact: str
    home: Home
    place: Place
    value: str | None
    state: State = "known"
    span: Span | None = None
    part: Span | None = None


class Fact(NamedTuple):
    """One row. `row` stands in its codes; `owners` in order of authority; `normal` is the form that is compared."""

    name: str
    row: int
    words: str
    kind: Kind
    owners: tuple[Home, ...]
    normal: Callable[[str], str] = str


ROWS = (
    Fact("name", 1, "server name", "identity", ("config", "manifest")),
    Fact("version", 2, "version", "identity", ("pyproject", "manifest"), version_key),
    Fact("identifier", 3, "package identifier", "identity", ("pyproject",), normal_identifier),
    Fact("schema", 4, "schema revision", "identity", ("config", "manifest")),
    Fact("description", 5, "description", "prose", ("manifest",)),
    Fact("tools", 6, "tools", "surface", ("config",)),
    Fact("environment", 7, "environment variables", "surface", ("code", "manifest")),
    Fact("arguments", 8, "arguments", "surface", ("manifest",)),
)
FACTS: Mapping[str, Fact] = {fact.name: fact for fact in ROWS}

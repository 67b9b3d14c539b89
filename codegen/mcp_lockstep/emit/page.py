"""The page of `status --html`: facts and places, in one file that loads nothing."""

from __future__ import annotations

from collections.abc import Sequence

import jinja2

from mcp_lockstep.bundled import resources
from mcp_lockstep.findings import Severity
from mcp_lockstep.records import NamedTuple


class PlaceRow(NamedTuple):
    """One place of a fact: what it says (None: nothing), and what that means: decides, agrees, differs, ..."""

    place: str
    value: str | None
    state: str


class FactTable(NamedTuple):
    """One fact: the words for it, its value in words, its places."""

    words: str
    decided: str
    rows: tuple[PlaceRow, ...]


class SaidFinding(NamedTuple):
    """One finding as the page shows it."""

    severity: Severity
    code: str
    place: str
    message: str
    hint: str


class ProjectPage(NamedTuple):
    """One project: its name, one sentence about it, what is wrong, and its facts."""

    name: str
    summary: str
    findings: tuple[SaidFinding, ...]
    facts: tuple[FactTable, ...]


def status_page(title: str, projects: Sequence[ProjectPage]) -> str:
    """The whole page. Every text in it is escaped; the same projects give the same bytes."""
    source = resources.read("templates", "_pages", "status.html.jinja").decode("utf-8")
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(source).render(title=title, projects=projects)

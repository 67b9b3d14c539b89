"""From projects that were judged to the page of `status --html`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcp_lockstep.cli.output import count, ranked
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.cli.work import Checked
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Finding
from mcp_lockstep.judge import Agreed
from mcp_lockstep.making import making

if TYPE_CHECKING:
    from mcp_lockstep.emit.page import FactTable, ProjectPage, SaidFinding

_STATES = {"dynamic": "made when it is built", "absent": "absent", "stamped": "stamped in a release"}


def html_page(checked: Sequence[Checked]) -> bytes:
    """The page about all projects. Refused where the making half is not installed."""
    with making("the HTML page"):
        from mcp_lockstep.emit.page import status_page

        return status_page("mcp-lockstep status", [_project(one) for one in checked]).encode("utf-8")


def decided(agreed: Agreed) -> str:
    """What the fact is; what a server is told has no single value."""
    if agreed.fact.kind == "surface":
        return f"{sum(reading.home == 'code' for reading in agreed.readings)} in the code"
    return printable(agreed.value or "nobody decides")


def _project(one: Checked) -> ProjectPage:
    from mcp_lockstep.emit.page import ProjectPage

    found = count(one.findings)
    counted = [f"{number} {word if number != 1 else word[:-1]}" for word, number in found.items() if number]
    values = {agreed.fact.name: agreed.value for agreed in one.judgement.facts}
    name = " ".join(value for fact in ("name", "version") if (value := values.get(fact)))
    folder = "" if one.root == "." else f" in {os.path.normpath(one.root)}"
    bad = found["errors"] + found["warnings"]
    return ProjectPage(
        printable(f"{name or 'a project without a server'}{folder}"),
        f"{'Out of step' if bad else 'In step'}{': ' if counted else ''}{', '.join(counted)}.",
        tuple(map(_said, ranked(one.findings))),
        tuple(_table(one, agreed) for agreed in one.judgement.facts if agreed.readings),
    )


def _said(finding: Finding) -> SaidFinding:
    from mcp_lockstep.emit.page import SaidFinding

    line, column = finding.position[:2]
    code = f"{finding.code.id} {finding.code.slug}"
    place = printable(f"{finding.place.path}:{line}:{column}")
    return SaidFinding(finding.severity, code, place, printable(finding.message), printable(finding.hint))


def _table(one: Checked, agreed: Agreed) -> FactTable:
    from mcp_lockstep.emit.page import FactTable, PlaceRow

    wrong = {finding.place for finding in one.judgement.findings if finding.have is not None}
    rows = [
        PlaceRow(
            printable(str(reading.place)),
            None if reading.value is None else printable(reading.value),
            _state(agreed, reading, differs=reading.place in wrong),
        )
        for reading in agreed.readings
    ]
    return FactTable(agreed.fact.words, decided(agreed), tuple(rows))


def _state(agreed: Agreed, reading: Reading, *, differs: bool) -> str:
    if reading is agreed.owner:
        return "decides"
    if differs:
        return "differs"
    if agreed.fact.kind == "prose" and reading.state == "known" and reading.value != agreed.value:
        return "its own words"
    return _STATES.get(reading.state, "declared" if agreed.fact.kind == "surface" else "agrees")

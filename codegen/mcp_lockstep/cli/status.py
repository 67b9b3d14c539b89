"""Show every fact of a project, the place that decides it, and what each other place says."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Container, Iterator, Sequence
from typing import TypedDict

from mcp_lockstep.cli.output import as_json, coloured, count, ranked
from mcp_lockstep.cli.page import decided, html_page
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.cli.put import put, told
from mcp_lockstep.cli.work import Checked, check_project, find_projects
from mcp_lockstep.facts.table import Kind, Reading, State
from mcp_lockstep.findings import Place, exit_code
from mcp_lockstep.judge import Agreed
from mcp_lockstep.secrecy import discreet, masked_text

EXAMPLES = """\
  mcp-lockstep status             facts and places of the project in this folder
  mcp-lockstep status servers -r  of every project below servers/
  mcp-lockstep status --html status.html
  mcp-lockstep status --format json | jq '.projects[].facts'
"""


class JsonPlace(TypedDict):
    """One place of a fact in `--format json`: what it says (null: nothing), and whether that is out of step."""

    place: str
    state: State
    value: str | None
    differs: bool


class JsonFact(TypedDict):
    """One fact: its value and the place that decides it (null: nobody, or a list that has no one value)."""

    fact: str
    kind: Kind
    value: str | None
    owner: str | None
    places: list[JsonPlace]


class JsonProject(TypedDict):
    """One project: its folder as seen from the working folder, and its facts."""

    folder: str
    facts: list[JsonFact]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `status`."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="the project (default: this folder)"
    )
    parser.add_argument("-r", "--recursive", action="store_true", help="every project below DIR")
    parser.add_argument(
        "--html", metavar="FILE", default="", help="write one page that loads nothing, instead of printing"
    )
    parser.add_argument(
        "--format", choices=("json", "text"), default="text", help="how to print (default: text)"
    )


def run(options: argparse.Namespace) -> int:
    """Print one table or one object per project; the exit code is that of `check`."""
    found = find_projects([options.folder], recursive=options.recursive)
    checked = [check_project(root) for root in found.roots]
    if options.html:
        put(html_page(checked), options.html)
        told(options.html)
    elif options.format == "json":
        sys.stdout.write(json.dumps(_report(checked), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for one in checked for line in _lines(one)))
    return exit_code(tuple(finding for one in checked for finding in one.findings))


def _report(checked: Sequence[Checked]) -> dict[str, object]:
    """The report of every command, with the facts of each project."""
    findings = ranked(finding for one in checked for finding in one.findings)
    return {
        "findings": [as_json(discreet(finding)) for finding in findings],
        "summary": count(findings),
        "projects": [_project(one) for one in checked],
    }


def _project(one: Checked) -> JsonProject:
    wrong = _wrong(one)
    facts = (agreed for agreed in one.judgement.facts if agreed.readings)
    return {"folder": os.path.normpath(one.root), "facts": [_fact(agreed, wrong) for agreed in facts]}


def _fact(agreed: Agreed, wrong: Container[Place]) -> JsonFact:
    owner = agreed.owner
    return {
        "fact": agreed.fact.name,
        "kind": agreed.fact.kind,
        "value": agreed.value and masked_text(agreed.value),
        "owner": None if owner is None else masked_text(str(owner.place)),
        "places": [
            {
                "place": masked_text(str(reading.place)),
                "state": reading.state,
                "value": reading.value and masked_text(reading.value),
                "differs": reading is not owner and reading.place in wrong,
            }
            for reading in agreed.readings
        ],
    }


def _wrong(one: Checked) -> frozenset[Place]:
    """The places of which something is said."""
    return frozenset(finding.place for finding in one.judgement.findings if finding.have is not None)


def _lines(one: Checked) -> Iterator[str]:
    if one.root != ".":
        yield f"{os.path.normpath(one.root)}:"
    rows = [(agreed, reading) for agreed in one.judgement.facts for reading in agreed.readings]
    wrong = _wrong(one)
    width = max((len(str(reading.place)) for _, reading in rows), default=0)
    last = ""
    for agreed, reading in rows:
        if agreed.fact.name != last:
            last = agreed.fact.name
            yield _bold(f"{agreed.fact.words}: {decided(agreed)}")
        mark = _mark(agreed, reading, drifts=reading.place in wrong)
        yield f"  {mark} {printable(str(reading.place)):<{width}}  {_said(reading)}"
    if not rows:
        yield "no facts: neither a pyproject.toml nor a server.json says anything"


def _mark(agreed: Agreed, reading: Reading, *, drifts: bool) -> str:
    if reading is agreed.owner:
        return "*"
    return "!" if drifts else " "


def _said(reading: Reading) -> str:
    match reading.state:
        case "known" | "stamped":
            return printable(reading.value or "")
        case "dynamic":
            return "(made when it is built)"
        case "absent":
            return "(absent)"


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if coloured() else text

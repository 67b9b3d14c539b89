"""Show every fact of a project, the place that decides it, and what each other place says."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from mcp_lockstep.cli.output import coloured
from mcp_lockstep.cli.page import decided, html_page
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.cli.put import put
from mcp_lockstep.cli.work import Checked, check_project, find_projects
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import exit_code
from mcp_lockstep.judge import Agreed

EXAMPLES = """\
  mcp-lockstep status             facts and places of the project in this folder
  mcp-lockstep status servers -r  of every project below servers/
  mcp-lockstep status --html status.html
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `status`."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="the project (default: this folder)"
    )
    parser.add_argument("-r", "--recursive", action="store_true", help="every project below DIR")
    parser.add_argument(
        "--html", metavar="FILE", default="", help="write one page that loads nothing, instead of printing"
    )


def run(options: argparse.Namespace) -> int:
    """Print one table per project; the exit code is that of `check`."""
    found = find_projects([options.folder], recursive=options.recursive)
    checked = [check_project(root) for root in found.roots]
    if options.html:
        put(html_page(checked), options.html)
    for one in () if options.html else checked:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(one)))
    return exit_code(tuple(finding for one in checked for finding in one.findings))


def _lines(one: Checked) -> Iterator[str]:
    if one.root != ".":
        yield f"{os.path.normpath(one.root)}:"
    rows = [(agreed, reading) for agreed in one.judgement.facts for reading in agreed.readings]
    wrong = {finding.place for finding in one.judgement.findings if finding.have is not None}
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

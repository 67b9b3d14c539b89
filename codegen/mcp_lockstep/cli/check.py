"""Say what is out of step in a project: code, server.json, and all that repeats the same facts."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from mcp_lockstep import __version__
from mcp_lockstep.cli.output import WRITERS, count, print_findings
from mcp_lockstep.cli.work import Checked, baseline_key, check_project, find_projects, read_baseline
from mcp_lockstep.facts.table import FACTS
from mcp_lockstep.findings import Finding, exit_code
from mcp_lockstep.memo import remember

EXAMPLES = """\
  mcp-lockstep check                         the project in this folder
  mcp-lockstep check --strict -v             warnings fail, notes are shown
  mcp-lockstep check servers -r              every project below servers/
  mcp-lockstep check --format github         annotations in a workflow
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `check`."""
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="a project folder or its server.json"
    )
    parser.add_argument("-r", "--recursive", action="store_true", help="every project below the paths")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended first, as `sync` does")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("-v", "--verbose", action="store_true", help="show notes")
    parser.add_argument("--only", metavar="FACT", choices=sorted(FACTS), default="", help="one fact alone")
    parser.add_argument(
        "--ignore", metavar="CODE", action="append", default=[], help="leave out a code; repeatable"
    )
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        default="",
        help="leave out what this JSON report of an earlier check holds",
    )
    parser.add_argument(
        "--format", choices=sorted(WRITERS), default="text", help="how to print (default: text)"
    )


def run(options: argparse.Namespace) -> int:
    """Check every project named, print what is to be said once, and remember a clean answer."""
    roots = find_projects(options.paths, recursive=options.recursive)
    if options.fix:
        from mcp_lockstep.sync import sync_project

        for root in roots:
            sync_project(root)
    checked = [check_project(root, options.ignore, options.only) for root in roots]
    known = read_baseline(options.baseline)
    findings = tuple(f for one in checked for f in one.findings if baseline_key(f) not in known)
    code = exit_code(findings, strict=options.strict)
    if options.format != "text":
        print_findings(findings, options.format)
        return code
    print_findings(findings, verbose=options.verbose)
    summary = "".join(_summary(checked, findings, verbose=options.verbose))
    sys.stdout.write(summary)
    if not findings and not options.baseline and not options.fix:
        remember(__version__, options.words, _read(checked), summary)
    return code


def _summary(checked: list[Checked], findings: tuple[Finding, ...], *, verbose: bool) -> Iterator[str]:
    found = count(findings)
    bad = found["errors"] + found["warnings"]
    if not bad:
        yield from (f"{_in_step(one)}\n" for one in checked)
    if found["notes"] and not verbose:
        yield f"{_plural(found['notes'], 'note')} (-v)\n"
    if bad:
        mendable = sum(finding.fixable for finding in findings)
        yield ", ".join(
            _plural(found[f"{word}s"], word) for word in ("error", "warning") if found[f"{word}s"]
        )
        yield f"; `mcp-lockstep sync` mends {mendable}\n" if mendable else "\n"


def _in_step(one: Checked) -> str:
    values = {agreed.fact.name: agreed.value for agreed in one.judgement.facts}
    what = " ".join(value for fact in ("name", "version") if (value := values.get(fact)))
    places = sum(reading.state == "known" for agreed in one.judgement.facts for reading in agreed.readings)
    if not places:
        return f"nothing to keep in step in {one.root}: no pyproject.toml and no server.json"
    return f"in step: {what or one.root} ({_plural(places, 'place')})"


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _read(checked: list[Checked]) -> dict[str, bytes | None]:
    return {
        os.path.abspath(os.path.join(one.root, path.rstrip("/"))) + "/" * path.endswith("/"): raw
        for one in checked
        for path, raw in one.project.tree.asked().items()
    }

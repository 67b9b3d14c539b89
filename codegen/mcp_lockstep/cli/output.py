"""How findings are printed: text for people, JSON and SARIF for programs, annotations for GitHub."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypedDict

from mcp_lockstep.cli.printable import printable
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.findings import SEVERITY_ORDER, Finding, Position, Severity
from mcp_lockstep.secrecy import discreet

_COLOURS: Mapping[Severity, str] = {"error": "\x1b[31m", "warning": "\x1b[33m", "note": "\x1b[36m"}
_GITHUB: Mapping[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}


class JsonFinding(TypedDict):
    """One finding in `--format json`; the same shape for every command."""

    code: str
    slug: str
    severity: Severity
    file: str
    line: int
    column: int
    endLine: int
    endColumn: int
    pointer: str
    fact: str
    have: str | None
    want: str | None
    message: str
    hint: str
    fixable: bool


class JsonReport(TypedDict):
    """What `--format json` prints: the findings, and how many there are of each severity."""

    findings: list[JsonFinding]
    summary: dict[str, int]


def print_findings(findings: Sequence[Finding], form: str = "text", *, verbose: bool = False) -> None:
    """Print `findings` in one of the forms of `WRITERS`, the worst first."""
    WRITERS[form](ranked(findings, notes=verbose or form != "text"))


def _rank(finding: Finding) -> tuple[int, str, Position, str]:
    return SEVERITY_ORDER.index(finding.severity), finding.place.path, finding.position, finding.code.id


def as_json(finding: Finding) -> JsonFinding:
    """The finding as `--format json` prints it; columns are 1-based code points, ends are exclusive."""
    line, column, end_line, end_column = finding.position
    return {
        "code": finding.code.id,
        "slug": finding.code.slug,
        "severity": finding.severity,
        "file": finding.place.path,
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
        "pointer": place_pointer(finding.place),
        "fact": finding.fact,
        "have": finding.have,
        "want": finding.want,
        "message": finding.message,
        "hint": finding.hint,
        "fixable": finding.fixable,
    }


def count(findings: Iterable[Finding]) -> dict[str, int]:
    """How many findings there are of each severity."""
    severities = [finding.severity for finding in findings]
    return {f"{severity}s": severities.count(severity) for severity in SEVERITY_ORDER}


def coloured() -> bool:
    """Whether standard output is a terminal whose user has not asked for plain text."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def format_option(parser: argparse.ArgumentParser) -> None:
    """The option `--format`: what findings are printed as."""
    parser.add_argument(
        "--format", choices=sorted(WRITERS), default="text", help="how to print (default: text)"
    )


def registry_option(parser: argparse.ArgumentParser) -> None:
    """The option `--registry`: whose rules a server.json is judged by."""
    parser.add_argument(
        "--registry",
        choices=("official", "private"),
        default="",
        help="whose rules hold (default: as the configuration beside the file says, else official)",
    )


def ranked(findings: Iterable[Finding], *, notes: bool = True) -> list[Finding]:
    """`findings`, the worst first, without notes where nobody asked for them."""
    return sorted((f for f in findings if notes or f.severity != "note"), key=_rank)


def _text(findings: Iterable[Finding]) -> None:
    colour = coloured()
    for finding in findings:
        severity = finding.severity
        word = f"{_COLOURS[severity]}{severity}\x1b[0m" if colour else severity
        line, column = finding.position[:2]
        where = f"{printable(finding.place.path)}:{line}:{column}: " if finding.place.path else ""
        head = f"{where}{word} {finding.code.id} {finding.code.slug}"
        sys.stdout.write(f"{head}: {printable(finding.message)}\n")
        if finding.hint:
            sys.stdout.write(f"    {printable(finding.hint)}\n")


def _json(findings: Iterable[Finding]) -> None:
    """A `JsonReport`, one finding after the other: thousands of files are reported without being held at once."""
    tally = dict.fromkeys((f"{severity}s" for severity in SEVERITY_ORDER), 0)
    sys.stdout.write('{\n  "findings": [')
    separator = "\n"
    for finding in findings:
        tally[f"{finding.severity}s"] += 1
        text = json.dumps(as_json(finding), indent=2, ensure_ascii=False).replace("\n", "\n    ")
        sys.stdout.write(f"{separator}    {text}")
        separator = ",\n"
    end = "" if separator == "\n" else "\n  "
    summary = json.dumps(tally, indent=2).replace("\n", "\n  ")
    sys.stdout.write(f'{end}],\n  "summary": {summary}\n}}\n')


def _sarif(findings: Iterable[Finding]) -> None:
    from mcp_lockstep.cli.sarif import write_sarif

    write_sarif(findings, sys.stdout)


def _github(findings: Iterable[Finding]) -> None:
    for finding in findings:
        line, column, end_line, end_column = finding.position
        where = f"file={_property(finding.place.path)},line={line},col={column}"
        where += f",endLine={end_line},endColumn={end_column}"
        title = f"title={_property(f'{finding.code.id} {finding.code.slug}')}"
        text = "\n".join(map(printable, filter(None, (finding.message, finding.hint))))
        sys.stdout.write(f"::{_GITHUB[finding.severity]} {where},{title}::{_escaped(text)}\n")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _door(write: Callable[[Iterable[Finding]], None]) -> Callable[[Iterable[Finding]], None]:
    """`write`, which gets to see findings without secrets only."""
    return lambda findings: write(map(discreet, findings))


WRITERS: Mapping[str, Callable[[Iterable[Finding]], None]] = {
    "text": _door(_text),
    "json": _door(_json),
    "github": _door(_github),
    "sarif": _door(_sarif),
}
"""Form -> what prints findings in it, in the order given, one after the other."""

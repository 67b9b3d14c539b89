"""Validate server.json files, registry lists and MCPB manifests: one, or thousands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from mcp_lockstep.cli.output import WRITERS, format_option, ranked, registry_option
from mcp_lockstep.cli.patterns import expanded
from mcp_lockstep.cli.progress import counted
from mcp_lockstep.findings import Code, Finding, Place, Severity, exit_code
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.validate import NOTHING_TO_VALIDATE, Found, find, judge_files

EXAMPLES = """\
  mcp-lockstep validate server.json
  mcp-lockstep validate servers/ bundle/manifest.json registry.json
  mcp-lockstep validate . --format sarif > findings.sarif
"""


class _Tally:
    """How many there were, and one finding of each kind for the exit code: bounded, however many files."""

    def __init__(self) -> None:
        self.files = 0
        self.wrong = 0
        self.counts: dict[Severity, int] = {"error": 0, "warning": 0, "note": 0}
        self._kinds: dict[tuple[Code, Severity], Finding] = {}

    def add(self, finding: Finding) -> None:
        """Count a finding."""
        self.counts[finding.severity] += 1
        self._kinds.setdefault((finding.code, finding.severity), finding)

    def exit_code(self, *, strict: bool) -> int:
        """The exit code of everything that was counted."""
        return exit_code(tuple(self._kinds.values()), strict=strict)


class _Asked(NamedTuple):
    """What the user asked for."""

    paths: tuple[str, ...]
    notes: bool


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `validate`."""
    parser.add_argument("paths", nargs="+", metavar="FILE|DIR", help="a file, or a folder to search")
    registry_option(parser)
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("-v", "--verbose", action="store_true", help="show notes")
    format_option(parser)


def run(options: argparse.Namespace) -> int:
    """Judge every file and print what is wrong as it is found; what cannot be read stops nothing."""
    tally = _Tally()
    asked = _Asked(tuple(expanded(options.paths)), options.verbose or options.format != "text")
    found = find(asked.paths, options.registry)
    with counted("validating", len(found.candidates)) as advance:
        WRITERS[options.format](_findings(found, asked, tally, advance))
    if options.format == "text":
        sys.stdout.write(_summary(tally, notes=asked.notes))
    return tally.exit_code(strict=options.strict)


def _findings(
    found: Found, asked: _Asked, tally: _Tally, advance: Callable[[int], None]
) -> Iterator[Finding]:
    yield from _shown(found.findings, asked, tally)
    for batch in judge_files(found.candidates):
        tally.files += batch.files
        tally.wrong += sum(any(f.severity != "note" for f in judged.findings) for judged in batch.judged)
        for judged in batch.judged:
            yield from _shown(judged.findings, asked, tally)
        advance(batch.seen)
    if not tally.files and not found.findings:
        where = ", ".join(asked.paths)
        message = f"no server.json, registry list or MCPB manifest in {where}"
        finding = Finding(NOTHING_TO_VALIDATE, Place(asked.paths[0]), message)
        yield from _shown((finding._replace(hint="name the files themselves"),), asked, tally)


def _shown(findings: tuple[Finding, ...], asked: _Asked, tally: _Tally) -> Iterator[Finding]:
    for finding in findings:
        tally.add(finding)
    yield from ranked(findings, notes=asked.notes)


def _summary(tally: _Tally, *, notes: bool) -> str:
    lines: list[str] = []
    hidden = tally.counts["note"]
    if hidden and not notes:
        lines.append(f"{_plural(hidden, 'note')} (-v)")
    bad = [_plural(tally.counts[word], word) for word in ("error", "warning") if tally.counts[word]]
    if bad:
        lines.append(f"{', '.join(bad)} in {tally.wrong:,} of {_plural(tally.files, 'file')}")
    else:
        lines.append(f"valid: {_plural(tally.files, 'file')}")
    return "".join(f"{line}\n" for line in lines)


def _plural(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"

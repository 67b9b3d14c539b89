"""Say what is out of step in a project, or in a wheel, an sdist or a bundle that is to be published."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_lockstep import __version__
from mcp_lockstep.cli.output import count, format_option, print_findings
from mcp_lockstep.cli.patterns import expanded, is_pattern
from mcp_lockstep.cli.printable import printable, typed
from mcp_lockstep.cli.selection import select
from mcp_lockstep.cli.work import (
    Checked,
    asked,
    baseline_key,
    below,
    check_project,
    empty_folder,
    gate_all,
    mended,
    read_baseline,
    unknown_codes,
)
from mcp_lockstep.facts.table import FACTS
from mcp_lockstep.findings import Finding, exit_code
from mcp_lockstep.launch.judge import commands
from mcp_lockstep.memo import command_key, remember
from mcp_lockstep.render import stand_in

if TYPE_CHECKING:
    from mcp_lockstep.artefact.gate import Gated

EXAMPLES = """\
  mcp-lockstep check                         the project in this folder
  mcp-lockstep check --strict -v             warnings fail, notes are shown
  mcp-lockstep check servers -r              every project below servers/
  mcp-lockstep check --format github         annotations in a workflow
  mcp-lockstep check dist/*                  wheels, sdists, bundles, before they are uploaded
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `check`."""
    parser.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="a project folder, its server.json, a wheel, an sdist or a bundle",
    )
    parser.add_argument("-r", "--recursive", action="store_true", help="every project below the paths")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended first, as `sync` does")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("-v", "--verbose", action="store_true", help="show notes")
    facts = ", ".join(sorted(FACTS))
    parser.add_argument(
        "--only", metavar="FACT", choices=sorted(FACTS), default="", help=f"one fact alone: {facts}"
    )
    parser.add_argument(
        "--ignore", metavar="CODE", action="append", default=[], help="leave out a code; repeatable"
    )
    parser.add_argument(
        "--tag",
        metavar="TAG",
        default="",
        help="of the release that wheels, sdists and bundles are built for",
    )
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        default="",
        help="leave out what this JSON report of an earlier check holds",
    )
    format_option(parser)


def run(options: argparse.Namespace) -> int:
    """Check every project named, print what is to be said once, and remember a clean answer."""
    paths = tuple(expanded(options.paths))
    found, built, lost = select(paths, options.ignore, recursive=options.recursive)
    kept = (*lost, *(_fix(found.roots) if options.fix else ()))
    checked = [check_project(root, options.ignore, options.only) for root in found.roots]
    gated = gate_all(built, options.ignore, options.only, options.tag)
    known = read_baseline(options.baseline)
    kept = (*kept, *unknown_codes(options.ignore, "--ignore"), *_empty(checked))
    said = (*kept, *(f for one in checked for f in one.findings), *(f for one in gated for f in one.findings))
    findings = tuple(finding for finding in dict.fromkeys(said) if baseline_key(finding) not in known)
    code = exit_code(findings, strict=options.strict)
    print_findings(findings, options.format, verbose=options.verbose)
    if options.format not in ("text", "github"):
        return code
    # Notes are annotations too.
    told = options.verbose or options.format == "github"
    summary = "".join(_summary(checked, gated, findings, only=options.only, verbose=told))
    if options.format == "github":
        # Runners take this for a command wherever it stands in a line.
        summary = summary.replace("##[", "# #[")
    sys.stdout.write(summary if checked or gated else "")
    # Of what a pattern may match later no memo knows.
    asks_alone = not (built or options.baseline or options.fix or any(map(is_pattern, options.paths)))
    if not findings and asks_alone and not any(one.project.config.moves for one in checked):
        read = {path: raw for one in checked for path, raw in asked(one.project, one.root).items()}
        remember(command_key(__version__, options.words), {**found.read, **read}, summary)
    return code


def _fix(roots: Sequence[str]) -> tuple[Finding, ...]:
    """Sync every project; gives what only a sync can tell: the edits that it came upon and left alone."""
    from mcp_lockstep.pipeline.sync import sync_project
    from mcp_lockstep.plan import CHANGED_MEANWHILE

    left = [finding for root in roots for finding in below(root, sync_project(root).left)]
    return tuple(finding for finding in left if finding.code is CHANGED_MEANWHILE)


def _empty(checked: Sequence[Checked]) -> Iterator[Finding]:
    yield from (empty_folder(one.root) for one in checked if _is_empty(one))


def _is_empty(one: Checked) -> bool:
    """Whether there is no project in the folder, and nothing that could not be read of one."""
    project = one.project
    return not (one.findings or project.config.path or project.pyproject or project.manifest or _places(one))


def _summary(
    checked: Sequence[Checked],
    gated: Sequence[Gated],
    findings: tuple[Finding, ...],
    *,
    only: str,
    verbose: bool,
) -> Iterator[str]:
    found = count(findings)
    bad = found["errors"] + found["warnings"]
    if bad or verbose:
        commands_of = (*map(_commands, checked), *(one.commands for one in gated))
        run = dict.fromkeys(command for commands in commands_of for command in commands)
        yield from (f"clients run: {printable(command)}\n" for command in run)
    if not bad:
        yield from (f"{_in_step(one, only)}\n" for one in checked)
        yield from (f"in step: {printable(one.says)} ({printable(one.path)})\n" for one in gated)
    if found["notes"] and not verbose:
        yield f"{_plural(found['notes'], 'note')} (-v)\n"
    if bad:
        shown = frozenset(findings)
        mendable = sum(finding in shown for one in checked for finding in mended(one))
        yield ", ".join(
            _plural(found[f"{word}s"], word) for word in ("error", "warning") if found[f"{word}s"]
        )
        yield f"; `{_sync(checked)}` mends {mendable}\n" if mendable else "\n"


def _sync(checked: Sequence[Checked]) -> str:
    """The command that mends: of the one project that has something to mend, else of any."""
    roots = [one.root for one in checked if mended(one)]
    root = typed(roots[0]) if len(roots) == 1 else "DIR"
    return "mcp-lockstep sync" if root == "." else f"mcp-lockstep sync {root}"


def _commands(one: Checked) -> tuple[str, ...]:
    manifest = one.project.manifest
    return commands(stand_in(manifest, _agreed(one).get("version"))) if manifest is not None else ()


def _agreed(one: Checked) -> dict[str, str | None]:
    """The value of every fact that the project agrees on, by its name."""
    return {agreed.fact.name: agreed.value for agreed in one.judgement.facts}


def _in_step(one: Checked, only: str) -> str:
    values = _agreed(one)
    what = printable(" ".join(value for fact in ("name", "version") if (value := values.get(fact))))
    places = _places(one)
    if places:
        return f"in step: {what or one.root} ({_plural(places, 'place')})"
    if made := len(one.project.config.models):
        return f"in step: {one.root} ({_plural(made, 'module')} of models)"
    if only:
        return f"in step: {one.root} ({only})"
    return f"nothing to keep in step in {one.root}: no project of its own (`-r` looks below it)"


def _places(one: Checked) -> int:
    """How many places repeat what the project is."""
    repeated = [agreed.readings for agreed in one.judgement.facts if agreed.fact.kind != "surface"]
    return sum(reading.state == "known" for readings in repeated for reading in readings)


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"

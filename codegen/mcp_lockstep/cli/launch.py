"""Show the command that clients derive from each package, say what is wrong with it, and start it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.contract.model import KINDS, WORDS
from mcp_lockstep.findings import Finding, Place, Position, Refused, exit_code
from mcp_lockstep.judge import wanted
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.derive import Launch, Variable, launches
from mcp_lockstep.launch.package import remotes_of
from mcp_lockstep.launch.run import Served, here, run_launch, source_of
from mcp_lockstep.launch.target import Target, open_target

EXAMPLES = """\
  mcp-lockstep launch                        what clients run for the project in this folder
  mcp-lockstep launch --run                  start it, shake hands, hold its lists against the contract
  mcp-lockstep launch dist/weather-0.1.0-py3-none-any.whl --run
  mcp-lockstep launch server.json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `launch`."""
    parser.add_argument(
        "path",
        nargs="?",
        default=".",
        metavar="DIR|DIST|FILE",
        help="a project, a wheel, an sdist or a server.json (default: this folder)",
    )
    parser.add_argument("--run", action="store_true", help="start each package and ask it for its lists")
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=_seconds,
        default=60.0,
        help="seconds that a server has for each answer (default: 60)",
    )


def run(options: argparse.Namespace) -> int:
    """Print every command, run it where that is asked for, and say what is wrong."""
    target = open_target(options.path)
    derived, remotes = launches(target.data), remotes_of(target.data)
    if not derived and not remotes:
        sys.stdout.write(
            f"clients run nothing: {printable(target.label)} names neither packages nor remotes\n"
        )
    findings = list(wanted(target.findings, target.project.config) if target.project else target.findings)
    for launch in derived:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in _lines(launch)))
        if options.run:
            findings += _placed(_run(launch, target, options.timeout), launch, target)
    for remote in remotes:
        over = f" over {remote.transport}" if remote.transport else ""
        sys.stdout.write(f"{printable(f'clients connect to {remote.url}{over}')}\n")
    print_findings(findings, verbose=True)
    return exit_code(tuple(findings))


def _placed(findings: Sequence[Finding], launch: Launch, target: Target) -> Iterator[Finding]:
    """`findings` about a package that was run at its place: in server.json, or the file that was installed."""
    document, pointer = target.document, launch.source.pointer
    place, where = document.place(pointer), document.where(pointer)
    if target.dist:
        place, where = Place(target.dist), Position()
    elif target.root:
        place = place._replace(path=os.path.normpath(os.path.join(target.root, place.path)))
    for finding in findings:
        yield finding if finding.place.path else finding._replace(place=place, position=where)


def _lines(launch: Launch) -> Iterator[str]:
    if launch.words:
        over = f" over {launch.transport}" + (f" at {launch.source.url}" if launch.source.url else "")
        yield f"clients run: {launch.command}{over if launch.transport != 'stdio' else ''}"
    if launch.environment:
        yield f"  with {', '.join(map(_variable, launch.environment))}"
    for note in launch.notes:
        yield f"  {note}" if launch.words else note


def _variable(variable: Variable) -> str:
    one = variable.input
    words = [word for word, holds in (("required", one.required), ("secret", one.secret)) if holds]
    return f"{variable.name} ({', '.join(words)})" if words else variable.name


def _run(launch: Launch, target: Target, timeout: float) -> tuple[Finding, ...]:
    """Run one package; what comes of it is said at once, what is wrong with it is given back."""
    if not launch.words:
        sys.stdout.write("  not started: there is no command to run\n")
        return ()
    if target.dist and launch.source.kind != "pypi":
        sys.stdout.write(printable(f"  not started: it is not in {target.dist}") + "\n")
        return ()
    if launch.transport != "stdio":
        message = f"{launch.source.identifier} is not started: it speaks {launch.transport}"
        return (Finding(codes.NOT_OVER_STDIO, Place(""), message),)
    if source := source_of(launch, target):
        sys.stdout.write(f"  installed from {printable(here(source))}\n")
    try:
        served = run_launch(launch, target, timeout)
    except Refused as refused:
        return refused.findings
    sys.stdout.write(f"  {printable(_served(served))}\n")
    return served.findings


def _served(served: Served) -> str:
    counted = [(len(served.lists.of(kind)), WORDS[kind]) for kind in KINDS]
    counts = ", ".join(f"{number} {word}{'s' * (number != 1)}" for number, word in counted if number)
    return f"answers as {served.server} ({served.protocol}): {counts or 'nothing listed'}"


def _seconds(text: str) -> float:
    with suppress(ValueError):
        seconds = float(text)
        if 0 < seconds <= 3600:
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds between 0 and 3600")

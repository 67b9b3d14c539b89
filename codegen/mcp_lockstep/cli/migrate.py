"""Move server.json to a newer revision of its format: say what that changes, or write it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable

from mcp_lockstep.bundled import catalog
from mcp_lockstep.cli.output import format_option, print_findings, registry_option
from mcp_lockstep.cli.patterns import expanded
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.cli.sync import diff
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.findings import Finding, Place, Refused, exit_code
from mcp_lockstep.launch.rules import rules_for
from mcp_lockstep.migrate import Migrated, migrate
from mcp_lockstep.migrate.codes import ASSUMED, DROPPED
from mcp_lockstep.plan import Change, Plan, apply, recover
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.secrecy import json_without_secrets
from mcp_lockstep.tree import Disk
from mcp_lockstep.validate import configured_registry

EXAMPLES = """\
  mcp-lockstep migrate server.json                       show what would change
  mcp-lockstep migrate server.json --write               write it
  mcp-lockstep migrate servers/*/server.json --to 2025-10-17
"""


class _Done(NamedTuple):
    """One file: what became of it, or (None) nothing because of `refused`."""

    path: str
    migrated: Migrated | None
    refused: tuple[Finding, ...] = ()


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `migrate`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a server.json")
    parser.add_argument(
        "--to", metavar="REV", default="", help="the revision to move to, a date (default: the newest)"
    )
    registry_option(parser)
    parser.add_argument("--write", action="store_true", help="write the files instead of showing a diff")
    parser.add_argument("-v", "--verbose", action="store_true", help="show notes: every single move")
    format_option(parser)


def run(options: argparse.Namespace) -> int:
    """Migrate every file; one that cannot be read or moved is reported, and the rest goes on."""
    if options.to:
        catalog.find(f"server@{options.to}")
    done = [_one(path, options) for path in dict.fromkeys(expanded(options.files))]
    findings = [finding for one in done for finding in _findings(one)]
    if options.format == "text":
        for one in done:
            sys.stdout.write(_told(one, write=options.write))
    print_findings(findings, options.format, verbose=options.verbose)
    if options.format == "text" and not options.verbose:
        notes = sum(finding.severity == "note" for finding in findings)
        sys.stdout.write(f"{notes} {'note' if notes == 1 else 'notes'} (-v)\n" if notes else "")
    code = exit_code(tuple(findings))
    waiting = not options.write and any(one.migrated is not None and one.migrated.changed for one in done)
    return max(code, 1) if waiting else code


def _one(path: str, options: argparse.Namespace) -> _Done:
    write: bool = options.write
    folder, name = os.path.split(os.path.realpath(path))
    try:
        begun = recover(folder) if write else ()
        raw = Disk(folder).read(name)
        if raw is None:
            message = f"{path} is not there"
            raise Refused(Finding(FILE_MISSING, Place(path), message, hint="name a server.json"))
        migrated = migrate(
            JsonDocument(name, raw), options.to, rules_for(options.registry or configured_registry(folder))
        )
        if write and migrated.changed:
            apply(folder, Plan((Change(name, raw, migrated.after.raw),)))
    except Refused as refused:
        return _Done(path, None, _at(path, refused.findings))
    return _Done(path, migrated, _at(path, begun))


def _findings(done: _Done) -> tuple[Finding, ...]:
    if done.migrated is None:
        return done.refused
    return (*done.refused, *_at(done.path, (*done.migrated.said, *done.migrated.left)))


def _at(path: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """`findings` of a file in its own folder as they are right for the path that the user wrote."""
    return tuple(finding._replace(place=finding.place._replace(path=path)) for finding in findings)


def _told(done: _Done, *, write: bool) -> str:
    if done.migrated is None:
        return ""
    migrated, path = done.migrated, printable(done.path)
    if not migrated.changed:
        return f"{path}: nothing to move\n"
    said = [finding.code for finding in migrated.said]
    changes = f"{len(said)} {'change' if len(said) == 1 else 'changes'}"
    counts = f"{changes}, {said.count(DROPPED)} dropped, {said.count(ASSUMED)} assumed"
    head = f"{path}: {'wrote ' if write else ''}{counts}\n"
    return head if write else diff([_shown(done.path, migrated)]) + head


def _shown(path: str, migrated: Migrated) -> Change:
    """The change as it is printed: without secrets, and without anything that moves the cursor."""
    return Change(path.lstrip("/"), _masked(migrated.before), _masked(migrated.after))


def _masked(document: JsonDocument) -> bytes:
    lines = json_without_secrets(document).splitlines(keepends=True)
    return "".join(_line(line) for line in lines).encode("utf-8")


def _line(line: str) -> str:
    bare = line.rstrip("\r\n").replace("\t", "    ")
    return printable(bare) + line[len(line.rstrip("\r\n")) :]

"""Write what is out of step: the owner of each fact decides, and every other place follows."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.printable import printable, typed
from mcp_lockstep.cli.progress import progress
from mcp_lockstep.cli.work import below, find_projects
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.facts.table import FACTS
from mcp_lockstep.findings import Finding, Place, Refused, exit_code, parse_place
from mcp_lockstep.judge import NO_SUCH_PLACE, Accept
from mcp_lockstep.lock import LOCK
from mcp_lockstep.pipeline.sync import Order, Synced, prepare, sync_project
from mcp_lockstep.plan import FILE_UNWRITABLE, Change
from mcp_lockstep.secrecy import json_without_secrets, masked_text
from mcp_lockstep.tree import Disk, Tree

EXAMPLES = """\
  mcp-lockstep sync                                   mend the project in this folder
  mcp-lockstep sync --dry-run                         show what would be written
  mcp-lockstep sync --accept server.json#/version     this place decides, this once
  mcp-lockstep sync --force src/weather/_generated/models.py    replace an edited generated file
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `sync`."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="the project (default: this folder)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the changes as a diff, write nothing")
    parser.add_argument(
        "--accept",
        metavar="PLACE[=VALUE]",
        help="this place decides its fact this once, with the value it has or VALUE",
    )
    parser.add_argument(
        "--force", metavar="PATH", action="append", default=[], help="replace an edited generated file"
    )
    parser.add_argument(
        "--prune", action="store_true", help="remove untouched functions of tools that are gone"
    )
    facts = ", ".join(sorted(FACTS))
    parser.add_argument(
        "--only", metavar="FACT", choices=sorted(FACTS), default="", help=f"one fact alone: {facts}"
    )
    parser.add_argument(
        "--fail-on-change",
        action="store_true",
        help="end with 1 where something was written, for commit hooks",
    )


def run(options: argparse.Namespace) -> int:
    """Sync the project, or every server of a monorepo; say what was written, what it replaced, and what is left."""
    order = Order(
        _accept(options.accept), frozenset(map(os.path.normpath, options.force)), options.only, options.prune
    )
    roots = find_projects([options.folder], recursive=False).roots
    if len(roots) > 1 and (order.accept or order.force):
        message = f"{options.folder} holds {len(roots)} servers; a place or a path belongs to one of them"
        hint = f"name its folder: {', '.join(roots)}"
        raise Refused(Finding(NO_SUCH_PLACE, Place(options.folder), message, hint=hint))
    one = _show if options.dry_run else _write
    found = [(root, _done(one, root, order)) for root in roots]
    left = tuple(finding for root, synced in found for finding in below(root, synced.left))
    print_findings(left)
    changed = (options.dry_run or options.fail_on_change) and any(synced.plan.changes for _, synced in found)
    return max(exit_code(left), 1) if changed else exit_code(left)


def _done(one: Callable[[str, Order], Synced], root: str, order: Order) -> Synced:
    try:
        return one(root, order)
    except Refused as refused:
        # Where nothing can be written is told as it is seen from here already.
        told = [f if f.code is FILE_UNWRITABLE else below(root, (f,))[0] for f in refused.findings]
        raise Refused(*told) from None


def _show(root: str, order: Order) -> Synced:
    synced = prepare(Tree(Disk(root)), order)
    sys.stdout.write(diff(synced.plan.changes, "" if root == "." else f"{root}/"))
    return synced


def _write(root: str, order: Order) -> Synced:
    with progress("putting it in step"):
        synced = sync_project(root, order)
    for line in _told(root, synced):
        sys.stdout.write(f"{printable(line)}\n")
    return synced


def _told(root: str, synced: Synced) -> Iterator[str]:
    for finding in synced.replaced:
        yield from _replaced(root, finding)
    values = {finding.place.path for finding in synced.replaced}
    where = "" if root == "." else f"{root}/"
    for change in synced.plan.changes:
        if change.path not in values and change.path != LOCK:
            yield f"{'removed' if change.after is None else 'wrote'} {where}{change.path}"
    if [change.path for change in synced.plan.changes] == [LOCK] and not synced.replaced:
        yield f"wrote {where}{LOCK}: what all places agree on"
    if not synced.plan.changes and not synced.left:
        yield f"in step: nothing to write in {root}" if where else "in step: nothing to write"


def _replaced(root: str, finding: Finding) -> Iterator[str]:
    (place, *_) = (told.place for told in below(root, (finding,)))
    match finding.have, finding.want:
        case None, want:
            yield f"{place}: added {want}"
        case have, None:
            yield f"{place}: removed {have}"
        case have, want:
            yield f"{place}: {have} -> {want}"
            if finding.fact != "tools":
                back = shlex.quote(f"{finding.place}={have}")
                folder = "" if root == "." else f" {typed(root)}"
                yield f"    to take it back: mcp-lockstep sync{folder} --accept {back}"


def _accept(text: str | None) -> Accept | None:
    if text is None:
        return None
    place, equals, value = text.partition("=")
    return Accept(parse_place(place), value if equals else None)


def diff(changed: Sequence[Change], folder: str = "") -> str:
    """The changes as a unified diff, without secrets; `folder` (`servers/a/`) goes before every path."""
    from difflib import unified_diff

    lines: list[str] = []
    for change in changed:
        old, new = (_shown(change.path, raw or b"").splitlines(keepends=True) for raw in change[1:])
        before = "/dev/null" if change.before is None else f"a/{folder}{change.path}"
        after = "/dev/null" if change.after is None else f"b/{folder}{change.path}"
        lines += unified_diff(old, new, before, after)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _shown(path: str, raw: bytes) -> str:
    """The text of a file as it may be printed."""
    text = raw.decode("utf-8", "replace")
    if path.endswith(".json"):
        with suppress(Refused):
            text = json_without_secrets(JsonDocument(path, raw))
    return masked_text(text)

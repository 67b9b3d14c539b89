"""The schemas that come with mcp-lockstep, and the published documents that you pulled into your project."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator

from mcp_lockstep.bundled import catalog
from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.printable import for_programs, printable
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.findings import Finding, Place, Refused, exit_code
from mcp_lockstep.named import for_command, read_file, resolve
from mcp_lockstep.named.address import fetch, is_address, plain_address
from mcp_lockstep.named.codes import NOT_PULLED
from mcp_lockstep.named.pins import FOLDER, Pin, Pulled, pins, pull, pulled_document
from mcp_lockstep.plan import Plan, apply, changes, recover
from mcp_lockstep.tree import Disk, Tree

EXAMPLES = """\
  mcp-lockstep schemas list                          every bundled schema, and the pulled ones
  mcp-lockstep schemas show server@2025-12-11        print one, with descriptions
  mcp-lockstep schemas pull mcp@draft schema.json    keep a document of your own choice
  mcp-lockstep schemas verify                        whether the pulled documents are what they were
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `schemas`."""
    actions = parser.add_subparsers(dest="action", metavar="list|show|pull|verify", required=True)
    actions.add_parser("list", help="every schema by name and revision")
    show = actions.add_parser("show", help="print a schema as JSON")
    show.add_argument("schema", metavar="SCHEMA", help="NAME@REVISION; NAME alone is the newest")
    actions.add_parser("verify", help="compare the pulled documents with their checksums")
    bring = actions.add_parser("pull", help=f"keep a published document in {FOLDER}/")
    bring.add_argument("schema", metavar="SCHEMA", help="the NAME@REVISION to keep it as")
    bring.add_argument("source", metavar="SOURCE", nargs="?", help="a file or an https address")


def run(options: argparse.Namespace) -> int:
    """List, show, pull or verify."""
    match options.action:
        case "list":
            return _list()
        case "show":
            return _show(options.schema)
        case "pull":
            return _pull(options.schema, options.source)
        case _:
            return _verify()


def _list() -> int:
    """Print a line for each bundled schema and each pulled one."""
    pulled = {pin.label: pin for pin in pins(Tree(Disk(".")))}
    bundled = {entry.label: entry.status for entry in catalog.entries()}
    labels = [*bundled, *(label for label in pulled if label not in bundled)]
    width = max(map(len, labels))
    for label in labels:
        words = [bundled[label]] if label in bundled else ["not bundled"]
        words += [f"pulled from {printable(pulled[label].source)}"] if label in pulled else []
        sys.stdout.write(f"{label:<{width}}  {', '.join(words)}\n")
    return 0


def _show(spec: str) -> int:
    data = resolve(spec, for_command()).data()
    for_programs()
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    return 0


def _pull(label: str, source: str | None) -> int:
    """Keep a document that the user named, with its checksum."""
    tree = Tree(Disk("."))
    origin, raw = _document(label, source)
    pulled = pull(tree, label, origin, raw)
    changed = changes(tree, pulled.files, ())
    recover(".")
    apply(".", Plan(changed))
    sys.stdout.write("".join(f"{line}\n" for line in _told(pulled)))
    return 0


def _document(label: str, source: str | None) -> tuple[str, bytes]:
    """Where the document is said to be from, and its bytes. Refused where there is none."""
    if not source:
        known = next((entry.url for entry in catalog.entries() if entry.label == label), "")
        hint = f"mcp-lockstep schemas pull {label} {known or 'FILE-OR-ADDRESS'}"
        message = f"say where {label} is to come from: nothing is fetched that you did not name"
        raise Refused(Finding(NOT_PULLED, Place(label), message, hint=hint))
    if is_address(source):
        return plain_address(source), fetch(source)
    raw = read_file(source)
    if raw is None:
        hint = "name a file or an https address"
        raise Refused(Finding(FILE_MISSING, Place(source), f"{source} is not there", hint=hint))
    return os.path.basename(source), raw


def _told(pulled: Pulled) -> Iterator[str]:
    pin, before = pulled.pin, pulled.before
    if before is not None and before.sha256 == pin.sha256:
        yield f"unchanged: {pin.label} ({pin.sha256})"
        return
    yield f"wrote {pin.path} from {printable(pin.source)}"
    yield f"sha256 {pin.sha256}" + (f", before {before.sha256}" if before is not None else "")
    same = [entry.label for entry in catalog.entries() if entry.sha256 == pin.sha256]
    if same:
        yield f"this is the published document of {', '.join(same)}"


def _verify() -> int:
    """Compare every pulled document with its pin."""
    tree = Tree(Disk("."))
    found = pins(tree)
    findings = tuple(finding for pin in found for finding in _wrong(tree, pin))
    print_findings(findings)
    if not findings:
        what = f"{len(found)} pulled {'document is' if len(found) == 1 else 'documents are'}"
        sys.stdout.write(
            f"{what} what was pulled\n" if found else f"nothing was pulled: no {FOLDER}/pins.toml\n"
        )
    return exit_code(findings)


def _wrong(tree: Tree, pin: Pin) -> tuple[Finding, ...]:
    try:
        pulled_document(tree, pin)
    except Refused as refused:
        return refused.findings
    return ()

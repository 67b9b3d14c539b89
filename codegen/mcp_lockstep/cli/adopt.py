"""Take an existing server into care: configuration, server.json, ownership marker and lock. Code is never touched."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from mcp_lockstep.adopt.codes import ADDRESS_UNKNOWN, DESCRIPTION_UNKNOWN, NAME_OF_SEVERAL, NAME_UNKNOWN
from mcp_lockstep.adopt.description import LONGEST, short_description
from mcp_lockstep.adopt.plan import Adoption, Given, adopt
from mcp_lockstep.adopt.repository import find_checkout
from mcp_lockstep.adopt.servers import find_servers, with_servers
from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.cli.sync import diff
from mcp_lockstep.cli.work import below
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.findings import Finding, Place, Refused, exit_code
from mcp_lockstep.plan import apply, changes, recover
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.name import fault_of_name
from mcp_lockstep.rules.urls import parse_url
from mcp_lockstep.tree import Disk, Tree

EXAMPLES = """\
  mcp-lockstep adopt                       show the plan for the project in this folder, then ask
  mcp-lockstep adopt --yes                 write it, ask nothing
  mcp-lockstep adopt --name io.github.acme/weather --hook
"""


class Folder(NamedTuple):
    """One folder and what is planned for it."""

    root: str
    adoption: Adoption


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `adopt`."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="the project (default: this folder)"
    )
    parser.add_argument("--yes", action="store_true", help="ask nothing; write the plan if it is complete")
    parser.add_argument(
        "--name", metavar="NS/NAME", default="", help="the name in the registry, where nothing says it"
    )
    parser.add_argument("--hook", action="store_true", help="let the build refuse to be out of step")


def run(options: argparse.Namespace) -> int:
    """Show what would be written, ask for what nobody says, and write it once it is wanted."""
    if not os.path.isdir(options.folder):
        raise Refused(Finding(FILE_MISSING, Place(options.folder), f"{options.folder} is no folder"))
    root = os.path.normpath(options.folder)
    registry = Project(Tree(Disk(root))).config.registry
    if options.name and (fault := fault_of_name(options.name, registry)):
        from mcp_lockstep.cli.new import NAME_UNUSABLE

        raise Refused(Finding(NAME_UNUSABLE, Place(""), f"--name: {fault}", hint=NAME_UNUSABLE.explain))
    asks = not options.yes and sys.stdin.isatty() and sys.stdout.isatty()
    folders = _planned(root, options, asks)
    missing = [finding for one in folders for finding in below(one.root, one.adoption.missing)]
    missing += _doubles(folders)
    if missing:
        print_findings(missing)
        sys.stdout.write("nothing was written\n")
        return exit_code(tuple(missing))
    left = tuple(finding for one in folders for finding in below(one.root, one.adoption.plan.findings))
    if not any(one.adoption.plan.changes for one in folders):
        print_findings(left)
        sys.stdout.write("adopted already: nothing to write\n")
        return exit_code(left)
    if not _carried_out(folders, options, asks):
        return 1
    print_findings(left)
    return exit_code(left)


def _planned(root: str, options: argparse.Namespace, asks: bool) -> list[Folder]:
    """The plan of every server in `root`, and the list of them where there are several or they lie below it."""
    servers = find_servers(root)
    if options.name and len(servers) > 1:
        message = f"{root} holds {len(servers)} servers, and --name is for one"
        hint = f"name its folder, one of: {', '.join(servers)}"
        raise Refused(Finding(NAME_OF_SEVERAL, Place(""), message, have=options.name, hint=hint))
    paths = [os.path.normpath(os.path.join(root, server)) for server in servers]
    others = [_plan(path, options, asks) for path in paths if path != root]
    # The folder above goes by its repository, and makes way for one below that is called so.
    taken = frozenset(one.adoption.name for one in others)
    own = _plan(root, options, asks, taken) if root in paths else Folder(root, Adoption())
    if servers == ("",):
        return [own]
    tree = Tree(Disk(root))
    return [*others, own._replace(adoption=_listing(tree, own.adoption, servers))]


def _doubles(folders: Sequence[Folder]) -> Iterator[Finding]:
    """A finding for every server whose name one before it has."""
    first: dict[str, str] = {}
    for root, adoption in folders:
        before = first.setdefault(adoption.name, root)
        if adoption.name and before != root:
            message = f"{before} and {root} would both be called {adoption.name}"
            place = Place(os.path.normpath(os.path.join(root, MANIFEST)))
            yield Finding(NAME_OF_SEVERAL, place, message, have=adoption.name, hint=NAME_OF_SEVERAL.explain)


def _listing(tree: Tree, adoption: Adoption, servers: tuple[str, ...]) -> Adoption:
    """`adoption` of the folder above, with the list of the `servers` written over what else it changes."""
    planned = {change.path: change.after for change in adoption.plan.changes}
    listed = {change.path: change.after for change in with_servers(tree.over(planned), servers).changes}
    whole = changes(tree, {**planned, **listed}, ())
    return adoption._replace(plan=adoption.plan._replace(changes=whole))


def _plan(root: str, options: argparse.Namespace, asks: bool, taken: frozenset[str] = frozenset()) -> Folder:
    if options.yes:
        print_findings(below(root, recover(root)))
    tree = Tree(Disk(root))
    given = Given(name=options.name, hook=options.hook, taken=taken)
    checkout = find_checkout(tree)
    adoption = adopt(tree, checkout, given)
    codes = [finding.code for finding in adoption.missing]
    if asks and codes and set(codes) <= {NAME_UNKNOWN, DESCRIPTION_UNKNOWN, ADDRESS_UNKNOWN}:
        print_findings(adoption.missing)
        adoption = adopt(tree, checkout, _asked(codes, given, Project(tree).config.registry))
    return Folder(root, adoption)


def _asked(codes: Sequence[object], given: Given, registry: str) -> Given:
    """`given` with what the user answers; an empty answer leaves it open."""
    if NAME_UNKNOWN in codes:
        fault_of = partial(fault_of_name, registry=registry)
        given = given._replace(name=_ask("name, as io.github.OWNER/NAME: ", fault_of))
    if DESCRIPTION_UNKNOWN in codes:
        given = given._replace(description=_ask("what it does, in one sentence: ", _fault_of_description))
    if ADDRESS_UNKNOWN in codes:
        given = given._replace(
            url=_ask("address it listens on, as http://HOST:PORT/PATH: ", _fault_of_address)
        )
    return given


def _ask(question: str, fault_of: Callable[[str], str]) -> str:
    while True:
        try:
            answer = input(question).strip()
        except EOFError:
            return ""
        fault = fault_of(answer) if answer else ""
        if not fault:
            return answer
        sys.stdout.write(f"{fault}\n")


def _fault_of_description(text: str) -> str:
    if len(text) > LONGEST:
        return f"it has {len(text)} characters, {LONGEST} are allowed"
    return "" if short_description(text) else "it is a sample text"


def _fault_of_address(text: str) -> str:
    url = parse_url(text)
    return "" if url is not None and url.scheme in ("http", "https") and url.host else "it is no http address"


def _carried_out(folders: Sequence[Folder], options: argparse.Namespace, asks: bool) -> bool:
    """Show the plan and write it, if that is wanted."""
    sys.stdout.write("".join(f"{printable(line)}\n" for line in _shown(folders)))
    if not options.yes and not (asks and _ask("write this? [y/N] ", _no_fault).lower() in ("y", "yes")):
        command = printable(shlex.join(["mcp-lockstep", *options.words, "--yes"]))
        sys.stdout.write(f"nothing was written; `{command}` writes it\n")
        return False
    for one in folders:
        print_findings(below(one.root, recover(one.root)))
        apply(one.root, one.adoption.plan)
    sys.stdout.write("written; next: mcp-lockstep check\n")
    return True


def _no_fault(_: str) -> str:
    return ""


def _shown(folders: Sequence[Folder]) -> Iterator[str]:
    """The plan as people read it: what it goes by, then every change as a diff."""
    for root, adoption in folders:
        where = "" if root == "." else f"{root}/"
        if adoption.grounds:
            yield f"{root}:" if where else "this folder:"
        for value, source in adoption.grounds:
            yield f"  {value} (from {source})"
    for root, adoption in folders:
        yield from diff(adoption.plan.changes, "" if root == "." else f"{root}/").splitlines()

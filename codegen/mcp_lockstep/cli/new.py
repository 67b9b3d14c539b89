"""Make a server from a contract: a project that starts, passes its tests and can be published."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from mcp_lockstep.bundled.targets import targets
from mcp_lockstep.cli.output import format_option, print_findings
from mcp_lockstep.cli.printable import typed
from mcp_lockstep.cli.progress import progress
from mcp_lockstep.contract.identity import publishable
from mcp_lockstep.contract.sources import Offer, read_sources
from mcp_lockstep.emit.request import Request
from mcp_lockstep.findings import Code, Finding, Place, Refused, exit_code
from mcp_lockstep.interface.codes import CODES as SAID
from mcp_lockstep.memo import listing
from mcp_lockstep.pipeline.create import create
from mcp_lockstep.plan import Plan, apply
from mcp_lockstep.rules import judge_data
from mcp_lockstep.rules.name import server_name
from mcp_lockstep.tree import Disk, Tree

EXAMPLES = """\
  mcp-lockstep new weather --from contract.json --name io.github.acme/weather
  mcp-lockstep new weather --from tools-list.json --from server.json
  mcp-lockstep new weather --from tools/ --transport http
"""

FOLDER_NOT_EMPTY = Code(
    "LS0106",
    "folder-not-empty",
    "error",
    "The folder for the new project holds files already.",
    "`new` writes a whole project and would mix with what is there. Name another folder.",
    exit=2,
)
NAME_UNUSABLE = Code(
    "LS0107",
    "name-unusable",
    "error",
    "No registry takes the name that was given for the new server.",
    "Write it like io.github.OWNER/NAME: a namespace that you own in reverse order, one slash, a name of letters, "
    "digits, dots, hyphens and underscores.",
    exit=2,
)
CODES = (FOLDER_NOT_EMPTY, NAME_UNUSABLE)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `new`."""
    parser.add_argument("folder", metavar="DIR", help="the folder to make")
    parser.add_argument(
        "--from",
        dest="sources",
        metavar="SOURCE",
        action="append",
        required=True,
        help="a tools/list answer, an array of tools, a folder of one-tool files, a server.json; repeatable",
    )
    parser.add_argument(
        "--name", metavar="NS/NAME", default="", help="the name in the registry, as io.github.acme/weather"
    )
    parser.add_argument(
        "--sdk", choices=targets(), default="mcp2", help="the SDK to build on (default: mcp2)"
    )
    parser.add_argument(
        "--transport",
        choices=["stdio", "http"],
        help="what server.json declares (default: as SOURCE, else stdio)",
    )
    parser.add_argument(
        "--template", metavar="DIR", help="own templates, each in place of the one of its name"
    )
    parser.add_argument("--hook", action="store_true", help="let the build refuse to be out of step")
    format_option(parser)


def run(options: argparse.Namespace) -> int:
    """Read the sources, write the project, and say how to start it."""
    offer = read_sources(options.sources)
    if offer.errors:
        raise Refused(*offer.findings)
    _judge_request(options.folder, options.name)
    with progress("making the project"):
        plan = create(Tree(Disk(options.folder)), offer, _request(options))
        apply(options.folder, plan)
    shown = (f for f in plan.findings if options.format != "text" or f.severity != "note" or f.code in SAID)
    print_findings(tuple(shown), options.format, verbose=True)
    if options.format == "text":
        sys.stdout.write("".join(f"{line}\n" for line in _told(options, offer, plan)))
    return exit_code(plan.findings)


def _judge_request(folder: str, name: str) -> None:
    if listing(folder):
        message = f"{folder} is not empty"
        raise Refused(Finding(FOLDER_NOT_EMPTY, Place(folder), message, hint=FOLDER_NOT_EMPTY.explain))
    judged = judge_data({"name": name}, (server_name,)) if name else ()
    faults = [fault for fault in judged if fault.code.severity == "error"]
    if faults:
        messages = (f"--name: {fault.message}" for fault in faults)
        raise Refused(
            *(
                Finding(NAME_UNUSABLE, Place(""), message, have=name, hint=NAME_UNUSABLE.explain)
                for message in messages
            )
        )


def _request(options: argparse.Namespace) -> Request:
    folder = os.path.basename(os.path.abspath(options.folder))
    return Request(folder, options.name, options.sdk, options.transport, options.template, options.hook)


def _told(options: argparse.Namespace, offer: Offer, plan: Plan) -> Iterator[str]:
    yield f"wrote {len(plan.changes)} files to {options.folder}: {', '.join(_counted(offer)) or 'no tools'}"
    if not any(offer.contract):
        yield "contract.json promises nothing yet: write its tools there, then run `mcp-lockstep sync`"
    yield ""
    yield f"  cd {typed(options.folder)}"
    yield "  pip install -e . pytest && pytest    it starts, and serves the contract as it is"
    told = any(finding.severity != "note" for finding in plan.findings)
    yield f"  mcp-lockstep check                   {'it says this again' if told else 'it is in step'}"
    left_out = sum(not publishable(icon) for icon in offer.identity.icons)
    if left_out:
        yield ""
        yield f"Icons left out of server.json, which takes https addresses only: {left_out}."
    if not any(change.path == "server.json" for change in plan.changes):
        yield ""
        yield "No server.json was written: no SOURCE says the server's name."
        yield "There `mcp-lockstep adopt --name NS/NAME` writes one, or begin again with `--name NS/NAME`."


def _counted(offer: Offer) -> Iterator[str]:
    """`5 tools`, `1 prompt`: what there is of each kind."""
    words = {
        "tool": offer.contract.tools,
        "prompt": offer.contract.prompts,
        "resource": offer.contract.resources,
        "resource template": offer.contract.resource_templates,
    }
    return (f"{len(items)} {word}{'s' * (len(items) > 1)}" for word, items in words.items() if items)

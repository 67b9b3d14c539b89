"""Write what clients, bundles, registries and images need, from server.json and the project."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout

from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.printable import for_programs, printable
from mcp_lockstep.documents.kinds import Kind
from mcp_lockstep.export.bundle import bundle_manifest
from mcp_lockstep.export.clients import client_config
from mcp_lockstep.export.dockerfile import dockerfile
from mcp_lockstep.export.public import public
from mcp_lockstep.export.registry_list import registry_list
from mcp_lockstep.findings import Finding, exit_code
from mcp_lockstep.launch.target import Target, open_target
from mcp_lockstep.plan import Plan, apply, changes
from mcp_lockstep.tree import Disk, Tree

EXAMPLES = """\
  mcp-lockstep export client                       what `mcpServers` of a client gets
  mcp-lockstep export client --for vscode -o .vscode/mcp.json
  mcp-lockstep export mcpb -o manifest.json        the manifest of an MCPB bundle
  mcp-lockstep export registry-list --root servers/weather
  mcp-lockstep export dockerfile -o Dockerfile
"""

Made = tuple[str, tuple[Finding, ...]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `export`."""
    parser.add_argument("form", choices=sorted(_FORMS), metavar="FORM", help=", ".join(sorted(_FORMS)))
    parser.add_argument(
        "--root",
        metavar="DIR|FILE",
        default=".",
        help="a project, a server.json or a list of a registry (default: this folder)",
    )
    parser.add_argument(
        "--for",
        dest="client",
        choices=["common", "vscode"],
        default="common",
        help="whose configuration `client` writes (default: common, the key `mcpServers`)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", default="", help="write there, not to the screen")


def run(options: argparse.Namespace) -> int:
    """Make one export and write it; what it could not carry is said beside it."""
    target = open_target(options.root, *_KINDS.get(options.form, ()))
    safe = public(target)
    text, said = _FORMS[options.form](safe.target, options)
    findings = (*safe.findings, *safe.placed(said, target.document))
    if options.output not in ("", "-"):
        _write(options.output, text)
        print_findings(findings, verbose=True)
        sys.stdout.write(f"wrote {printable(options.output)}\n")
    else:
        for_programs()
        sys.stdout.write(text)
        # The output is the export; whoever pipes it into a file still sees what was said.
        with redirect_stdout(sys.stderr):
            print_findings(findings, verbose=True)
    return exit_code(findings)


def _write(path: str, text: str) -> None:
    folder, name = os.path.split(os.path.abspath(path))
    plan = Plan(changes(Tree(Disk(folder)), {name: text.encode("utf-8")}, ()))
    apply(folder, plan)


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _client(target: Target, options: argparse.Namespace) -> Made:
    return _json(client_config(target.document, options.client)), ()


def _mcpb(target: Target, _options: argparse.Namespace) -> Made:
    manifest, findings = bundle_manifest(target)
    return _json(manifest), findings


def _registry_list(target: Target, _options: argparse.Namespace) -> Made:
    listed, findings = registry_list(target.document)
    return _json(listed), findings


def _dockerfile(target: Target, _options: argparse.Namespace) -> Made:
    return dockerfile(target), ()


_KINDS: Mapping[str, tuple[Kind, ...]] = {"registry-list": ("server.json", "registry list")}
"""The kinds of files that a form takes, where it is not a server.json alone."""

_FORMS: Mapping[str, Callable[[Target, argparse.Namespace], Made]] = {
    "client": _client,
    "mcpb": _mcpb,
    "registry-list": _registry_list,
    "dockerfile": _dockerfile,
}

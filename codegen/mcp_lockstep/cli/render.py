"""Print the server.json to publish: placeholders filled, or the version of this build put in."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout

from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.put import put, told
from mcp_lockstep.cli.work import below
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.findings import Finding, Place, Refused, exit_code
from mcp_lockstep.judge import wanted
from mcp_lockstep.launch.rules import rules_for
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.render import Values, render
from mcp_lockstep.rules import judge_manifest
from mcp_lockstep.tree import Disk, Tree

EXAMPLES = """\
  mcp-lockstep render --version "$GITHUB_REF_NAME" -o dist/server.json
  mcp-lockstep render --version 1.2.0 --set OCI_IMAGE=ghcr.io/acme/weather:1.2.0
  mcp-lockstep render                     with the version that pyproject.toml has
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `render`."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="the project (default: this folder)"
    )
    parser.add_argument(
        "--version",
        metavar="V",
        type=_version,
        help="the version of this release; a `v` before it is cut off",
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        type=_pair,
        action="append",
        default=[],
        help="what a placeholder stands for; repeatable",
    )
    parser.add_argument("-o", "--output", metavar="FILE", default="", help="write here instead of printing")


def run(options: argparse.Namespace) -> int:
    """Render, judge what came out, and print or write it unless something is wrong with it."""
    folder = os.path.normpath(options.folder)
    project = Project(Tree(Disk(folder)))
    manifest = project.manifest
    if manifest is None:
        raise Refused(*(below(folder, project.broken) or [_missing(folder)]))
    rendered = render(project, manifest, Values(options.version, dict(options.set)))
    # Of a file that cannot be read nobody knows which version it has, nor whose rules hold.
    findings = (*project.broken, *rendered.findings, *_judged(project, rendered.document))
    said = below(folder, wanted(tuple(dict.fromkeys(findings)), project.config))
    _tell(said)
    code = exit_code(said)
    if not code:
        put(rendered.document.raw, options.output)
        told(options.output)
    return code


def _judged(project: Project, document: JsonDocument) -> tuple[Finding, ...]:
    return judge_manifest(document, rules_for(project.config.registry))


def _tell(findings: Iterable[Finding]) -> None:
    # What is printed may be piped into a file.
    with redirect_stdout(sys.stderr):
        print_findings(tuple(findings))


def _missing(folder: str) -> Finding:
    path = os.path.normpath(os.path.join(folder, MANIFEST))
    hint = "name the folder of a project; `mcp-lockstep adopt` writes the file for a Python project"
    return Finding(FILE_MISSING, Place(path), f"there is no {path} to render", hint=hint)


def _version(text: str) -> str:
    bare = text.strip()
    if not bare:
        raise argparse.ArgumentTypeError("a version is wanted, not an empty text")
    return re.sub(r"\A[vV](?=\d)", "", bare)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key.strip(), value

"""Offer `check`, `explain` and, if it may write, `sync` to an assistant, as an MCP server over stdio."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypedDict

from mcp_lockstep import __version__
from mcp_lockstep.cli.explain import NO_SUCH_CODE, all_codes, explained
from mcp_lockstep.cli.output import JsonReport, as_json, count
from mcp_lockstep.cli.work import below, check_project
from mcp_lockstep.documents.codes import FILE_MISSING, FILE_OUTSIDE_PROJECT
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.pipeline.sync import sync_project
from mcp_lockstep.tree import safe

if TYPE_CHECKING:
    from mcp.server import MCPServer

EXAMPLES = """\
  mcp-lockstep serve                       check and explain for the project in this folder
  mcp-lockstep serve --root ~/servers --allow-write
"""

SERVING_HALF_MISSING = Code(
    "LS0303",
    "serving-half-missing",
    "error",
    "The command is an MCP server, and the SDK for that is not installed.",
    "`pip install 'mcp-lockstep[serve]'` adds it.",
    exit=2,
)
CODES = (SERVING_HALF_MISSING,)


class JsonSynced(TypedDict):
    """What `sync` answers: the paths that it wrote, and what is left to say."""

    written: list[str]
    left: JsonReport


class Desk:
    """The tools, on projects in and below one folder. Refused findings become errors that the caller reads."""

    def __init__(self, root: str) -> None:
        self.root = root

    def check(self, folder: str = ".") -> JsonReport:
        """Say what is out of step in a project: code, server.json, README and all that repeats the same facts.

        `folder` is the project, relative to the root of this server. Nothing is written or run.
        """
        return _report(check_project(self._project(folder)).findings)

    def explain(self, code: str) -> str:
        """Say what a finding means, why it matters and how to mend it, by its code (LS1021) or slug."""
        found = [one for one in all_codes() if code in (one.id, one.slug)]
        if not found:
            raise Refused(Finding(NO_SUCH_CODE, Place(""), f"{code!r} is no code"))
        return explained(found[0])

    def sync(self, folder: str = ".") -> JsonSynced:
        """Write what is out of step in a project: single values and generated files, never the body of a function.

        `folder` is the project, relative to the root of this server.
        """
        root = self._project(folder)
        synced = sync_project(root)
        written = [os.path.join(root, change.path) for change in synced.plan.changes]
        return {"written": written, "left": _report(below(root, synced.left))}

    def _project(self, folder: str) -> str:
        root = os.path.normpath(os.path.join(self.root, folder))
        inside = os.path.realpath(root), os.path.realpath(self.root)
        if folder != "." and (not safe(folder) or os.path.commonpath(inside) != inside[1]):
            raise Refused(Finding(FILE_OUTSIDE_PROJECT, Place(folder), f"{folder} is not below the root"))
        if not os.path.isdir(root):
            raise Refused(Finding(FILE_MISSING, Place(folder), f"{folder} is no folder"))
        return root


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `serve`."""
    parser.add_argument(
        "--root", metavar="DIR", default=".", help="the only folder that it reads (default: this folder)"
    )
    parser.add_argument("--allow-write", action="store_true", help="offer `sync` as well")


def run(options: argparse.Namespace) -> int:
    """Serve until the client leaves."""
    if not os.path.isdir(options.root):
        raise Refused(Finding(FILE_MISSING, Place(options.root), f"{options.root} is no folder"))
    server(os.path.normpath(options.root), write=options.allow_write).run("stdio")
    return 0


def server(root: str, *, write: bool) -> MCPServer:
    """The server object. Refused where the SDK is not installed."""
    try:
        from mcp.server import MCPServer
    except ModuleNotFoundError:
        message = "`serve` needs the MCP SDK, which is not installed"
        raise Refused(
            Finding(SERVING_HALF_MISSING, Place(""), message, hint="pip install 'mcp-lockstep[serve]'")
        ) from None
    from inspect import cleandoc

    from mcp.types import ToolAnnotations

    desk = Desk(root)
    made = MCPServer("mcp-lockstep", version=__version__)
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    writes = ToolAnnotations(destructive_hint=False, idempotent_hint=True, open_world_hint=False)
    offered: list[tuple[Callable[..., object], ToolAnnotations]] = [
        (desk.check, reads),
        (desk.explain, reads),
    ]
    if write:
        offered.append((desk.sync, writes))
    for tool, told in offered:
        # Before Python 3.12 pydantic makes no schema of a TypedDict of the standard library; the JSON goes as text.
        said = cleandoc(tool.__doc__ or "")
        made.add_tool(_answering(tool), description=said, annotations=told, structured_output=False)
    return made


def _answering(tool: Callable[..., object]) -> Callable[..., object]:
    """`tool`, with what it refuses as an error that the caller reads."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def answer(*arguments: object, **named: object) -> object:
        try:
            return tool(*arguments, **named)
        except Refused as refused:
            raise ToolError(str(refused)) from None

    return answer


def _report(findings: tuple[Finding, ...]) -> JsonReport:
    return {"findings": [as_json(finding) for finding in findings], "summary": count(findings)}

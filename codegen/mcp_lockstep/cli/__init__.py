"""The command line: one small module per command, loaded when it is called for. Parse, call, print."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from mcp_lockstep import __version__
from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.printable import for_programs, spelt_out
from mcp_lockstep.findings import Refused, exit_code, nearest

A = TypeVar("A", bound=argparse.Action)

COMMANDS: Mapping[str, str] = {
    "check": "say what is out of step in a project",
    "sync": "write what is out of step",
    "status": "show every fact and where it stands",
    "new": "make a server from a contract",
    "adopt": "take an existing server into care",
    "validate": "judge server.json files, registry lists and MCPB manifests, in bulk",
    "render": "print the server.json to publish",
    "migrate": "move server.json to a newer revision of its format",
    "compare": "say what is different between two contracts or schemas, and whom it breaks",
    "launch": "show the command that clients run, and start it",
    "models": "make Python models of a schema",
    "schemas": "list, show, pull and verify the schemas that models are made of",
    "export": "write what clients, bundles, registries and images need",
    "serve": "offer check, sync and explain to an assistant, as an MCP server",
    "explain": "say what a finding means and how to mend it",
}
"""Command -> what it does. Its module in this package has the same name."""

ALIASES: Mapping[str, str] = {"init": "adopt"}
"""Another name of a command -> its own."""

INTERNAL = 4
USAGE = 2
_DIGITS = 5
"""A terminal of ten thousand columns is none."""


def run(argv: Sequence[str]) -> int:
    """Run one command and return its exit code; a fault of ours is one line, and 4."""
    try:
        code = _command(argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of our output went away; nobody is left to be told.
        _silence()
        return 1
    except OSError as error:
        return _unwritten(error)
    except Exception as error:  # noqa: BLE001 - the last line of defence: a user never sees a traceback
        return _internal(error)


def _command(argv: Sequence[str]) -> int:
    # Syntax trees are many objects and few cycles: looking for garbage after every 700 of them took a quarter of -r.
    gc.set_threshold(50_000)
    spelt_out()
    if "_ARGCOMPLETE" in os.environ:
        from mcp_lockstep.cli.completion import complete

        complete(COMMANDS)
    name = ALIASES.get(argv[0], argv[0]) if argv else "--help"
    if name in ("--version", "-V"):
        sys.stdout.write(f"mcp-lockstep {__version__}\n")
        return 0
    if name in ("--help", "-h", "help"):
        sys.stdout.write(_overview())
        return 0
    if name not in COMMANDS:
        near = nearest(name, [*COMMANDS, *ALIASES])
        meant = f"Did you mean `{near}`? " if near else ""
        sys.stderr.write(f"mcp-lockstep: {name!r} is no command. {meant}`mcp-lockstep --help` lists them.\n")
        return USAGE
    return _call(import_module(f"mcp_lockstep.cli.{name}"), name, argv)


class _Parser(argparse.ArgumentParser):
    """A parser that takes no empty text for a path: a variable that is not set would mean this folder."""

    def _add_action(self, action: A) -> A:
        if not action.option_strings and action.nargs != argparse.PARSER and action.type is None:
            action.type = _given
        return super()._add_action(action)


def _given(word: str) -> str:
    """What stands on the command line for a positional argument."""
    if not word:
        raise argparse.ArgumentTypeError("it is empty")
    return word


def _call(module: ModuleType, name: str, argv: Sequence[str]) -> int:
    parser = _Parser(
        prog=f"mcp-lockstep {name}",
        description=module.__doc__,
        epilog=f"examples:\n{module.EXAMPLES}",
        formatter_class=_formatter,
        allow_abbrev=False,
    )
    module.arguments(parser)
    try:
        options = parser.parse_args(argv[1:], argparse.Namespace(words=list(argv)))
    except SystemExit as stopped:
        return USAGE if stopped.code else 0
    if getattr(options, "format", "text") != "text":
        for_programs()
    return _run(module, options)


def _run(module: ModuleType, options: argparse.Namespace) -> int:
    try:
        return int(module.run(options))
    except Refused as refused:
        print_findings(refused.findings, getattr(options, "format", "text"))
        return exit_code(refused.findings)


def _formatter(prog: str) -> argparse.HelpFormatter:
    # Without a width argparse imports shutil to ask the terminal, at every start.
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdecimal() and len(columns) < _DIGITS else 0
    return argparse.RawDescriptionHelpFormatter(prog, width=width or 100)


def _unwritten(error: OSError) -> int:
    """Say what the operating system refused: a full disk, a folder that may not be entered."""
    sys.stderr.write(f"mcp-lockstep: {error.strerror or error}: {error.filename or 'the output'}\n")
    _silence()
    return USAGE


def _silence() -> None:
    """Throw away what is still to be printed, or Python tries once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _internal(error: Exception) -> int:
    if os.environ.get("MCP_LOCKSTEP_DEBUG"):
        raise error
    sys.stderr.write(
        f"LS9001 internal: {type(error).__name__}: {error}\n"
        "This is a fault of mcp-lockstep, not of yours. Please report it with what "
        "`MCP_LOCKSTEP_DEBUG=1` prints when you run the same command.\n"
    )
    return INTERNAL


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = "".join(f"  {name:<{width}}  {summary}\n" for name, summary in COMMANDS.items())
    return (
        "usage: mcp-lockstep COMMAND [...]\n\n"
        "Generate MCP servers from schemas, and keep code, server.json and every repeated fact in step.\n\n"
        f"commands:\n{lines}\n"
        "`mcp-lockstep COMMAND --help` shows its options and examples.\n"
        "exit codes: 0 in step, 1 errors or drift, 2 unusable input, 3 conflict, 4 internal\n"
    )

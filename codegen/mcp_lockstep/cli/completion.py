"""Shell completion: the shell calls the command with `_ARGCOMPLETE` set, and gets words instead of an answer."""

from __future__ import annotations

import argparse
from importlib import import_module

from mcp_lockstep.cli import COMMANDS


def complete() -> None:
    """Print what can stand at the cursor, and end the program."""
    try:
        import argcomplete
    except ModuleNotFoundError:
        raise SystemExit(1) from None
    argcomplete.autocomplete(whole_parser())


def whole_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; a normal run builds that of one command only."""
    parser = argparse.ArgumentParser(prog="mcp-lockstep")
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, summary in COMMANDS.items():
        import_module(f"mcp_lockstep.cli.{name}").arguments(commands.add_parser(name, help=summary))
    return parser

"""Shell completion: the shell calls the command with `_ARGCOMPLETE` set, and gets words instead of an answer."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module


def complete(commands: Mapping[str, str]) -> None:
    """Print what can stand at the cursor, and end the program; `commands` maps each to what it does."""
    try:
        import argcomplete
    except ModuleNotFoundError:
        raise SystemExit(1) from None
    argcomplete.autocomplete(_whole_parser(commands))


def _whole_parser(commands: Mapping[str, str]) -> argparse.ArgumentParser:
    """The parser of the whole command line; a normal run builds that of one command only."""
    parser = argparse.ArgumentParser(prog="mcp-lockstep")
    choices = parser.add_subparsers(metavar="COMMAND")
    for name, summary in commands.items():
        import_module(f"mcp_lockstep.cli.{name}").arguments(choices.add_parser(name, help=summary))
    return parser

"""The reference pages of the docs, made from the commands and the codes themselves."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from importlib import import_module

from mcp_lockstep.cli import COMMANDS
from mcp_lockstep.cli.explain import all_codes
from mcp_lockstep.findings import Code

NOTE = "<!-- Made by `make regenerate`; edit the source instead. -->"

FAMILIES = {
    "LS0": "Input and configuration",
    "LS1": "Facts",
    "LS2": "server.json",
    "LS3": "Contract and code",
    "LS4": "Schemas and models",
    "LS5": "Generated and seeded files",
    "LS6": "Artefacts and builds",
    "LS7": "Comparison",
    "LS9": "Internal",
}


def command_line() -> str:
    """docs/cli.md: every command with its options, defaults and examples."""
    return "\n".join(["# Command line", "", NOTE, "", *_commands()])


def _commands() -> Iterator[str]:
    for name, summary in COMMANDS.items():
        yield from (f"## mcp-lockstep {name}", "", f"{summary[0].upper()}{summary[1:]}.", "")
        yield from ("```", _help(name).rstrip(), "```", "")


def _help(name: str) -> str:
    module = import_module(f"mcp_lockstep.cli.{name}")
    # argparse wraps to the terminal and, before 3.13, repeats the value of an option with two names.
    os.environ["COLUMNS"] = "100"
    parser = argparse.ArgumentParser(
        prog=f"mcp-lockstep {name}",
        epilog=f"examples:\n{module.EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.arguments(parser)
    return re.sub(r"(-\w) ([\w{},-]+), (--[\w-]+ \2)", r"\1, \3", parser.format_help())


def findings() -> str:
    """docs/findings.md: every code, what it means and how to mend it."""
    lines = ["# Findings", "", NOTE, ""]
    family = ""
    for code in all_codes():
        if code.id[:3] != family:
            family = code.id[:3]
            lines += [f"## {family} {FAMILIES[family]}", ""]
        lines += _finding(code)
    return "\n".join(lines)


def _finding(code: Code) -> list[str]:
    registry = ["", f"The official registry calls it {_or(code.registry)}."] if code.registry else []
    return [
        f"### {code.id} {code.slug}",
        "",
        f"*{code.severity}* · {code.summary} {code.explain}",
        *registry,
        "",
    ]


def _or(names: str) -> str:
    return " or ".join(f"`{name}`" for name in names.split())

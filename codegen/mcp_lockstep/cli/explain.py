"""Say what a finding means, why it matters, and how to mend it."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator
from importlib import import_module
from typing import cast

from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.rules.online import needs_network

EXAMPLES = """\
  mcp-lockstep explain LS1021                by code
  mcp-lockstep explain version-drift         by slug
  mcp-lockstep explain reserved-version-string   by the registry's own code
  mcp-lockstep explain LS2                   every code that begins so
"""

TABLES = (
    "documents.codes",
    "bundled.catalog",
    "config",
    "judge",
    "lock",
    "generated.sealed",
    "generated.modules",
    "generated.patches",
    "named.codes",
    "facts.codes",
    "facts.readers.own",
    "rules.every",
    "migrate.codes",
    "render",
    "validate",
    "launch.codes",
    "export.codes",
    "schema.codes",
    "contract.codes",
    "code.codes",
    "emit.codes",
    "interface.codes",
    "generated.recipe",
    "plan",
    "making",
    "bundled.targets",
    "cli.new",
    "cli.serve",
    "adopt.codes",
    "compare.codes",
    "archive.codes",
    "artefact.codes",
    "behind",
    "cachekeys",
    "hooks.codes",
)
"""Modules that declare codes, or list in a constant `CODES` those of their parts."""

NO_SUCH_CODE = Code(
    "LS0301",
    "no-such-code",
    "error",
    "There is no code of that name.",
    "Take it from the output of a command, by its id (`LS1021`), a prefix of it, its slug or the registry's code.",
    exit=2,
)
CODES = (NO_SUCH_CODE,)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `explain`."""
    parser.add_argument(
        "code", metavar="CODE", nargs="?", default="LS", help="an id, a prefix, a slug (default: all)"
    )


def run(options: argparse.Namespace) -> int:
    """Print one code whole, or several by a line each."""
    found = [code for code in all_codes() if code.answers(options.code)]
    if not found:
        raise Refused(
            Finding(NO_SUCH_CODE, Place(""), f"{options.code!r} is no code", hint=NO_SUCH_CODE.explain)
        )
    if len(found) == 1:
        sys.stdout.write(explained(found[0]))
    else:
        sys.stdout.write(
            "".join(f"{code.id} {code.severity:<7} {code.slug}: {code.summary}\n" for code in found)
        )
    return 0


def all_codes() -> tuple[Code, ...]:
    """Every code that a command can print, in order."""
    return tuple(sorted({*CODES, *(code for name in TABLES for code in _declared(name))}))


def _declared(name: str) -> Iterator[Code]:
    for value in vars(import_module(f"mcp_lockstep.{name}")).values():
        if isinstance(value, Code):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in cast("tuple[object, ...]", value) if isinstance(item, Code))


def explained(code: Code) -> str:
    """The text of `explain` for one code."""
    return "\n".join(_paragraphs(code)) + "\n"


def _paragraphs(code: Code) -> Iterator[str]:
    yield f"{code.id} {code.slug} ({code.severity})"
    yield ""
    yield textwrap.fill(code.summary, 100)
    yield ""
    yield textwrap.fill(code.explain, 100)
    if code.registry:
        yield f"\nThe official registry calls it {' or '.join(f'`{own}`' for own in code.registry.split())}."
    if needs_network(code):
        yield "\nOnly the registry can tell, over the network: no command of mcp-lockstep reports it."
    elif code.severity == "error":
        yield f"\nExit code: {code.exit}. To leave it out, with a reason:"
        yield f'[tool.mcp-lockstep]\nignore = {{ "{code.slug}" = "why" }}'

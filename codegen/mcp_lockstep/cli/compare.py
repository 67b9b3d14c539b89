"""Say what is different between two contracts, schemas or modules of models, and whom it breaks."""

from __future__ import annotations

import argparse

from mcp_lockstep.cli.differences import WRITERS, Detail
from mcp_lockstep.compare.report import compare

EXAMPLES = """\
  mcp-lockstep compare git:main contract.json            this file as it is on main
  mcp-lockstep compare git:v1.2.0 . --format markdown    a comment for the pull request
  mcp-lockstep compare dist/weather-1.2.0-py3-none-any.whl contract.json
  mcp-lockstep compare mcp@2025-11-25 mcp@2026-07-28
"""

_ROWS = 50


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `compare`."""
    parser.add_argument(
        "old", metavar="OLD", help="a contract, a schema, models, a bundled schema, git:REV[:PATH], a wheel"
    )
    parser.add_argument(
        "new", metavar="NEW", help="the same; git:REV as OLD means this path at that revision"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="show what breaks nobody, too")
    parser.add_argument(
        "--rows",
        type=int,
        default=_ROWS,
        metavar="N",
        help=f"at most so many rows of Markdown (default: {_ROWS})",
    )
    parser.add_argument(
        "--format", choices=sorted(WRITERS), default="text", help="how to print (default: text)"
    )


def run(options: argparse.Namespace) -> int:
    """Compare and print; 1 where somebody is broken."""
    form = options.format
    # What is refused are findings, and findings have no Markdown.
    options.format = "text" if form == "markdown" else form
    comparison = compare(options.old, options.new)
    WRITERS[form](comparison, Detail(options.verbose, max(options.rows, 1)))
    return 1 if comparison.breaking else 0

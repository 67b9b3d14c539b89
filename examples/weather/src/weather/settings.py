"""What the server is told: environment variables and arguments, one declaration each."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


class Arguments(argparse.Namespace):
    """The command line."""

    transport: str
    host: str
    port: int


def arguments(given: Sequence[str] | None = None) -> Arguments:
    """What `given`, or else the command line, says. Ends the program where that is wrong."""
    parser = argparse.ArgumentParser(
        prog="weather",
        description="The server weather",
    )
    parser.add_argument(
        "--transport",
        choices=["stdio", "http"],
        default="stdio",
        help="how to speak to clients",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (http)"
    )
    parser.add_argument(
        "--port",
        type=int,
        default=8000,
        help="port to listen on (http)",
    )
    return parser.parse_args(given, Arguments())

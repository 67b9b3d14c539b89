"""Starts the server: over stdio, or over HTTP with `--transport http`."""

from __future__ import annotations

from weather.app import mcp
from weather.settings import arguments


def main() -> None:
    """Load every tool, prompt and resource, then serve until the client leaves."""
    given = arguments()
    mcp.load()
    if given.transport == "http":
        mcp.run("streamable-http", host=given.host, port=given.port)
    else:
        mcp.run("stdio")

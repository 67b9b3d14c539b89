"""`streamable` became `streamable-http`, and every package has a transport."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, assumed, written
from mcp_lockstep.migrate.walk import packages, remotes
from mcp_lockstep.rules.manifest import At, JsonObject

_FORMER = ("streamable", "streamableHttp", "streamable_http")


def transport_types(data: JsonObject, target: str) -> Iterator[Move]:
    """Kinds of transport get their name of today; a package without one is taken to talk over stdio."""
    for remote in remotes(data):
        yield from _kind(remote)
    for package in packages(data):
        if "transport" not in package.data:
            message = "The package did not say how a client talks to it; a stdio transport was added."
            hint = 'If it serves HTTP write "type": "streamable-http" and a `url`.'
            yield assumed(package.to("transport"), {"type": "stdio"}, message, "stdio", hint)
        yield from _kind(package.child("transport"))


def _kind(at: At) -> Iterator[Move]:
    old = at.text("type")
    if old in _FORMER:
        message = f"The kind of transport `{old}` is called `streamable-http` now."
        yield written(at.to("type"), "streamable-http", message, old)

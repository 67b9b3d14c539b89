"""The keys of the file and of packages lost their underscores in 2025-09-16."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, renames
from mcp_lockstep.migrate.walk import packages
from mcp_lockstep.rules.former import PACKAGE, TOP
from mcp_lockstep.rules.manifest import At, JsonObject


def package_keys(data: JsonObject, target: str) -> Iterator[Move]:
    """The eight keys outside of inputs."""
    yield from renames(At("", data), TOP)
    for package in packages(data):
        yield from renames(package, PACKAGE)

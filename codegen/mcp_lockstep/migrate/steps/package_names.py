"""Packages called their registry and themselves by other names before the first published revision."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, renamed, superseded
from mcp_lockstep.migrate.walk import packages
from mcp_lockstep.rules.manifest import JsonObject

_NAMES = {
    "registry_name": ("registry_type", "registryType"),
    "name": ("identifier",),
}


def package_names(data: JsonObject, target: str) -> Iterator[Move]:
    """`registry_name` and `name` of a package get the names of the first published revision."""
    for package in packages(data):
        for old, spellings in _NAMES.items():
            there = next((name for name in spellings if name in package.data), "")
            if old in package.data:
                yield superseded(package, old, there) if there else renamed(package, old, spellings[0])

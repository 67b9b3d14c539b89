"""Container images are packages of the kind `oci`, whatever they were called before."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.launch.package import FORMER_TYPES
from mcp_lockstep.migrate.moves import Move, written
from mcp_lockstep.migrate.walk import packages
from mcp_lockstep.rules.manifest import JsonObject


def registry_types(data: JsonObject, target: str) -> Iterator[Move]:
    """The former kinds of registry get their name of today; kinds that are gone stay, for the rules to report."""
    for package in packages(data):
        for key in ("registry_type", "registryType"):
            old = package.text(key)
            if old in FORMER_TYPES:
                new = FORMER_TYPES[old]
                yield written(
                    package.to(key), new, f"The kind of registry `{old}` is called `{new}` now.", old
                )

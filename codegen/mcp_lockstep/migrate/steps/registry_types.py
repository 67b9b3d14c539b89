"""Container images are packages of the kind `oci`, whatever they were called before."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, written
from mcp_lockstep.migrate.walk import packages
from mcp_lockstep.rules.manifest import JsonObject

_FORMER = {"docker": "oci", "docker-hub": "oci"}


def registry_types(data: JsonObject, target: str) -> Iterator[Move]:
    """The former kinds of registry get their name of today; kinds that are gone stay, for the rules to report."""
    for package in packages(data):
        for key in ("registry_type", "registryType"):
            old = package.text(key)
            if old in _FORMER:
                new = _FORMER[old]
                yield written(
                    package.to(key), new, f"The kind of registry `{old}` is called `{new}` now.", old
                )

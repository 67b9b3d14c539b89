"""The keys of the file and of packages lost their underscores in 2025-09-16."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, renames
from mcp_lockstep.migrate.walk import packages
from mcp_lockstep.rules.manifest import At, JsonObject

_TOP = {"website_url": "websiteUrl"}
_PACKAGE = {
    "registry_type": "registryType",
    "registry_base_url": "registryBaseUrl",
    "file_sha256": "fileSha256",
    "runtime_hint": "runtimeHint",
    "runtime_arguments": "runtimeArguments",
    "package_arguments": "packageArguments",
    "environment_variables": "environmentVariables",
}


def package_keys(data: JsonObject, target: str) -> Iterator[Move]:
    """The eight keys outside of inputs."""
    yield from renames(At("", data), _TOP)
    for package in packages(data):
        yield from renames(package, _PACKAGE)

"""Packages with a name in a public registry need neither its address nor a hash."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.bundled import catalog
from mcp_lockstep.migrate.moves import Move, dropped
from mcp_lockstep.migrate.walk import packages
from mcp_lockstep.rules.manifest import At, JsonObject
from mcp_lockstep.rules.package import BASE_URLS

_FORMER = {"https://api.nuget.org": "nuget", "https://pypi.python.org": "pypi"}


def addresses(data: JsonObject, target: str) -> Iterator[Move]:
    """The usual addresses go, and hashes that nobody compares; other addresses stay.

    In a file that keeps to `target` already only other spellings of the usual addresses go: it is sound as it is.
    """
    schema = data.get("$schema")
    there = isinstance(schema, str) and catalog.server_revision(schema) == target
    for package in packages(data):
        kind = package.text("registryType")
        if kind == "mcpb" and isinstance(package.data.get("registryBaseUrl"), str):
            yield dropped(
                package.to("registryBaseUrl"), "says nothing about a bundle: its address is `identifier`"
            )
        elif kind in BASE_URLS:
            yield from _named(package, kind, BASE_URLS[kind] if there else "")


def _named(package: At, kind: str, kept: str) -> Iterator[Move]:
    if isinstance(package.data.get("fileSha256"), str):
        yield dropped(package.to("fileSha256"), f"is refused in {kind} packages: only bundles have a hash")
    url = package.text("registryBaseUrl")
    bare = url.rstrip("/")
    if url != kept and (bare == BASE_URLS[kind] or _FORMER.get(bare) == kind):
        yield dropped(package.to("registryBaseUrl"), "is where clients look anyway", level="note")

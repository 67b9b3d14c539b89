"""Since 2025-10-11 an image has its version and its host in `identifier`."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.migrate.codes import MOVED
from mcp_lockstep.migrate.moves import Drop, Move, dropped, written
from mcp_lockstep.migrate.walk import packages
from mcp_lockstep.rules.image import Reference, parse_reference
from mcp_lockstep.rules.manifest import At, JsonObject, is_template
from mcp_lockstep.secrecy import masked_text

_HUB = ("hub.docker.com", "registry.hub.docker.com", "registry-1.docker.io", "index.docker.io", "docker.com")


def images(data: JsonObject, target: str) -> Iterator[Move]:
    """`version` and `registryBaseUrl` of an image become a part of its `identifier`."""
    for package in packages(data):
        if package.text("registryType") == "oci":
            if isinstance(package.data.get("fileSha256"), str):
                yield dropped(package.to("fileSha256"), "stands in bundles only: an image has a digest")
            yield from _image(package)


def _image(package: At) -> Iterator[Move]:
    identifier = package.text("identifier")
    found = parse_reference(identifier)
    version, base = package.data.get("version"), package.data.get("registryBaseUrl")
    if found is None or not (isinstance(version, str) or isinstance(base, str)):
        return
    host = _host(base) if isinstance(base, str) else "docker.io"
    if host is None:
        # Part of the address would be lost; the rules ask a person for it.
        return
    full = identifier if found.host else f"{host}/{identifier}"
    if isinstance(version, str) and version and not (found.tag or found.digest):
        full += f"@{version}" if version.startswith("sha256:") else f":{version}"
        if not is_template(version) and parse_reference(full) is None:
            return
    if full != identifier:
        message = f"The image is named in full: {full}."
        yield written(package.to("identifier"), full, message, identifier)
    yield from _version(package, found, version, full)
    yield from _base(package, found, base, host, full)


def _version(package: At, found: Reference, version: object, full: str) -> Iterator[Move]:
    if not isinstance(version, str):
        return
    pointer = package.to("version")
    if version in (found.tag, found.digest) or not (found.tag or found.digest):
        message = "The version of an image is its tag, in `identifier`, now."
        yield Move(MOVED, pointer, message, (Drop(pointer),), have=version, want=full)
    else:
        reason = f"gave way to what `identifier` says, {found.tag or found.digest}"
        yield dropped(pointer, reason, "If the version was right, put it behind the colon in `identifier`.")


def _base(package: At, found: Reference, base: object, host: str, full: str) -> Iterator[Move]:
    if not isinstance(base, str):
        return
    pointer = package.to("registryBaseUrl")
    if found.host in ("", host):
        message = "The host of an image stands in `identifier` now."
        yield Move(MOVED, pointer, message, (Drop(pointer),), have=masked_text(base), want=full)
    else:
        yield dropped(pointer, f"gave way to the host in `identifier`, {found.host}")


def _host(base: str) -> str | None:
    """The host of a registry's address; None where the address says more than that."""
    bare = base.partition("://")[2] or base
    for end in ("/", "/v1", "/v2"):
        bare = bare.removesuffix(end)
    bare = bare.lower()
    if not bare:
        return "docker.io"
    if bare in _HUB:
        return "docker.io"
    return bare if parse_reference(f"{bare}/image") == Reference(bare, "image", "", "") else None

"""Rules for packages that are container images (`oci`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import At, Fault, Manifest, Package, field, is_template, plain, shown, since
from mcp_lockstep.rules.package import hash_forbidden

OCI_VERSION = Code(
    "LS2110",
    "oci-version-field",
    "error",
    "An image has a `version` of its own.",
    "The version of an image is the tag in `identifier`. The schema allows the field, publishing refuses it.",
)
OCI_BASE_URL = Code(
    "LS2111",
    "oci-base-url",
    "error",
    "An image has a `registryBaseUrl`.",
    "The host of an image stands in `identifier`. The schema allows the field, publishing refuses it.",
)
OCI_REFERENCE = Code(
    "LS2112",
    "oci-reference-invalid",
    "error",
    "`identifier` is no image reference.",
    "A reference is [HOST/]REPOSITORY[:TAG][@sha256:DIGEST], the repository in lower case, without a scheme.",
)
OCI_HOST = Code(
    "LS2113",
    "oci-host-unsupported",
    "error",
    "An image stands on a host from which the registry does not read.",
    "It reads docker.io, ghcr.io, quay.io, mcr.microsoft.com, *.pkg.dev and *.azurecr.io.",
)
OCI_TAG_MOVES = Code(
    "LS2114",
    "image-tag-moves",
    "warning",
    "An image is named by `latest`, or by no tag, which means the same.",
    "The registry lets it pass, but what is installed changes under a version that never does.",
)

_HOSTS = ("docker.io", "registry-1.docker.io", "index.docker.io", "ghcr.io", "quay.io", "mcr.microsoft.com")
_DOMAINS = (".pkg.dev", ".azurecr.io")
_REFERENCE = (
    r"(?P<repository>[a-z0-9_./-]+)(?::(?P<tag>\w[\w.-]{0,127}))?"
    r"(?:@(?P<digest>sha256:[0-9a-f]{64}))?"
)
_SINCE = "2025-10-11"
"""The revision with which version and host moved into the identifier."""


class Reference(NamedTuple):
    """The parts of an image reference; empty where absent."""

    host: str
    repository: str
    tag: str
    digest: str


def parse_reference(identifier: str) -> Reference | None:
    """An image reference in parts; None if it is none."""
    first, slash, rest = identifier.partition("/")
    host = first if slash and ("." in first or ":" in first or first == "localhost") else ""
    found = re.fullmatch(_REFERENCE, rest if host else identifier, re.ASCII)
    if found is None or not all(found["repository"].split("/")):
        return None
    return Reference(host, found["repository"], found["tag"] or "", found["digest"] or "")


def images(manifest: Manifest, package: Package) -> Iterator[Fault]:
    """An image has its version and host in the identifier and nowhere else."""
    # `latest` is refused as a version in the first place.
    if package.at.data.get("version", "latest") != "latest":
        yield _version(manifest, package)
    if package.at.data.get("registryBaseUrl"):
        yield _base_url(manifest, package.at)
    if package.at.data.get("fileSha256"):
        yield hash_forbidden(package)
    identifier = package.identifier
    if identifier and " " not in identifier and not is_template(identifier):
        yield from _identifier(package.at, identifier)


def image_hosts(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """An image stands on a host that the registry reads."""
    found = None if is_template(package.identifier) else parse_reference(package.identifier)
    if found and found.host and not (found.host in _HOSTS or found.host.endswith(_DOMAINS)):
        here = package.at.to("identifier")
        listed = ", ".join(_HOSTS)
        message = f"{field(here)} is on {shown(found.host)}; the registry reads {listed} and a few more."
        yield Fault(
            OCI_HOST, here, message, found.host, "docker.io, ghcr.io, quay.io, ...", "Push it there too."
        )


def _version(manifest: Manifest, package: Package) -> Fault:
    # A number is no tag either, and is told as what it is.
    version, identifier = package.at.data["version"], package.identifier
    found = parse_reference(identifier)
    bare = found is not None and not found.tag and not found.digest and package.version != ""
    tagged = f"{identifier}:{version}" if bare else identifier
    here = package.at.to("version")
    return Fault(
        OCI_VERSION,
        here,
        f"{field(here)} is {shown(version)}; an image has its version in `identifier` only.",
        have=plain(version),
        want=tagged,
        hint=f'Write "identifier": {shown(tagged)} and remove `version`, or run `mcp-lockstep migrate FILE --write`.'
        if bare
        else "Remove `version`.",
        level=since(manifest, _SINCE),
    )


def _base_url(manifest: Manifest, package: At) -> Fault:
    here, value = package.to("registryBaseUrl"), package.data["registryBaseUrl"]
    message = f"{field(here)} is {shown(value)}; an image has its host in `identifier` only."
    hint, level = "Remove `registryBaseUrl`.", since(manifest, _SINCE)
    return Fault(OCI_BASE_URL, here, message, plain(value), None, hint, level)


def _identifier(package: At, identifier: str) -> Iterator[Fault]:
    here, found = package.to("identifier"), parse_reference(identifier)
    if found is None:
        message = f"{field(here)} is {shown(identifier)}; an image reference is wanted."
        hint = "Remove the scheme." if "://" in identifier else ""
        if identifier != identifier.lower():
            hint = "Repositories are written in lower case."
        yield Fault(OCI_REFERENCE, here, message, identifier, "[HOST/]REPOSITORY[:TAG]", hint)
    elif found.tag == "latest" or not (found.tag or found.digest or "version" in package.data):
        said = "has the tag latest" if found.tag else "has no tag, which means latest"
        message = f"{field(here)} is {shown(identifier)}, which {said}; the tag of one version is wanted."
        hint = "Write the tag that was pushed for this version."
        yield Fault(OCI_TAG_MOVES, here, message, identifier, "a tag that does not move", hint)

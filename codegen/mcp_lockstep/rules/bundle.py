"""Rules for packages that are MCP bundles (`mcpb`): a release asset and its hash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, Manifest, Package, field, is_template, plain, shown, since
from mcp_lockstep.rules.urls import parse_url

MCPB_IDENTIFIER = Code(
    "LS2120",
    "mcpb-identifier",
    "error",
    "A bundle's `identifier` is no address of a release asset.",
    "The registry takes https addresses of release assets on GitHub and GitLab, with `mcp` somewhere in "
    "them: https://github.com/OWNER/NAME/releases/download/TAG/FILE.mcpb.",
)
MCPB_HASH = Code(
    "LS2121",
    "mcpb-hash-required",
    "error",
    "A bundle has no `fileSha256`.",
    "Clients compare it with the file that they downloaded. The registry asks for it but does not compare "
    "it: take the hash of the very file that is uploaded.",
)
MCPB_BASE_URL = Code(
    "LS2122",
    "mcpb-base-url",
    "error",
    "A bundle has a `registryBaseUrl`.",
    "The address of a bundle is its `identifier`. The schema allows the field, publishing refuses it.",
)

_OWNER = r"/[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,37}[a-zA-Z0-9])?"
_ASSETS = {
    "github.com": rf"{_OWNER}/[a-zA-Z0-9._-]+/releases/download/[^/]+/[^/]+",
    "gitlab.com": r"/.+/-/(?:releases/[^/]+/downloads/.+|package_files/\d+/download)",
}
_WANT = "https://github.com/OWNER/NAME/releases/download/TAG/FILE.mcpb"


def bundles(manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A bundle has a hash and no registry address."""
    at = package.at
    if not at.data.get("fileSha256"):
        message = f"{field(at.pointer)} has no `fileSha256`; the registry asks for it in every bundle."
        hint = "Add the SHA-256 of the uploaded file, 64 lower-case hex digits."
        yield Fault(MCPB_HASH, at.to("fileSha256"), message, None, "64 lower-case hex digits", hint)
    if at.data.get("registryBaseUrl"):
        here, value = at.to("registryBaseUrl"), at.data["registryBaseUrl"]
        message = f"{field(here)} is {shown(value)}; a bundle has its address in `identifier` only."
        hint, level = "Remove `registryBaseUrl`.", since(manifest, "2025-10-11")
        yield Fault(MCPB_BASE_URL, here, message, plain(value), None, hint, level)


def bundle_addresses(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A bundle is a release asset that the registry can find."""
    identifier = package.identifier
    wrong = "" if not identifier or is_template(identifier) else _fault_of_address(identifier)
    if wrong:
        here = package.at.to("identifier")
        message = f"{field(here)} is {shown(identifier)}: {wrong}; the address of a release asset is wanted."
        hint = "Upload the bundle to a release and give its address."
        yield Fault(MCPB_IDENTIFIER, here, message, plain(identifier), _WANT, hint)


def _fault_of_address(address: str) -> str:
    """What is wrong with the address of a bundle, as a clause; empty if nothing is."""
    url = parse_url(address)
    if url is None or not url.scheme or not url.host:
        return "it is no address"
    if url.scheme != "https":
        return "it is not https"
    host = url.host.lower().removeprefix("www.")
    if host not in _ASSETS:
        return "it is neither on github.com nor on gitlab.com"
    if not re.fullmatch(_ASSETS[host], url.path, re.ASCII):
        return "its path is not that of a release asset"
    return "" if "mcp" in address.lower() else "`mcp` stands nowhere in it"

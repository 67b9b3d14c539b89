"""Rules that were proposed for the official registry and not decided when they were read: notes, each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import (
    At,
    Fault,
    Manifest,
    Package,
    field,
    is_template,
    members,
    plain,
    shown,
    text,
)
from mcp_lockstep.rules.transport import filled_url

VALUE_HINT_ON_NAMED = Code(
    "LS2170",
    "named-argument-value-hint",
    "note",
    "A named argument has a `valueHint`.",
    "It names the value of a positional argument. The registry takes it today; a change that refuses it on named "
    "arguments was proposed. Say what the value is in `description` or `placeholder`.",
)
REMOTE_NOT_PUBLIC = Code(
    "LS2171",
    "remote-address-not-public",
    "note",
    "The address of a remote is one of a private network.",
    "Nobody outside that network reaches it. The registry refuses localhost only; a change that refuses loopback, "
    "private, link-local, shared and multicast addresses was proposed (issue 1465 of the registry).",
)
REPOSITORY_INCOMPLETE = Code(
    "LS2172",
    "repository-incomplete",
    "note",
    "`repository` has an empty `url` or `source`.",
    "The registry skips it where both are empty, and publishes it as it stands; a change that refuses it was "
    "proposed (issue 1546 of the registry). Fill in both, or leave `repository` out.",
)
VERSION_TOO_LONG = Code(
    "LS2173",
    "package-version-too-long",
    "note",
    "A package's `version` has more than 255 characters.",
    "That is the limit of the server's own version, and of a package's in the draft of the next revision.",
)
GO_PACKAGE = Code(
    "LS2174",
    "go-package-form",
    "note",
    "A Go package does not have the form that was proposed for such packages.",
    "The registry does not take packages of the kind `go` yet. As proposed, the identifier is github.com/OWNER/..., "
    "the server is called io.github.OWNER/..., and the version begins with `v`.",
)

_LONGEST_VERSION = 255
_GO_BASE = "https://proxy.golang.org"
_NUMBERS = r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})"
_NOT_PUBLIC_6 = r"\[(?:::1?|::ffff:.*|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|ff[0-9a-f]{2}:.*)\]"


def value_hints(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A named argument has no `valueHint`."""
    for argument in package.arguments:
        if argument.text("type") == "named" and argument.text("valueHint"):
            here, hint = argument.to("valueHint"), argument.text("valueHint")
            message = f"{field(here)} is {shown(hint)}; it belongs to positional arguments."
            yield Fault(VALUE_HINT_ON_NAMED, here, message, hint, None, "Say it in `description` instead.")


def remote_networks(manifest: Manifest) -> Iterator[Fault]:
    """A remote is at an address of the public network."""
    for remote in manifest.remotes:
        url = remote.text("url")
        parsed = filled_url(url) if url and not is_template(url) else None
        if parsed is not None and parsed.scheme == "https" and _is_private_host(parsed.host):
            here = remote.to("url")
            message = (
                f"{field(here)} is {shown(url)}, which is in a private network; a public address is wanted."
            )
            yield Fault(
                REMOTE_NOT_PUBLIC, here, message, plain(url), "https://HOST/PATH", "Name a public host."
            )


def _is_private_host(host: str) -> bool:
    """Whether `host` is written as an address that nobody reaches from outside, and that the registry takes today."""
    # A full stop at the end makes a name a whole one; it stays the same host.
    folded = host.lower().removesuffix(".")
    numbers = re.fullmatch(_NUMBERS, folded, re.ASCII)
    if host in ("localhost", "127.0.0.1") or host.endswith(".localhost"):
        return False
    if numbers is None:
        return (
            f".{folded}".endswith(".localhost") or re.fullmatch(_NOT_PUBLIC_6, folded, re.ASCII) is not None
        )
    first, second = int(numbers[1]), int(numbers[2])
    return (
        first in (0, 10, 127)
        or 224 <= first <= 255
        or (first == 100 and 64 <= second <= 127)
        or (first == 169 and second == 254)
        or (first == 172 and 16 <= second <= 31)
        or (first == 192 and second == 168)
    )


def whole_repository(manifest: Manifest) -> Iterator[Fault]:
    """A repository says both where it is and on which host."""
    here = At("/repository", members(manifest.data.get("repository")))
    for key in ("url", "source"):
        if here.data.get(key) == "":
            message = (
                f"{field(here.to(key))} is empty; both `url` and `source` are wanted, or no `repository`."
            )
            yield Fault(REPOSITORY_INCOMPLETE, here.to(key), message, '""', None, "Leave `repository` out.")
            return


def version_lengths(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A package's version is as short as a server's."""
    length = len(package.version)
    if length > _LONGEST_VERSION:
        here = package.at.to("version")
        have, want = f"{length} characters", f"at most {_LONGEST_VERSION} characters"
        message = f"{field(here)} has {have}; {want} are proposed."
        yield Fault(VERSION_TOO_LONG, here, message, have, want, "Shorten it.")


def go_packages(manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A Go package has the form that was proposed."""
    namespace = text(manifest.data.get("name")).partition("/")[0].lower()
    identifier, version = package.identifier, package.version
    owner = re.match(r"github\.com/([^/]+)/[^/]", identifier)
    wrong: list[tuple[str, str]] = []
    if owner is None:
        wrong.append(("identifier", "github.com/OWNER/NAME"))
    elif namespace != f"io.github.{owner[1].lower()}":
        wrong.append(("identifier", f"a module of the owner in {shown(namespace)}"))
    if not version.startswith("v"):
        wrong.append(("version", f"v{version}" if version else "a version such as v1.0.0"))
    data = package.at.data
    if data.get("registryBaseUrl", _GO_BASE) != _GO_BASE:
        wrong.append(("registryBaseUrl", _GO_BASE))
    for key, want in wrong:
        have, here = plain(data[key]) if key in data else None, package.at.to(key)
        message = f"{field(here)} is {shown(data.get(key))}; {want} is proposed."
        yield Fault(GO_PACKAGE, here, message, have, want, f"Write {want}.")

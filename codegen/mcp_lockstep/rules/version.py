"""Rules for versions: the server's own and those of its packages are exact."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, Manifest, Package, field, is_template, shown

RESERVED_VERSION = Code(
    "LS2040",
    "reserved-version-string",
    "error",
    "A version is `latest`.",
    "The registry keeps that word for itself: every entry has one exact version.",
    registry="reserved-version-string",
)
VERSION_RANGE = Code(
    "LS2041",
    "version-looks-like-range",
    "error",
    "A version reads like a range to the registry.",
    "`^1.2`, `>=1`, `1.x`, `1 - 2` are ranges. So, by accident, is a pre-release with an `x` in it, such as "
    "1.0.0-next.1 or 1.0.0-fix; use another word there (alpha, beta, rc).",
    registry="version-looks-like-range",
)
VERSION_RANGE_PYTHON = Code(
    "LS2042",
    "version-range-unnoticed",
    "warning",
    "A version is a range, or the word latest, in a form that the registry does not notice.",
    "It would be published as it is, and no client can install such a version.",
)
VERSION_BLANK = Code(
    "LS2043",
    "version-blank",
    "error",
    "A version is empty.",
    "The schema lets an empty text pass for the server's own version; neither clients nor sorting can use "
    "it.",
)

_NUMBER = r"v?\d+(?:\.\d+){0,3}(?:-[0-9A-Za-z.-]+)?"
_RANGES = (
    rf"\s*(?:\^|~|>=|<=|>|<|=)\s*{_NUMBER}\s*",
    rf"\s*{_NUMBER}\s-\s*{_NUMBER}\s*",
    rf"\s*(?:{_NUMBER}\s*)(?:\|\|\s*{_NUMBER}\s*)+",
)
_WILDCARD = r"\s*(?:v?\d+|x|X|\*)(?:\.(?:\d+|x|X|\*)){1,2}(?:-[0-9A-Za-z.-]+)?\s*"
_UNNOTICED = r"(?:[<>=~^]=?|!=)\s*v?\d|[*,|]|\A[xX]\Z|\.[xX](?:\.|\Z)|\d\s*-\s+v?\d|\d\s+-"


def server_version(manifest: Manifest) -> Iterator[Fault]:
    """The server's version is exact."""
    yield from _version("/version", manifest.data.get("version"))


def package_versions(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """Every package's version is exact."""
    for fault in _version(package.at.to("version"), package.at.data.get("version")):
        hint = "Remove it: an image has its version as tag."
        yield fault._replace(hint=hint) if package.kind == "oci" else fault


def _version(pointer: str, value: object) -> Iterator[Fault]:
    if not isinstance(value, str) or is_template(value):
        return
    code, reason, hint = fault_of_version(value)
    if code is not None:
        message = f"{field(pointer)} is {shown(value)}, {reason}; an exact version is wanted."
        yield Fault(code, pointer, message, value, "an exact version", hint)


def fault_of_version(value: str) -> tuple[Code | None, str, str]:
    """The code for a version that is not exact, why it is not, and what to do; None if it is."""
    bare = value.strip()
    if not bare:
        return VERSION_BLANK, "which says nothing", "Write the version, such as 1.0.0."
    if value == "latest":
        return RESERVED_VERSION, "which the registry keeps for itself", "Write the version that was released."
    if bare.lower() == "latest":
        return VERSION_RANGE_PYTHON, "which is no version", "Write the version that was released."
    if bare.replace(".", "").isalnum() and not any(c in bare for c in "xX"):
        return None, "", ""
    if _is_range(bare):
        if "-" in bare and bare.partition("-")[0].replace(".", "").removeprefix("v").isdigit():
            hint = "Use a pre-release word without an x, such as rc."
            return VERSION_RANGE, "which the registry reads as a range for the x in it", hint
        return VERSION_RANGE, "which is a range", "Write the one version that was released."
    if re.search(_UNNOTICED, bare, re.ASCII):
        return VERSION_RANGE_PYTHON, "which is a range", "Write the one version that was released."
    return None, "", ""


def _is_range(version: str) -> bool:
    """Whether the registry takes `version` for a range; it is wrong about some pre-releases."""
    if any(re.fullmatch(pattern, version, re.ASCII) for pattern in _RANGES):
        return True
    return any(c in version for c in "xX*") and re.fullmatch(_WILDCARD, version, re.ASCII) is not None

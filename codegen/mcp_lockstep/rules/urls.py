"""Addresses, read as strictly as the registry reads them and without `urllib`."""

from __future__ import annotations

import re

from mcp_lockstep.records import NamedTuple

_BAD = r"[\x00-\x1f\x7f]|%(?![0-9A-Fa-f]{2})"
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*"
_HOST = r"(?:\[[0-9A-Fa-f:.%]+\]|[^\s\[\]<>\"^`{|}\\:]*)"


class Url(NamedTuple):
    """The parts of an address that rules look at; empty where absent. `scheme` is lower-case."""

    scheme: str
    user: str
    host: str
    path: str


def parse_url(address: str) -> Url | None:
    """The parts of `address`; None for what no reader takes: control characters, bad escapes, bad ports."""
    if ("%" in address or not address.isprintable()) and re.search(_BAD, address):
        return None
    scheme, colon, rest = address.partition(":")
    if not colon or not _is_scheme(scheme):
        scheme, rest = "", address
    path = rest.partition("#")[0].partition("?")[0]
    user = host = ""
    if path.startswith("//"):
        authority, slash, tail = path[2:].partition("/")
        user, _, place = authority.rpartition("@")
        host, _, port = place.rpartition(":") if _has_port(place) else (place, "", "")
        if not _is_host(host) or not (port == "" or (port.isascii() and port.isdigit())):
            return None
        path = slash + tail
    return Url(scheme.lower(), user, host, path)


def _is_scheme(text: str) -> bool:
    return text in {"https", "http"} or re.fullmatch(_SCHEME, text, re.ASCII) is not None


def _has_port(place: str) -> bool:
    # The colons of an IPv6 address stand in brackets.
    return ":" in place.rpartition("]")[2]


def _is_host(host: str) -> bool:
    plain = host.replace(".", "").replace("-", "")
    return (plain.isascii() and plain.isalnum()) or re.fullmatch(_HOST, host, re.ASCII) is not None

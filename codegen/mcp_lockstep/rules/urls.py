"""Addresses, read as strictly as the registry reads them and without `urllib`."""

from __future__ import annotations

import re
from typing import NamedTuple

_URL = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)", re.ASCII)
_BAD = re.compile(r"[\x00-\x1f\x7f]|%(?![0-9A-Fa-f]{2})", re.ASCII)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\s\[\]<>\"^`{|}\\:]*)(?::(\d*))?\Z", re.ASCII)


class Url(NamedTuple):
    """The parts of an address that rules look at; empty where absent. `scheme` is lower-case."""

    scheme: str
    user: str
    host: str
    path: str


def parse_url(address: str) -> Url | None:
    """The parts of `address`; None for what no reader takes: control characters, bad escapes, bad ports."""
    found = _URL.match(address)
    if found is None or _BAD.search(address):
        return None
    user, _, rest = (found[2] or "").rpartition("@")
    host = _HOST.match(rest)
    if host is None:
        return None
    return Url((found[1] or "").lower(), user, host[1], found[3])

"""What is gathered while an archive is read: names, contents that are kept, and faults, each kind a few times."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

from mcp_lockstep.archive.codes import (
    ARCHIVE_DAMAGED,
    ARCHIVE_TOO_LARGE,
    MEMBER_ENCRYPTED,
    MEMBER_OUTSIDE,
    MEMBER_PACKED,
    MEMBER_TWICE,
)
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.tree import MAX_BYTES

MAX_UNPACKED = 1_000_000_000
MAX_MEMBERS = 100_000
_MAX_KEPT = 64_000_000
_SHOWN = 5
"""So many findings of one kind are given; the last says how many more there are."""

_ONCE = (MEMBER_ENCRYPTED, MEMBER_PACKED)
"""Kinds that come from how the whole archive was made: one finding tells all."""

KEPT = frozenset(
    "METADATA PKG-INFO RECORD WHEEL entry_points.txt server.json contract.json pyproject.toml mcp-lockstep.toml "
    "setup.cfg setup.py".split()
)
"""Files that say something about the package, by their name, wherever they lie."""


class Contents:
    """An archive as far as it has been read."""

    def __init__(self, path: str, kept: Collection[str] = KEPT) -> None:
        self.path = path
        self.wanted = kept
        self.names: set[str] = set()
        self.files: dict[str, bytes] = {}
        self.again: dict[str, None] = {}
        self._kept = 0
        self._faults: dict[Code, list[Finding]] = {}
        self._more: dict[Code, int] = {}

    def add(self, name: str) -> bool:
        """Take note of a member; whether its contents are wanted. Refused when there are too many.

        A name that was there before is in `again` from then on, and its contents are not wanted.
        """
        if len(self.names) >= MAX_MEMBERS:
            raise Refused(self.too_large(f"{self.path} has more than {MAX_MEMBERS:,} members"))
        if leads_out(name):
            self.say(MEMBER_OUTSIDE, name, f"{name!r} leads out of the archive")
        if name in self.names:
            self.again.setdefault(name)
            return False
        self.names.add(name)
        return name.rpartition("/")[2] in self.wanted and not leads_out(name)

    def keep(self, name: str, raw: bytes) -> None:
        """Keep the contents of a member, unless they or all that are kept are too large."""
        if len(raw) > MAX_BYTES:
            self.say(ARCHIVE_TOO_LARGE, name, f"{name!r} is larger than {MAX_BYTES:,} bytes")
        elif self._kept + len(raw) > _MAX_KEPT:
            self.say(ARCHIVE_TOO_LARGE, name, f"what is to be read is larger than {_MAX_KEPT:,} bytes")
        else:
            self._kept += len(raw)
            self.files[name] = raw

    def doubled(self, names: Iterable[str]) -> None:
        """Tell that each of `names` stands there twice."""
        for name in names:
            self.say(MEMBER_TWICE, name, f"{name!r} stands twice in the archive")

    def clash(self, names: Sequence[str]) -> None:
        """Tell every file, of all `names` in order, that is a folder as well."""
        for name in names:
            at = bisect_left(names, f"{name}/")
            if not name.endswith("/") and at < len(names) and names[at].startswith(f"{name}/"):
                self.say(MEMBER_TWICE, name, f"{name!r} is a file and a folder in the archive")

    def say(self, code: Code, member: str, message: str) -> None:
        """Add a finding about a member; of each kind the first few are kept."""
        found = self._faults.setdefault(code, [])
        if len(found) < (1 if code in _ONCE else _SHOWN):
            found.append(Finding(code, Place(f"{self.path}!{member}"), message))
        else:
            self._more[code] = self._more.get(code, 0) + 1

    def too_large(self, message: str) -> Finding:
        """The finding about an archive that is too large to be read on."""
        return Finding(ARCHIVE_TOO_LARGE, Place(self.path), message)

    def damaged(self, reason: object) -> Refused:
        """The exception about an archive that cannot be read."""
        message, hint = f"{self.path} cannot be read: {reason}", "build it again, and do not upload this one"
        return Refused(*self.faults(), Finding(ARCHIVE_DAMAGED, Place(self.path), message, hint=hint))

    def faults(self) -> tuple[Finding, ...]:
        """Everything that was said."""
        return tuple(
            finding for code, found in self._faults.items() for finding in self._counted(code, found)
        )

    def _counted(self, code: Code, found: list[Finding]) -> list[Finding]:
        more = self._more.get(code, 0)
        if not more:
            return found
        *first, last = found
        return [*first, last._replace(message=f"{last.message}, and {more:,} more like it")]


def leads_out(name: str) -> bool:
    """Whether a member of that name could be unpacked outside the folder that is meant."""
    return (
        name.startswith("/")
        or "\\" in name
        or "\0" in name
        or ".." in name.split("/")
        or re.match(r"[A-Za-z]:", name) is not None
    )

"""A folder as it stands in a git revision, read by git itself: no shell, no filters, no network."""

from __future__ import annotations

import os
import posixpath

from mcp_lockstep.documents.codes import GIT_UNREADABLE
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.tree import MAX_BYTES, is_listed

SCHEME = "git:"
"""How `git:REV:PATH` begins."""

_SECONDS = 60


class Revision:
    """The folder `base` of a clone in the revision `name`, a source of a `Tree`. Refused where git knows none."""

    def __init__(self, base: str, name: str) -> None:
        self._base = base or "."
        self._name = name
        sound = name and not name.startswith("-") and ":" not in name and name.isprintable()
        if not sound or self._git("rev-parse", "--verify", "--quiet", f"{name}^{{tree}}") is None:
            message = f"git knows no revision {name!r} in {self._base}"
            raise _refused(name, message, "a shallow clone knows few revisions: `git fetch` more of them")
        prefix = self._git("rev-parse", "--show-prefix") or b""
        self._prefix = prefix.decode("utf-8", "surrogateescape").removesuffix("\n")

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None where the revision has none of that name. Refused for one that is too large."""
        address = self._address(path)
        size = self._git("cat-file", "-s", address)
        if size is None or (self._git("cat-file", "-t", address) or b"").strip() != b"blob":
            return None
        if int(size) > MAX_BYTES:
            raise _refused(path, f"{path} is larger than {MAX_BYTES:,} bytes in {self._name}", "")
        return self._git("cat-file", "blob", address)

    def folder(self, path: str) -> tuple[str, ...]:
        """Sorted names in a folder, those of folders with a final `/`; empty where there is none."""
        listed = self._git("ls-tree", "-z", "--full-tree", self._address(path))
        found: list[str] = []
        for line in (listed or b"").decode("utf-8", "replace").split("\0"):
            kind, _, name = line.partition("\t")
            if name and is_listed(name):
                found.append(name + ("/" if " tree " in kind else ""))
        return tuple(sorted(found))

    def _address(self, path: str) -> str:
        """A file or folder as git wants it named: from the top of the clone on."""
        full = posixpath.normpath(posixpath.join(self._prefix, path))
        return f"{self._name}:{'' if full == '.' else full}"

    def _git(self, *arguments: str) -> bytes | None:
        """What git answers; None where it says no."""
        import subprocess

        command = ["git", "--no-pager", "-C", self._base, *arguments]
        # Fetching missing objects of a partial clone would be a use of the network that nobody asked for.
        environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                check=False,
                timeout=_SECONDS,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            raise _refused(self._name, f"git cannot be run: {error}", "install git") from None
        return done.stdout if done.returncode == 0 else None


def _refused(label: str, message: str, hint: str) -> Refused:
    return Refused(Finding(GIT_UNREADABLE, Place(label), message, hint=hint))

"""Files as they were in a git revision. git is asked without a shell and never changes anything."""

from __future__ import annotations

import os
import subprocess

from mcp_lockstep.compare.codes import GIT_UNREADABLE
from mcp_lockstep.contract.model import shown
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.tree import MAX_BYTES

_SECONDS = 60


class GitFiles:
    """The folder `base` of a clone in the revision `revision`. Paths are relative to that folder."""

    def __init__(self, base: str, revision: str) -> None:
        self._base = base or "."
        self._revision = revision
        shape = revision and not revision.startswith("-") and ":" not in revision and revision.isprintable()
        if not shape or self._git("rev-parse", "--verify", "--quiet", f"{revision}^{{tree}}") is None:
            message = f"git knows no revision {shown(revision)} in {self._base}"
            raise _refused(revision, message, "a shallow clone knows few revisions: `git fetch` more of them")
        shown_prefix = self._git("rev-parse", "--show-prefix") or b""
        self._prefix = shown_prefix.decode("utf-8", "surrogateescape").removesuffix("\n")

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None where the revision has none of that name. Refused for one that is too large."""
        address = self._address(path)
        size = self._git("cat-file", "-s", address)
        if size is None or (self._git("cat-file", "-t", address) or b"").strip() != b"blob":
            return None
        if int(size) > MAX_BYTES:
            raise _refused(path, f"{path} is larger than {MAX_BYTES:,} bytes in {self._revision}", "")
        return self._git("cat-file", "blob", address)

    def folder(self, path: str) -> tuple[str, ...]:
        """Sorted names in a folder, those of folders with a final `/`; empty where there is none."""
        listed = self._git("ls-tree", "-z", "--full-tree", self._address(path))
        found: list[str] = []
        for line in (listed or b"").decode("utf-8", "replace").split("\0"):
            kind, _, name = line.partition("\t")
            if name and not name.startswith("."):
                found.append(name + ("/" if " tree " in kind else ""))
        return tuple(sorted(found))

    def _address(self, path: str) -> str:
        return f"{self._revision}:{self._prefix}{path}".removesuffix("/")

    def _git(self, *arguments: str) -> bytes | None:
        """What git answers; None where it says no."""
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
            raise _refused(self._revision, f"git cannot be run: {error}", "install git") from None
        return done.stdout if done.returncode == 0 else None


def _refused(label: str, message: str, hint: str) -> Refused:
    return Refused(Finding(GIT_UNREADABLE, Place(label), message, hint=hint))

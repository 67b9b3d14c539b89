"""Kill the program at one of its writing calls, and look at what it leaves."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

import pytest

from mcp_lockstep import plan

When = Literal["before", "after"]
WRITING = ("makedirs", "unlink", "fsync", "chmod", "replace")


class Killed(BaseException):
    """The end of the program at one call."""


class Calls:
    """Counts writing calls; at call `at` the program ends, before or after the call did its work."""

    def __init__(self, at: int = -1, when: When = "before", end: Callable[[], None] | None = None) -> None:
        self.at, self.when, self.count = at, when, 0
        self.end = end or _raise

    def step(self, work: Callable[[], object], half: Callable[[], object] | None = None) -> object:
        here = self.count == self.at
        self.count += 1
        if here and self.when == "before":
            if half is not None:
                half()
            self.end()
        try:
            return work()
        finally:
            if here and self.when == "after":
                self.end()


@contextmanager
def watched(calls: Calls) -> Generator[Calls]:
    """Every call by which `plan` changes a file goes through `calls`."""
    with pytest.MonkeyPatch.context() as patch:
        for name in WRITING:
            # The disk of a test is never cut off, so nothing is gained by waiting for it.
            real: Callable[..., object] = int if name == "fsync" else getattr(os, name)
            patch.setattr(os, name, _counted(real, calls))
        patch.setattr(plan, "open", _opener(calls), raising=False)
        yield calls


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file below `root`, hidden ones too."""
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def put_tree(root: Path, files: dict[str, bytes]) -> None:
    """Make `root` hold exactly `files`."""
    for path in sorted(root.rglob("*"), reverse=True):
        path.unlink() if path.is_symlink() or path.is_file() else path.rmdir()
    for name, raw in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


def leftovers(root: Path) -> list[str]:
    """Files of ours that no command may leave behind."""
    return [name for name in tree_of(root) if "mcp-lockstep~" in name or name.endswith("-journal")]


def _raise() -> None:
    raise Killed


def _counted(real: Callable[..., object], calls: Calls) -> Callable[..., object]:
    def call(*args: object, **options: object) -> object:
        return calls.step(lambda: real(*args, **options))

    return call


def _opener(calls: Calls) -> Callable[..., object]:
    def opened(path: str, mode: str) -> object:
        if "w" not in mode:
            return open(path, "rb")
        handles: list[IO[bytes]] = []

        def work() -> None:
            handles.append(open(path, "wb"))  # noqa: SIM115 - the code under test closes it

        try:
            calls.step(work, lambda: Path(path).write_bytes(b"ha"))
        except Killed:
            for handle in handles:
                handle.close()
            raise
        return handles[0]

    return opened

"""Trees, folders and disks that take no file: who is named, what helps, and nothing of ours is left in them."""

from __future__ import annotations

import builtins
import errno
import os
import stat
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from crashes import put_tree, tree_of
from mcp_lockstep import plan
from mcp_lockstep.findings import Refused
from mcp_lockstep.plan import JOURNAL, Change, Plan, apply, recover


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


REFUSED: Mapping[int, str] = {
    errno.EROFS: "it is mounted read-only: mount it for writing, or work on a copy",
    errno.EACCES: "you have no right to write there: `ls -ld` shows whose it is",
    errno.EPERM: "you have no right to write there: `ls -ld` shows whose it is",
    errno.ENOSPC: "make room on that disk",
    errno.EIO: "mend that",
}
"""What the system refuses -> what helps."""


@contextmanager
def refusing(step: str, number: int, at: str) -> Generator[None]:
    """The system refuses the first `step` (`open` or `fsync`) that concerns the new file for `at`."""
    real_open, real_fsync, handles = builtins.open, os.fsync, set[int]()

    def opening(path: str, mode: str = "r") -> IO[bytes]:
        mine = os.path.basename(path) == f".{at}.mcp-lockstep~"
        if mine and step == "open":
            raise OSError(number, os.strerror(number), path)
        handle: IO[bytes] = real_open(path, mode)
        handles.update([handle.fileno()] if mine else [])
        return handle

    def syncing(handle: int) -> None:
        if step == "fsync" and handle in handles:
            raise OSError(number, os.strerror(number))
        real_fsync(handle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "open", opening, raising=False)
        patch.setattr(os, "fsync", syncing)
        yield


@pytest.mark.parametrize("step", ["open", "fsync"])
@pytest.mark.parametrize("number", REFUSED)
@pytest.mark.parametrize("at", [JOURNAL, "a"])
def test_a_tree_that_takes_no_file_is_named_and_left_as_it_was(
    step: str, number: int, at: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_tree(root, {"a": b"1"})
    monkeypatch.chdir(root.parent)
    with refusing(step, number, at), pytest.raises(Refused) as caught:
        apply(root.name, Plan((Change("a", b"1", b"2"), Change("b", None, b"3"))))
    (found,) = caught.value.findings
    assert (found.code.slug, found.place.path) == ("file-unwritable", root.name)
    assert found.message == f"no file can be written in {root}: {os.strerror(number)}"
    assert found.hint == f"{REFUSED[number]}; then run the command again: nothing was written"
    assert tree_of(root) == {"a": b"1"}


def test_a_folder_that_is_not_below_is_named_whole(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root.parent / "other").mkdir()
    monkeypatch.chdir(root.parent / "other")
    with refusing("open", errno.EROFS, JOURNAL), pytest.raises(Refused) as caught:
        apply(str(root), Plan((Change("a", None, b"2"),)))
    assert caught.value.findings[0].place.path == str(root)


@pytest.mark.parametrize("step", ["open", "fsync"])
def test_a_disk_that_is_full_half_way_is_said_so_and_ended_later(
    step: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_tree(root, {"a": b"1", "sub/b": b"1"})
    monkeypatch.chdir(root.parent)
    with refusing(step, errno.ENOSPC, "b"), pytest.raises(Refused) as caught:
        apply(root.name, Plan((Change("a", b"1", b"2"), Change("sub/b", b"1", b"2"))))
    (found,) = caught.value.findings
    assert found.place.path == f"{root.name}/sub"
    assert found.message == f"no file can be written in {root}/sub: {os.strerror(errno.ENOSPC)}"
    assert found.hint == f"make room on that disk; `mcp-lockstep sync {root.name}` ends what was begun"
    with refusing(step, errno.EROFS, "b"), pytest.raises(Refused) as caught:
        recover(root.name)
    assert caught.value.findings[0].hint.endswith(
        f"; `mcp-lockstep sync {root.name}` ends what an earlier command began"
    )
    assert recover(root.name) == ()
    assert tree_of(root) == {"a": b"2", "sub/b": b"2"}


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files of a user without a cache."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


has_users = pytest.mark.skipif(sys.platform == "win32", reason="files belong to users by number on POSIX")


@has_users
def test_users_without_a_cache_are_not_in_each_others_way(homeless: Path, root: Path) -> None:
    apply(str(root), Plan((Change("a", None, b"2"),)))
    assert tree_of(root) == {"a": b"2"}
    (folder,) = homeless.iterdir()
    assert folder.name == f"mcp-lockstep-{os.getuid()}"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@has_users
def test_a_folder_for_locks_that_somebody_else_made_is_not_used(
    homeless: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    with pytest.raises(Refused) as caught:
        apply(str(root), Plan((Change("a", None, b"2"),)))
    (found,) = caught.value.findings
    assert found.code.slug == "file-unwritable"
    assert found.message.endswith(" cannot be written, nor can the folder for temporary files")
    assert tree_of(root) == {}

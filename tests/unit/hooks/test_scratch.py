"""A server.json on disk for backends that take files only."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mcp_lockstep.hooks.scratch import kept


def test_the_file_is_as_old_and_as_readable_as_the_one_in_the_project(tmp_path: Path) -> None:
    """Both get into the archive: with the time of the build in them no two wheels were the same."""
    like = tmp_path / "server.json"
    like.write_bytes(b"{{VERSION}}")
    os.utime(like, ns=(1_600_000_000_123_456_789, 1_500_000_000_987_654_321))
    before = os.umask(0o077)
    try:
        path = Path(kept(b"1.2.8", str(like), "wheel"))
    finally:
        os.umask(before)
    assert (path.name, path.read_bytes()) == ("server.json", b"1.2.8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert path.stat().st_mtime_ns == 1_500_000_000_987_654_321
    assert path.parent not in (tmp_path, *tmp_path.parents)
    assert like.read_bytes() == b"{{VERSION}}"


def test_a_full_disk_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(**_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/x")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    assert kept(b"{}", str(tmp_path), "wheel") == ""
    assert capsys.readouterr().err == "mcp-lockstep: No space left on device: /tmp/x\n"
    with pytest.raises(SystemExit, match=r"^mcp-lockstep: No space left on device: /tmp/x$"):
        kept(b"{}", str(tmp_path), "sdist")


def test_nothing_is_left_when_the_build_ends(tmp_path: Path) -> None:
    (tmp_path / "server.json").write_bytes(b"{}")
    code = "import sys; from mcp_lockstep.hooks.scratch import kept; print(kept(b'{}', sys.argv[1], 'wheel'))"
    command = (sys.executable, "-c", code, str(tmp_path / "server.json"))
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=60)
    path = Path(done.stdout.strip())
    assert path.name == "server.json"
    assert not path.parent.exists()

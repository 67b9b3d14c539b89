"""Whether there is anything for a hook to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcp_lockstep.hooks.built import has_manifest


def test_a_folder_without_server_json_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "server.json.bak").write_bytes(b"{}")
    assert not has_manifest(str(tmp_path))
    assert not has_manifest(str(tmp_path / "away"))


@pytest.mark.parametrize("kind", ["file", "folder", "link that leads nowhere"])
def test_whatever_is_called_server_json_is_judged(kind: str, tmp_path: Path) -> None:
    """One that cannot be read is a finding, not silence."""
    path = tmp_path / "server.json"
    if kind == "file":
        path.write_bytes(b"")
    elif kind == "folder":
        path.mkdir()
    else:
        os.symlink("nowhere", path)
    assert has_manifest(str(tmp_path))

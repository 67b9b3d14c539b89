"""Sound server.json files of every kind: valid, and not a byte of them changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinds import KINDS
from mcp_lockstep.__main__ import main
from mcp_lockstep.bundled.catalog import server_revision
from mcp_lockstep.documents.data import text_of


def unchanged(raw: bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hold a file against every command that may write it."""
    path = folder / "server.json"
    path.write_bytes(raw)
    revision = server_revision(text_of(json.loads(raw).get("$schema")))
    assert revision
    assert main(["validate", str(path)]) == 0
    assert path.read_bytes() == raw
    assert main(["migrate", str(path), "--to", revision, "--write"]) == 0
    assert "nothing to move" in capsys.readouterr().out
    assert path.read_bytes() == raw
    main(["sync", str(folder)])
    assert path.read_bytes() == raw
    assert [one.name for one in folder.iterdir()] == ["server.json"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_every_kind(
    kind: str, tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    unchanged(json.dumps(KINDS[kind], indent=4).encode(), folder, capsys)


def test_the_published_examples(
    shared: Path, tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = sorted((shared / "seeds/server-json-examples").glob("*.json"))
    assert len(sources) == 12
    for source in sources:
        folder = tmp_path / source.stem
        folder.mkdir()
        unchanged(source.read_bytes(), folder, capsys)


def test_the_published_list_is_valid(shared: Path, cache: Path) -> None:
    assert main(["validate", str(shared / "seeds/registry-list.example.json")]) == 0

"""What `new` leaves out of server.json, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main


def test_an_icon_that_a_registry_refuses_is_left_out_with_a_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    good = {"src": "https://a.example/i.png"}
    info = {"name": "made", "version": "1", "icons": [{"src": "data:image/png;base64,AAAA"}, good]}
    tools = [{"name": "x", "inputSchema": {"type": "object"}}]
    Path("a.json").write_text(
        json.dumps({"initialize": {"serverInfo": info}, "tools": tools}), encoding="utf-8"
    )
    assert main(["new", "made", "--from", "a.json", "--name", "io.github.acme/made"]) == 0
    assert "Icons left out of server.json, which takes https addresses only: 1." in capsys.readouterr().out
    assert json.loads(Path("made/server.json").read_text(encoding="utf-8"))["icons"] == [good]
    assert main(["check", "made"]) == 0

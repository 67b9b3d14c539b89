"""`mcp-lockstep migrate`: what it prints, writes and returns."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main
from mcp_lockstep.plan import JOURNAL

Write = Callable[[Mapping[str, str | bytes]], Path]
URL = "https://static.modelcontextprotocol.io/schemas/{}/server.schema.json"
OLD = f"""{{
  "$schema": "{URL.format("2025-09-29")}",
  "name": "io.github.acme/weather",
  "description": "Forecasts.",
  "version": "1.2.0",
  "packages": [
    {{
      "registryType": "pypi",
      "identifier": "weather",
      "version": "1.2.0",
      "transport": {{ "type": "stdio" }},
      "environmentVariables": [{{ "name": "KEY", "is_secret": true, "default": "s3cr3t" }}]
    }}
  ]
}}
"""


@pytest.fixture(autouse=True)
def _elsewhere(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_diff_is_shown_and_nothing_written(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = project({"server.json": OLD}) / "server.json"
    assert main(["migrate", str(path)]) == 1
    out = capsys.readouterr().out
    assert (
        f'-  "$schema": "{URL.format("2025-09-29")}",\n+  "$schema": "{URL.format("2025-12-11")}",\n' in out
    )
    assert '+      "environmentVariables": [{ "name": "KEY", "isSecret": true, "default": "***" }]\n' in out
    assert "s3cr3t" not in out
    assert f"{path}: 2 changes, 0 dropped, 0 assumed\n2 notes (-v)\n" in out
    assert path.read_text(encoding="utf-8") == OLD


def test_a_pattern_that_no_shell_has_expanded(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    base = project({"a/server.json": OLD, "b/server.json": OLD})
    assert main(["migrate", f"{base}/*/server.json", "--write"]) == 0
    written = [(base / name / "server.json").read_text(encoding="utf-8") for name in "ab"]
    assert ["2025-12-11" in text for text in written] == [True, True]


def test_writing_keeps_the_rest_and_a_second_run_has_nothing_to_do(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project({"server.json": OLD}) / "server.json"
    os.chmod(path, 0o640)
    assert main(["migrate", str(path), "--write"]) == 0
    expected = OLD.replace("2025-09-29", "2025-12-11").replace("is_secret", "isSecret")
    assert path.read_text(encoding="utf-8") == expected
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(path.parent)) == ["server.json"]
    capsys.readouterr()
    assert main(["migrate", str(path), "--write"]) == 0
    assert capsys.readouterr().out == f"{path}: nothing to move\n"


def test_a_file_that_cannot_be_read_stops_no_other(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    base = project({"a.json": "{", "b.json": OLD, "c.json": b"\xff", "d.json": "[]", "e/x": ""})
    names = ["a.json", "b.json", "c.json", "d.json", "e", "none.json"]
    assert main(["migrate", *(str(base / name) for name in names), "--write", "--format", "json"]) == 2
    report = json.loads(capsys.readouterr().out)
    found = {(os.path.basename(f["file"]), f["slug"]) for f in report["findings"] if f["severity"] == "error"}
    assert found == {
        ("a.json", "not-json"),
        ("c.json", "not-utf8"),
        ("d.json", "other-kind-of-file"),
        ("e", "file-is-folder"),
        ("none.json", "file-missing"),
    }
    assert "2025-12-11" in (base / "b.json").read_text(encoding="utf-8")


def test_an_unknown_revision_is_refused_before_anything_is_written(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project({"server.json": OLD}) / "server.json"
    assert main(["migrate", str(path), "--write", "--to", "2026-01-01"]) == 2
    assert "schema-not-bundled" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == OLD


def test_what_is_left_decides_the_exit_code(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = project({"server.json": OLD.replace('"pypi"', '"homebrew"')}) / "server.json"
    assert main(["migrate", str(path), "--write"]) == 1
    assert "registry-type-unsupported" in capsys.readouterr().out


def test_what_a_killed_run_began_is_ended_first(project: Write) -> None:
    base = project({"server.json": OLD, JOURNAL: "cut off"})
    assert main(["migrate", str(base / "server.json"), "--write"]) == 0
    assert sorted(os.listdir(base)) == ["server.json"]


def test_a_printed_diff_moves_no_cursor(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = project({"server.json": OLD.replace("Forecasts.", "\u202eForecasts\u009b2J")}) / "server.json"
    assert main(["migrate", str(path)]) == 1
    out = capsys.readouterr().out
    assert "\u202e" not in out
    assert "\u009b" not in out

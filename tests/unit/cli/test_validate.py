"""`mcp-lockstep validate`: what it prints and returns."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from manifests import sound_manifest
from mcp_lockstep.__main__ import main

Write = Callable[[Mapping[str, str | bytes]], Path]
SOUND = json.dumps(sound_manifest())
OLD = json.dumps({**sound_manifest(), "remotes": []}).replace("2025-12-11", "2025-10-17")
"""Variables of a remote came later."""
LATEST = json.dumps({**sound_manifest(), "version": "latest"})


@pytest.fixture(autouse=True)
def _here(cache: Path, project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project({"sound/server.json": SOUND, "sound/other.json": "{}"}))


def test_sound_files_take_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "sound", "sound/server.json"]) == 0
    assert capsys.readouterr().out == "valid: 1 file\n"


def test_what_is_wrong_comes_file_by_file_the_worst_first(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    project({"b/server.json": LATEST, "a/server.json": OLD, "c/server.json": "{"})
    assert main(["validate", "."]) == 2
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert [line.split(": ")[0] for line in lines[:2]] == ["b/server.json:1:198", "c/server.json:1:2"]
    assert lines[2:] == ["1 note (-v)", "2 errors in 2 of 4 files"]


def test_notes_and_strictness(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    project({"a.json": OLD, "b.json": json.dumps({**sound_manifest(), "odd": 1})})
    assert main(["validate", "a.json", "b.json"]) == 0
    assert capsys.readouterr().out.endswith("1 note (-v)\n1 warning in 1 of 2 files\n")
    assert main(["validate", "a.json", "-v"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("a.json:1:13: note LS2003 schema-revision-old")
    assert main(["validate", "b.json", "--strict"]) == 1


def test_a_pattern_that_no_shell_has_expanded(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    project({"a/server.json": LATEST, "b/server.json": SOUND})
    assert main(["validate", "[ab]/server.*"]) == 1
    assert capsys.readouterr().out.endswith("1 error in 1 of 2 files\n")


def test_a_folder_without_anything_to_judge_is_no_success(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    project({"empty/package.json": "{}"})
    assert main(["validate", "empty"]) == 2
    assert "nothing-to-validate" in capsys.readouterr().out
    assert main(["validate", "nowhere"]) == 2
    assert "file-missing" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_programs_get_every_finding_notes_too(
    form: str, project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    project({"a.json": OLD, "b.json": LATEST})
    assert main(["validate", "a.json", "b.json", "--format", form]) == 1
    out = capsys.readouterr().out
    slugs = ["LS2003", "LS2040"]
    match form:
        case "json":
            report = json.loads(out)
            assert [finding["code"] for finding in report["findings"]] == slugs
            assert report["summary"] == {"errors": 1, "warnings": 0, "notes": 1}
        case "sarif":
            assert [result["ruleId"] for result in json.loads(out)["runs"][0]["results"]] == slugs
        case _:
            assert [line.split(" ")[0] for line in out.splitlines()] == ["::notice", "::error"]

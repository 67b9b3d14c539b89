"""What cannot be used as input: a finding with its place, exit 2, nothing written, no traceback, no network."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main

TOOL = '{"name": "x", "inputSchema": {"type": "object"}}'
NAME = "io.github.acme/made"
LARGE = json.dumps(
    {"tools": [{"name": "x", "description": "a" * 10_000_001, "inputSchema": {"type": "object"}}]}
)
TEXTS: dict[str, tuple[str | bytes, str, str]] = {
    "no JSON": ("not json", "not-json", "1:1"),
    "NaN": ('{"tools": [NaN]}', "number-not-json", "1:12"),
    "a key twice": ('{"tools": [], "tools": []}', "duplicate-key", "1:15"),
    "over 10 MB": (LARGE, "file-too-large", "1:1"),
    "10,000 levels": ("[" * 10_000 + "]" * 10_000, "nested-too-deep", "1:201"),
    "UTF-16": ('{"tools": []}'.encode("utf-16"), "not-utf8", "1:1"),
    "two tools of one name": (f'{{"tools": [{TOOL}, {TOOL}]}}', "contract-name-twice", "1:71"),
    "a path in a name": (f'{{"tools": [{TOOL.replace("x", "../x")}]}}', "contract-name-unsafe", "1:21"),
    "a reference to elsewhere": (
        '{"tools": [{"name": "x", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "https://a.example/b"}}}}]}',
        "reference-remote",
        "1:89",
    ),
}


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> None:
    """In an empty folder, without any network at all."""

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.chdir(tmp_path)


def made(capsys: pytest.CaptureFixture[str], source: str) -> str:
    """What `new` says about a source that it cannot use."""
    code = main(["new", "made", "--from", source, "--name", NAME])
    caught = capsys.readouterr()
    assert code == 2, caught.out
    assert "Traceback" not in caught.out + caught.err
    assert not Path("made").exists()
    return caught.out


@pytest.mark.parametrize("kind", TEXTS)
def test_a_contract_that_cannot_be_used(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, slug, where = TEXTS[kind]
    Path("a.json").write_bytes(text.encode() if isinstance(text, str) else text)
    first = made(capsys, "a.json").splitlines()[0]
    assert first.startswith(f"a.json:{where}: error ") and f" {slug}: " in first


def a_folder() -> None:
    Path("a.json").mkdir()


def nothing() -> None:
    pass


@pytest.mark.parametrize(("make", "slug"), [(a_folder, "source-unknown"), (nothing, "file-missing")])
def test_a_source_that_is_no_file(
    make: Callable[[], None], slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make()
    assert f" {slug}: " in made(capsys, "a.json")


@pytest.mark.parametrize("command", ["check", "sync", "status"])
def test_a_link_out_of_the_project(command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text('{"name": "io.github.acme/else", "version": "9.9.9"}', encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\n', encoding="utf-8")
    (project / "server.json").symlink_to(outside)
    assert main([command, "project"]) == 2
    out = capsys.readouterr().out
    assert "9.9.9" not in out
    if command != "status":
        assert "file-outside-project" in out
    assert sorted(path.name for path in project.iterdir()) == ["pyproject.toml", "server.json"]
    assert "9.9.9" in outside.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["no slash", "a/b", "../x/y", "io.github.acme/"])
def test_a_name_that_no_registry_takes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text(f'{{"tools": [{TOOL}]}}', encoding="utf-8")
    assert main(["new", "made", "--from", "a.json", "--name", name]) == 2
    assert " name-unusable: " in capsys.readouterr().out
    assert not Path("made").exists()

"""Files of other kinds where a server.json is wanted: every command says what was given, and writes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from manifests import BUNDLE, ENTRY
from mcp_lockstep.__main__ import main

SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
CLIENT = {"command": "uvx", "args": ["weather"], "env": {"TOKEN": SECRET}}
TOOL = {"name": "get", "inputSchema": {"type": "object"}}

FILES: dict[str, tuple[object, int]] = {
    "a list of a registry": ({"servers": [{"server": ENTRY}, {"server": {**ENTRY, "name": "tides"}}]}, 2),
    "an empty list of a registry": ({"servers": []}, 2),
    "a registry's answer about one server": ({"_meta": {}, "server": ENTRY}, 3),
    "the manifest of an MCPB bundle": ({**BUNDLE, "tools": [{"name": "get", "description": "Gets."}]}, 2),
    "the configuration of a client": ({"mcpServers": {"w": CLIENT}}, 2),
    "the configuration of a client, VS Code": ({"inputs": [], "servers": {"w": CLIENT}}, 3),
    "a contract: lists of tools, resources or prompts": ({"tools": [TOOL]}, 2),
    "one tool of a contract": (TOOL, 3),
    "a package.json of npm": (
        {"name": "@acme/weather", "version": "1.0.0", "main": "a.js", "dependencies": {}},
        5,
    ),
    "a lock file of npm": ({"name": "weather", "lockfileVersion": 3, "packages": {}}, 3),
    "a JSON Schema": ({"type": "object", "properties": {}}, 3),
    "an array": ([TOOL], 1),
    "a string": ("hello", 1),
    "null": (None, 1),
}
"""What a file is called -> what it holds, and the line of what gives it away."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "validate": ("validate", "a.json"),
    "migrate": ("migrate", "a.json", "--write"),
    "launch": ("launch", "a.json"),
    "launch --run": ("launch", "a.json", "--run"),
    "export client": ("export", "client", "--root", "a.json", "-o", "out.json"),
    "export client, VS Code": ("export", "client", "--for", "vscode", "--root", "a.json", "-o", "out.json"),
    "export mcpb": ("export", "mcpb", "--root", "a.json", "-o", "out.json"),
    "export dockerfile": ("export", "dockerfile", "--root", "a.json", "-o", "out.json"),
    "export registry-list": ("export", "registry-list", "--root", "a.json", "-o", "out.json"),
}
LISTS = {"a list of a registry", "an empty list of a registry"}
TAKEN = {
    "validate": LISTS | {"the manifest of an MCPB bundle"},
    "export registry-list": LISTS,
}
"""What a command takes beside a server.json."""

PROJECT = '[project]\nname = "weather"\nversion = "1.0.0"\n'
IN_A_PROJECT: dict[str, tuple[str, ...]] = {
    "check": ("check",),
    "check of the file": ("check", "server.json"),
    "sync": ("sync",),
    "status": ("status",),
    "adopt": ("adopt", "--yes", "--name", "io.github.acme/weather"),
    "render": ("render", "--version", "1.0.0", "-o", "out.json"),
    "validate": ("validate", "."),
    "launch": ("launch",),
    "launch of the file": ("launch", "server.json"),
    "export client": ("export", "client", "-o", "out.json"),
    "export mcpb": ("export", "mcpb", "-o", "out.json"),
    "export dockerfile": ("export", "dockerfile", "-o", "out.json"),
    "export registry-list": ("export", "registry-list", "-o", "out.json"),
}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> Path:
    root = tmp_path / "here"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


def files(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def refused(capsys: pytest.CaptureFixture[str], root: Path, words: tuple[str, ...]) -> str:
    """What a command that takes none of it says."""
    before = files(root)
    code = main([*words])
    caught = capsys.readouterr()
    assert code == 2, caught.out
    assert "Traceback" not in caught.out + caught.err
    assert SECRET not in caught.out + caught.err
    assert files(root) == before
    return caught.out


def called(kind: str) -> str:
    """What a kind is called in messages."""
    return kind.replace("an empty list", "a list").removesuffix(", VS Code")


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_of_another_kind(
    command: str, kind: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind in TAKEN.get(command, ()):
        pytest.skip("the command takes it")
    data, line = FILES[kind]
    (here / "a.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
    out = refused(capsys, here, COMMANDS[command])
    column = 1 if line == 1 else out.split(":")[2]
    assert out.startswith(
        f"a.json:{line}:{column}: error LS0016 other-kind-of-file: a.json is {called(kind)}; "
    )
    assert " is wanted\n    " in out


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", IN_A_PROJECT)
def test_a_project_with_such_a_server_json(
    command: str, kind: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if command == "validate" and kind in TAKEN["validate"]:
        pytest.skip("validate judges it as what it is")
    data, line = FILES[kind]
    (here / "server.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
    (here / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    out = refused(capsys, here, IN_A_PROJECT[command])
    if command != "status":
        assert f"server.json:{line}:" in out
        assert f"LS0016 other-kind-of-file: server.json is {called(kind)}; " in out


NO_SOURCES = (
    "the manifest of an MCPB bundle",
    "the configuration of a client",
    "the configuration of a client, VS Code",
    "a package.json of npm",
    "a lock file of npm",
    "a JSON Schema",
    "a string",
    "null",
)


@pytest.mark.parametrize("kind", NO_SOURCES)
def test_new_says_what_it_was_given(kind: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text(json.dumps(FILES[kind][0], indent=1), encoding="utf-8")
    out = refused(capsys, here, ("new", "made", "--from", "a.json", "--name", "io.github.acme/weather"))
    assert out.startswith(
        f"a.json:1:1: error LS3001 source-unknown: a.json is {called(kind)}; an object with `tools`"
    )


@pytest.mark.parametrize("kind", sorted(LISTS))
def test_new_asks_which_server_of_a_list_is_meant(
    kind: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.json").write_text(json.dumps(FILES[kind][0], indent=1), encoding="utf-8")
    out = refused(capsys, here, ("new", "made", "--from", "a.json", "--name", "io.github.acme/other"))
    assert out.startswith("a.json:2:13: error LS3003 source-ambiguous: a.json#/servers holds ")


def test_an_object_that_says_nothing_keeps_its_values_to_itself(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.json").write_text(json.dumps({"token": SECRET, "a\u202eb": 1}), encoding="utf-8")
    out = refused(capsys, here, ("new", "made", "--from", "a.json", "--name", "io.github.acme/weather"))
    assert 'a.json is an object with "token", "a\\u202eb"; an object with `tools`' in out


def test_a_server_without_a_name_gets_into_no_list(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text(
        json.dumps({"servers": [{"server": ENTRY}, {"server": {"version": "1"}}]}, indent=1),
        encoding="utf-8",
    )
    out = refused(capsys, here, COMMANDS["export registry-list"])
    assert out.startswith(
        "a.json:20:14: error LS2750 nothing-to-export: a.json#/servers/1/server has no `name`"
    )

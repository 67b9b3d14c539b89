"""`mcp-lockstep render`: what goes to standard output, to files, and to standard error."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main

Write = Callable[[Mapping[str, str | bytes]], Path]
TEMPLATE = (
    "{\r\n"
    '  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",\r\n'
    '  "name": "io.github.acme/weather",\r\n'
    '  "description": "Forecasts.",\r\n'
    '  "version": "@VERSION@",\r\n'
    '  "websiteUrl": "https://{{HOST}}/"\r\n'
    "}"
)
FULL = TEMPLATE.replace("@VERSION@", "1.2.0").replace("{{HOST}}", "acme.example")
GIVEN = ("--version", "v1.2.0", "--set", "HOST=acme.example")


@pytest.fixture(autouse=True)
def _here(cache: Path, project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project({"server.json": TEMPLATE}))


def test_the_copy_is_printed_byte_for_byte(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["render", *GIVEN]) == 0
    assert capfdbinary.readouterr() == (FULL.encode(), b"")


def test_a_file_is_written_and_the_template_stays() -> None:
    os.mkdir("dist")
    assert main(["render", *GIVEN, "-o", "dist/server.json"]) == 0
    assert Path("dist/server.json").read_bytes() == FULL.encode()
    assert Path("server.json").read_bytes() == TEMPLATE.encode()
    assert os.listdir("dist") == ["server.json"]
    assert main(["render", *GIVEN, "-o", "server.json"]) == 0
    assert Path("server.json").read_bytes() == FULL.encode()


def test_nothing_is_printed_or_written_while_something_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["render", "-o", "out.json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split(" ")[0] for line in err.splitlines() if line[0] != " "] == [
        "server.json:5:14:",
        "server.json:6:17:",
    ]
    assert not Path("out.json").exists()


def test_a_copy_that_breaks_a_rule_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "--version", "latest", "--set", "HOST=acme.example"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "LS2040 reserved-version-string" in err


@pytest.mark.parametrize(
    "words", [("--set", "HOST"), ("--set", "=x"), ("--version", " "), ("--version",), ("a", "b")]
)
def test_wrong_options_are_usage(words: tuple[str, ...]) -> None:
    assert main(["render", *words]) == 2


def test_another_folder_and_what_is_not_there(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    project({"a/server.json": FULL, "b/server.json": "{", "c/x": ""})
    assert main(["render", "a"]) == 0
    assert json.loads(capsys.readouterr().out)["version"] == "1.2.0"
    assert main(["render", "b"]) == 2
    capsys.readouterr()
    assert main(["render", "c"]) == 2
    assert capsys.readouterr().out.startswith(
        "c/server.json:1:1: error LS0011 file-missing: there is no c/server.json"
    )
    assert main(["render", "a", "-o", "nowhere/server.json"]) == 2


def test_check_shows_the_commands_of_the_released_copy(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    stdio = '"transport": {"type": "stdio"}'
    package = f'{{"registryType": "pypi", "identifier": "weather", "version": "@VERSION@", {stdio}}}'
    template = TEMPLATE.replace(
        '"https://{{HOST}}/"', f'"https://acme.example",\r\n  "packages": [{package}]'
    )
    pyproject = (
        '[project]\nname = "weather"\nversion = "1.2.0"\nreadme = "README.md"\n'
        '[project.scripts]\nweather = "weather:main"\n'
    )
    readme = "<!-- mcp-name: io.github.acme/weather -->\n"
    project({"server.json": template, "pyproject.toml": pyproject, "README.md": readme})
    assert main(["check", "-v"]) == 0
    out = capsys.readouterr().out
    assert "clients run: uvx weather@1.2.0\n" in out
    assert " error " not in out
    assert " warning " not in out

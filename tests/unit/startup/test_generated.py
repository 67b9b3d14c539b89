"""A project that this tool makes reads what its server.json declares, and shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.cli import run

MANIFEST = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.github.acme/weather",
    "description": "Tells the weather.",
    "version": "0.1.0",
    "packages": [
        {
            "registryType": "pypi",
            "identifier": "weather",
            "version": "0.1.0",
            "transport": {"type": "stdio"},
            "environmentVariables": [
                {"name": "WEATHER_TOKEN", "isRequired": True, "isSecret": True},
                {"name": "MODE", "default": "Fast"},
                {"name": "FLAG", "format": "boolean"},
                {"name": "COUNT", "format": "number"},
            ],
            "packageArguments": [
                {"type": "named", "name": "--units", "default": "metric"},
                {"type": "positional", "valueHint": "place", "isRequired": True},
            ],
        }
    ],
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Path:
    pytest.importorskip("datamodel_code_generator")
    monkeypatch.chdir(tmp_path)
    Path("given.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    assert run(("new", "weather", "--from", "given.json")) == 0
    monkeypatch.chdir(tmp_path / "weather")
    return tmp_path / "weather"


def test_what_is_generated_is_in_step_until_it_is_changed(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for fact in ("environment", "arguments"):
        capsys.readouterr()
        assert run(("check", "-v", "--only", fact)) == 0
        assert " LS1" not in capsys.readouterr().out
    settings = made / "src/weather/settings.py"
    text = settings.read_text(encoding="utf-8")
    changed = text.replace('"WEATHER_TOKEN"', '"WEATHER_KEY"').replace("--units", "--unit")
    settings.write_text(changed, encoding="utf-8")
    capsys.readouterr()
    assert run(("check",)) == 1
    out = capsys.readouterr().out
    assert [code in out for code in ("LS1072", "LS1073", "LS1081")] == [True] * 3


def test_status_shows_both_sides(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    run(("status",))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["environment", "variables:", "4", "in", "the", "code"] in lines
    assert ["src/weather/settings.py::WEATHER_TOKEN", "required"] in lines
    token = ["server.json#/packages/0/environmentVariables/0", "WEATHER_TOKEN:", "required,", "secret"]
    assert token in lines
    assert ["src/weather/settings.py::--units", "--units"] in lines
    assert ["server.json#/packages/0/packageArguments/1", "<place>"] in lines

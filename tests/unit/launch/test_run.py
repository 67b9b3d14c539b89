"""What a server is given when it is started: its environment, its arguments, and the files it is installed from."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcp_lockstep.findings import Refused
from mcp_lockstep.launch.derive import launches
from mcp_lockstep.launch.run import environment_of, here, reason, run_launch, source_of
from mcp_lockstep.launch.target import open_target
from packages import launch, named, package, positional, server
from stdio_servers import program

Write = Callable[[Mapping[str, str | bytes]], Path]
KEY = {"name": "TIDES_KEY", "isRequired": True, "isSecret": True}
PYPROJECT = '[project]\nname = "weather"\nversion = "1.2.0"\n[project.scripts]\nweather = "weather:main"\n'


def test_declared_variables_are_passed_on_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDES_KEY", "hunter2")
    monkeypatch.setenv("TIDES_OTHER", "x")
    found = launch(environmentVariables=[KEY, {"name": "UNITS", "default": "metric"}, {"name": "NOT_SET"}])
    environment, secrets = environment_of(found)
    assert (environment["TIDES_KEY"], environment["UNITS"]) == ("hunter2", "metric")
    assert "TIDES_OTHER" not in environment
    assert "NOT_SET" not in environment
    assert environment["PATH"] == os.environ["PATH"]
    assert secrets == ("hunter2",)


def test_a_required_variable_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIDES_KEY", raising=False)
    with pytest.raises(Refused) as caught:
        environment_of(launch(environmentVariables=[KEY]))
    (finding,) = caught.value.findings
    assert (finding.code.slug, finding.code.exit) == ("input-missing", 2)
    assert finding.hint == "set TIDES_KEY in the environment of this command"


def test_an_argument_that_nobody_answers(tmp_path: Path) -> None:
    data = server(
        package("npm", packageArguments=[{"type": "positional", "valueHint": "city", "isRequired": True}])
    )
    path = tmp_path / "server.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    (found,) = launches(data)
    with pytest.raises(Refused) as caught:
        run_launch(found, open_target(str(path)), 1)
    assert (
        caught.value.findings[0].message == "weather needs a value for city, which clients ask the user for"
    )


def test_a_runner_that_is_not_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "server.json"
    path.write_text(json.dumps(server(package("npm"))), encoding="utf-8")
    with pytest.raises(Refused) as caught:
        run_launch(launch("npm"), open_target(str(path)), 1)
    assert caught.value.findings[0].message == "npx, which clients start weather with, is not installed here"


@pytest.mark.skipif(sys.platform == "win32", reason="the runner is a shell script")
def test_other_kinds_are_started_with_their_runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = " ".join(
        program(tmp_path, 'serve([{"name": word} for word in [*sys.argv[1:], os.environ["UNITS"]]])')
    )
    runner = tmp_path / "bin/npx"
    runner.parent.mkdir()
    runner.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    runner.chmod(0o755)
    monkeypatch.setenv("PATH", f"{runner.parent}{os.pathsep}{os.environ['PATH']}")
    more: dict[str, object] = {
        "runtimeArguments": [positional("-y")],
        "packageArguments": [named("--city", default="New York")],
        "environmentVariables": [{"name": "UNITS", "default": "metric"}],
    }
    path = tmp_path / "server.json"
    path.write_text(json.dumps(server(package("npm", "weather", **more))), encoding="utf-8")
    found = run_launch(launch("npm", "weather", **more), open_target(str(path)), 20)
    words = [str(tool["name"]) for tool in found.lists.tools]
    assert words == ["-y", "weather@1.2.0", "--city", "New York", "metric"]


def test_a_project_is_installed_from_its_newest_wheel_of_the_version(project: Write) -> None:
    base = project(
        {
            "pyproject.toml": PYPROJECT,
            "server.json": json.dumps(server(package())),
            "dist/weather-1.1.0-py3-none-any.whl": "",
            "dist/weather-1.2.0-py3-none-any.whl": "",
            "dist/tides-1.2.0-py3-none-any.whl": "",
        }
    )
    target = open_target(str(base))
    assert source_of(launch(), target) == str(base / "dist/weather-1.2.0-py3-none-any.whl")
    assert source_of(launch(version="3.0"), target) == str(base)
    assert source_of(launch(identifier="tides"), target) == ""
    assert source_of(launch("npm"), target) == ""


def test_what_is_installed_is_called_as_it_is_seen_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dist").mkdir()
    monkeypatch.chdir(tmp_path)
    assert here("weather==1.2.0") == "weather==1.2.0"
    assert here(str(tmp_path)) == "this folder"
    assert here(str(tmp_path / "dist")) == "dist"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "error: subprocess-exited-with-error\n x pip\n    ERROR: No matching distribution for a\n    [end]\n",
            "ERROR: No matching distribution for a",
        ),
        ("1\n2\n3\n4\n 5\n6\n", "2; 3; 4; 5; 6"),
        ("", ""),
    ],
)
def test_why_something_cannot_be_installed(said: str, told: str) -> None:
    assert reason(said) == told

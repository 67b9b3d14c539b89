"""The console script that `uvx IDENTIFIER` looks for, in pyproject.toml of every back end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from mcp_lockstep.findings import Finding
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.launch.judge import commands, judge_launches
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Memory, Tree
from packages import package, positional, server

HEAD = '[project]\nname = "weather"\nversion = "1.2.0"\n'
BACKEND = '[build-system]\nrequires = []\nbuild-backend = "{}"\n'


def judged(pyproject: str, *packages: object, more: Mapping[str, bytes] | None = None) -> list[Finding]:
    manifest = json.dumps(server(*(packages or (package(),)))).encode()
    files = {"pyproject.toml": pyproject.encode(), "server.json": manifest, **(more or {})}
    return list(judge_launches(Project(Tree(Memory(files)))))


SOUND = {
    "named alike": HEAD + '[project.scripts]\nweather = "weather:main"\n',
    "one of several": HEAD + '[project.scripts]\nother = "weather:x"\nweather = "weather:main"\n',
    "a gui": HEAD + '[project.gui-scripts]\nweather = "weather:main"\n',
    "dynamic": HEAD + 'dynamic = ["scripts"]\n',
    "another project": HEAD.replace("weather", "tides"),
    "no table": "[tool.x]\n",
    "poetry": '[tool.poetry]\nname = "weather"\n[tool.poetry.scripts]\nweather = "weather:main"\n',
    "maturin": BACKEND.format("maturin") + HEAD,
    "shared scripts": HEAD + '[tool.hatch.build.targets.wheel.shared-scripts]\n"bin/weather" = "weather"\n',
    "script files": HEAD + '[tool.setuptools]\nscript-files = ["bin/weather"]\n',
}


@pytest.mark.parametrize("pyproject", SOUND.values(), ids=SOUND)
def test_projects_that_start(pyproject: str) -> None:
    assert judged(pyproject) == []


def test_setup_py_may_have_the_script() -> None:
    assert (
        judged(HEAD, more={"setup.py": b"setup(entry_points={'console_scripts': ['weather=weather:main']})"})
        == []
    )


CFG = "[metadata]\nname = weather\nversion = 1.2.0\n\n[options.entry_points]\nconsole_scripts =\n    {}\n"
SETUP = "from setuptools import setup\nsetup(name='weather', version='1.2.0', {})\n"
OLDER = {
    "setup.cfg": ("setup.cfg", CFG.format("weather = weather.server:main")),
    "a list": ("setup.py", SETUP.format("entry_points={'console_scripts': ['weather = weather:main']}")),
    "a text": ("setup.py", SETUP.format("entry_points='[console_scripts]\\nweather = weather:main'")),
    "computed": ("setup.py", SETUP.format("entry_points=read('points')")),
    "from elsewhere": ("setup.py", SETUP.format("**more")),
    "files": ("setup.py", SETUP.format("scripts=['bin/weather']")),
}


@pytest.mark.parametrize(("path", "text"), OLDER.values(), ids=OLDER)
def test_older_files_that_start_or_do_not_tell(path: str, text: str) -> None:
    assert judged(BACKEND.format("setuptools.build_meta"), more={path: text.encode()}) == []


@pytest.mark.parametrize(
    ("path", "text", "place"),
    [
        ("setup.cfg", CFG.format("weather-server = weather:main"), "setup.cfg:metadata.name"),
        (
            "setup.py",
            SETUP.format("entry_points={'console_scripts': ['weather-server = weather:main']}"),
            "setup.py::setup.name",
        ),
    ],
)
def test_another_name_in_older_files(path: str, text: str, place: str) -> None:
    (finding,) = judged(BACKEND.format("setuptools.build_meta"), more={path: text.encode()})
    assert (str(finding.place), finding.have, finding.want) == (place, "weather-server", "weather")
    assert finding.hint == f"add to the console_scripts of {path}: weather = weather:main"
    (alone,) = judged("", more={path: text.encode()})
    assert alone.code is finding.code


@pytest.mark.parametrize("kind", ["npm", "nuget", "cargo"])
def test_other_kinds_have_no_console_scripts(kind: str) -> None:
    assert judged(HEAD, package(kind)) == []


def test_another_name() -> None:
    (finding,) = judged(HEAD + '[project.scripts]\nweather-server = "weather.server:main"\n')
    assert finding.code.slug == "script-name-mismatch"
    assert str(finding.place) == "pyproject.toml:project.scripts"
    assert finding.position[:2] == (4, 10)
    assert (finding.have, finding.want) == ("weather-server", "weather")
    assert finding.hint == 'add to [project.scripts]: weather = "weather.server:main"'


def test_several_scripts_are_not_guessed_from() -> None:
    (finding,) = judged(HEAD + '[project.scripts]\na = "weather:a"\nb = "weather:b"\n')
    assert finding.hint == 'add to [project.scripts]: weather = "package.module:function"'


def test_no_script_at_all() -> None:
    (finding,) = judged(HEAD)
    assert (finding.have, finding.want) == (None, "weather")


def test_uvx_compares_names_letter_by_letter() -> None:
    (finding,) = judged(HEAD + '[project.scripts]\nweather = "weather:main"\n', package(identifier="Weather"))
    assert finding.hint.startswith("spell the identifier in server.json like the script, weather")


def test_the_same_package_twice_is_said_once() -> None:
    assert len(judged(HEAD, package(), package(packageArguments=[positional("http")]))) == 1


def test_a_last_from_takes_the_identifier_and_the_first_argument_is_the_script() -> None:
    other = HEAD + '[project.scripts]\nweather-mcp = "weather:main"\n'
    way = package(runtimeArguments=[positional("--from")], packageArguments=[positional("weather-mcp")])
    assert judged(other, way) == []
    wrong = {**way, "packageArguments": [positional("weather-mpc")]}
    assert [finding.want for finding in judged(other, wrong)] == ["weather-mpc"]


def test_check_judges_commands_and_knows_them() -> None:
    files = {
        "server.json": json.dumps(
            server(package(runtimeHint="python"), package("npm"), package("npm"))
        ).encode()
    }
    project = Project(Tree(Memory(files)))
    assert "runtime-hint-unfit" in {finding.code.slug for finding in judge_tree(project).findings}
    assert project.manifest is not None
    assert commands(project.manifest) == ("python weather@1.2.0", "npx weather@1.2.0")
    assert "runtime-hint-unfit" not in {f.code.slug for f in judge_tree(project, only="version").findings}


CASES = {
    "20-uvx-script-name": ("script-name-mismatch", "widget-mcp"),
    "23-package-transport-http": None,
    "26-oci-base-url": None,
    "28-mcpb-identifier-and-hash": None,
    "29-argument-default-number": None,
    "31-env-read-not-declared": None,
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_cases_of_users(name: str, shared: Path) -> None:
    findings = judge_launches(Project(Tree(Disk(str(shared / "cases" / name)))))
    expected = CASES[name]
    assert [(finding.code.slug, finding.want) for finding in findings] == ([expected] if expected else [])

"""Whole projects for the contracts of real servers, as their developers get them: checked, formatted, tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from checkers import tool
from emitted import project_view, tool_list, write
from hostile import hostile_contract
from wire import environment

TESTED = ("mcp-server-fetch", "mcp-server-kubernetes", "arxiv-mcp-server")


@pytest.fixture(scope="module")
def projects(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of projects: one for each captured list, one for the hostile contract."""
    folder = tmp_path_factory.mktemp("projects")
    for path in sorted((shared / "toollists").glob("*.json")):
        write(project_view(path.stem, tool_list(path)), folder / path.stem)
    write(project_view("hostile", hostile_contract()), folder / "hostile")
    return folder


def sources(projects: Path) -> list[Path]:
    """The folder `src` of every project."""
    return sorted(projects.glob("*/src"))


def test_there_are_all_of_them(projects: Path) -> None:
    assert len(sources(projects)) == 29


def test_mypy_strict(projects: Path, tmp_path: Path) -> None:
    packages = [str(found) for source in sources(projects) for found in source.iterdir() if found.is_dir()]
    path = os.pathsep.join(map(str, sources(projects)))
    options = ("--strict", "--explicit-package-bases", "--cache-dir", str(tmp_path))
    said = tool("mypy", *options, *packages, cwd=projects, MYPYPATH=path)
    assert said.startswith("Success: no issues found in ")


def test_pyright(projects: Path) -> None:
    settings = {"include": ["."], "extraPaths": [str(source) for source in sources(projects)]}
    (projects / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    said = tool("pyright", "--pythonpath", sys.executable, cwd=projects, PYRIGHT_PYTHON_IGNORE_WARNINGS="1")
    assert "0 errors, 0 warnings" in said


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ruff", ("check", "--no-cache", "--extend-select", "I")),
        ("ruff", ("format", "--no-cache", "--check")),
        ("black", ("--check", "--quiet")),
    ],
)
def test_no_formatter_or_linter_objects(projects: Path, name: str, options: tuple[str, ...]) -> None:
    tool(name, *options, ".", cwd=projects)


def test_isort_changes_nothing(projects: Path) -> None:
    # One run each: isort looks for a project's own modules below the folder that it runs in.
    for source in sources(projects):
        tool("isort", "--check", "--quiet", ".", cwd=source.parent)


@pytest.mark.parametrize("name", TESTED)
def test_its_own_tests_pass(projects: Path, mcp2_python: str, name: str) -> None:
    project = projects / name
    done = subprocess.run(
        [mcp2_python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project,
        env=environment(project),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "3 passed" in done.stdout

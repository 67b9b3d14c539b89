"""The sdist and the wheel are whole and equal each other; the installed wheel works without `[gen]`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("packaging")

PACKAGE = "mcp_lockstep"
PARTS = {
    "codegen/mcp_lockstep": PACKAGE,
    "templates": f"{PACKAGE}/templates",
    "schemas": f"{PACKAGE}/schemas",
}
"""Folder of the checkout -> folder of the wheel."""

CACHES = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """One command, its output as text."""
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", check=False, timeout=300)


def build(source: Path, output: Path, *options: str) -> None:
    """`python -m build` with the back end that is installed here."""
    done = run(
        sys.executable, "-m", "build", "--no-isolation", *options, "--outdir", str(output), ".", cwd=source
    )
    assert done.returncode == 0, done.stdout + done.stderr


def contents(wheel: Path) -> Mapping[str, bytes]:
    """Every file of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def files_below(folder: Path) -> set[str]:
    """Files that belong to the checkout, relative to the folder."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if not CACHES & set(path.parts)}


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, so that nothing changes between one build and the next."""
    copy = tmp_path_factory.mktemp("checkout") / "project"
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git", ".venv", "dist", *CACHES))
    return copy


@pytest.fixture(scope="module")
def dists(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that was built from it."""
    output = tmp_path_factory.mktemp("dists")
    build(checkout, output)
    return output


@pytest.fixture(scope="module")
def wheel(dists: Path) -> Path:
    (found,) = dists.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a new environment that holds the wheel and what it requires, without `[gen]`."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=True)
    done = run(
        *(
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(home / "bin/python"),
            "install",
            "--quiet",
            str(wheel),
        ),
        cwd=home,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return home / "bin"


@pytest.mark.parametrize("folder", PARTS)
def test_the_wheel_holds_every_file_of_the_checkout(checkout: Path, wheel: Path, folder: str) -> None:
    inside = PARTS[folder]
    names = {name.removeprefix(f"{inside}/") for name in contents(wheel) if name.startswith(f"{inside}/")}
    if inside == PACKAGE:
        names = {name for name in names if not name.startswith(("templates/", "schemas/"))}
    assert names == files_below(checkout / folder)
    assert names


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    assert {name.partition("/")[0] for name in contents(wheel)} == {PACKAGE, "mcp_lockstep-0.1.0.dist-info"}


def test_the_wheel_from_the_tree_is_the_wheel_from_the_sdist(
    checkout: Path, wheel: Path, tmp_path: Path
) -> None:
    build(checkout, tmp_path, "--wheel")
    direct = contents(tmp_path / wheel.name)
    assert direct.keys() == contents(wheel).keys()
    assert direct == contents(wheel)


def test_the_sdist_holds_the_whole_checkout(dists: Path) -> None:
    (sdist,) = dists.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    wanted = {
        "codegen",
        "templates",
        "schemas",
        "tests",
        "examples",
        "bench",
        "tools",
        "docs",
        "Makefile",
        "README.md",
    }
    assert wanted <= tops


def test_the_installed_command_says_its_version(installed: Path, tmp_path: Path) -> None:
    done = run(str(installed / "mcp-lockstep"), "--version", cwd=tmp_path)
    assert (done.returncode, done.stdout.split()) == (0, ["mcp-lockstep", "0.1.0"])


def test_the_installed_command_checks_without_gen(installed: Path, tmp_path: Path) -> None:
    absent = run(str(installed / "python"), "-c", "import jsonschema", cwd=tmp_path)
    assert absent.returncode == 1
    manifest = {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.acme/weather",
        "description": "Forecasts.",
        "version": "1.2",
        "remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}],
    }
    (tmp_path / "server.json").write_text(json.dumps(manifest), encoding="utf-8")
    done = run(str(installed / "mcp-lockstep"), "check", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "server.json").write_text(json.dumps({**manifest, "name": "weather"}), encoding="utf-8")
    done = run(str(installed / "mcp-lockstep"), "check", cwd=tmp_path)
    assert done.returncode == 1
    assert "server.json:1:" in done.stdout


def test_a_command_that_needs_gen_says_what_to_type(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text('{"tools": []}', encoding="utf-8")
    done = run(str(installed / "mcp-lockstep"), "new", "made", "--from", "tools.json", cwd=tmp_path)
    said = (done.stdout + done.stderr).strip()
    assert done.returncode == 2
    assert "mcp-lockstep[gen]" in said
    assert "Traceback" not in said


def test_schemas_and_templates_are_found_inside_an_archive(
    installed: Path, wheel: Path, tmp_path: Path
) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
        "from mcp_lockstep.bundled import catalog, resources\n"
        "assert '.whl' in catalog.__file__\n"
        "print(len(catalog.entries()) > 5, 'mcp2/' in resources.names('templates'))"
    )
    done = run(str(installed / "python"), "-c", code, cwd=tmp_path)
    assert done.stdout.split() == ["True", "True"], done.stderr

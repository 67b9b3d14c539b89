"""Where a build backend takes packages from, and what of it is found without running it."""

from __future__ import annotations

import pytest
import tomli

from mcp_lockstep.project import Project
from mcp_lockstep.project.packaged import packaged
from mcp_lockstep.tree import Memory, Tree

TABLES: dict[str, tuple[str, list[str]]] = {
    "nothing": ("[project]\nname = 'a'\n", []),
    "poetry": (
        "[tool.poetry]\npackages = [{include = 'a', from = 'lib'}, {include = 'b'}]\n",
        ["lib/a", "b"],
    ),
    "poetry, pattern": ("[tool.poetry]\npackages = [{include = 'a/**/*.py', from = 'lib'}]\n", []),
    "hatch": ("[tool.hatch.build.targets.wheel]\npackages = ['python/a', './b/']\n", ["python/a", "b"]),
    "hatch, for all": ("[tool.hatch.build]\npackages = ['lib/a']\n", ["lib/a"]),
    "setuptools, where": ("[tool.setuptools.packages.find]\nwhere = ['lib']\n", ["lib"]),
    "setuptools, package-dir": ("[tool.setuptools]\npackage-dir = {'' = 'lib', x = 'y'}\n", ["lib"]),
    "uv_build": ("[tool.uv.build-backend]\nmodule-root = 'python'\n", ["python"]),
    "uv_build, flat": ("[tool.uv.build-backend]\nmodule-root = ''\n", []),
    "pdm": ("[tool.pdm.build]\npackage-dir = 'lib'\n", ["lib"]),
    "outside": ("[tool.pdm.build]\npackage-dir = '../lib'\n", []),
    "the project itself": ("[tool.setuptools.packages.find]\nwhere = ['.']\n", []),
    "wrong types": (
        "[tool]\npoetry = 1\n[tool.hatch]\nbuild = {packages = 'a'}\n[tool.pdm]\nbuild = []\n",
        [],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_folders_that_a_backend_is_told(name: str) -> None:
    text, folders = TABLES[name]
    assert [*packaged(tomli.loads(text))] == folders


def project(files: dict[str, str]) -> Project:
    return Project(Tree(Memory({path: text.encode() for path, text in files.items()})))


PACKAGES: dict[str, tuple[str, list[str], tuple[str, ...]]] = {
    "flat and src": ("", ["a/__init__.py", "src/b/__init__.py", "tests/__init__.py"], ("src/b", "a")),
    "a namespace": (
        "",
        ["src/acme/a/__init__.py", "src/acme/b/c/__init__.py"],
        ("src/acme/a", "src/acme/b/c"),
    ),
    "no namespace without src": ("", ["servers/a/__init__.py"], ()),
    "tests in a namespace": ("", ["src/acme/tests/__init__.py"], ()),
    "deeper than names go": ("", ["src/a/b/c/d/__init__.py"], ()),
    "poetry, from lib": (
        "poetry",
        ["lib/a/__init__.py", "lib/z/__init__.py", "b/__init__.py"],
        ("lib/a", "b"),
    ),
    "hatch, a flat namespace": ("hatch, for all", ["lib/a/b/__init__.py"], ("lib/a/b",)),
    "setuptools in lib": ("setuptools, where", ["lib/acme/a/__init__.py"], ("lib/acme/a",)),
    "src that is named": ("pdm", ["src/a/__init__.py", "lib/b/__init__.py"], ("src/a", "lib/b")),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_packages_of_a_project(name: str) -> None:
    table, paths, packages = PACKAGES[name]
    files = {"pyproject.toml": TABLES[table][0] if table else "", **dict.fromkeys(paths, "")}
    assert project(files).packages == packages

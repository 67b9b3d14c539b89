"""The folders that a build backend is told to take packages from, where they are not the usual ones."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.documents.data import as_array, objects, table, text_of
from mcp_lockstep.tree import join, safe


def packaged(pyproject: object) -> Iterator[str]:
    """The folders that a parsed pyproject.toml names: packages, or what holds them. Some may not be there."""
    for path in _named(pyproject):
        folder = path.replace("\\", "/").removeprefix("./").strip("/")
        if folder and folder != "." and safe(folder) and "*" not in folder:
            yield folder


def _named(data: object) -> Iterator[str]:
    for item in objects(table(data, "tool", "poetry").get("packages")):
        yield join(text_of(item.get("from")), text_of(item.get("include")))
    build = table(data, "tool", "hatch", "build")
    for target in (build, table(build, "targets", "wheel")):
        yield from map(text_of, as_array(target.get("packages")) or ())
    setuptools = table(data, "tool", "setuptools")
    yield from map(text_of, as_array(table(setuptools, "packages", "find").get("where")) or ())
    yield text_of(table(setuptools, "package-dir").get(""))
    yield text_of(table(data, "tool", "uv", "build-backend").get("module-root"))
    yield text_of(table(data, "tool", "pdm", "build").get("package-dir"))

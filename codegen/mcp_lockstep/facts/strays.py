"""Ownership markers that stand where no registry looks: in another file than the package's description."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

from mcp_lockstep.documents import MarkdownDocument
from mcp_lockstep.findings import Refused
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Tree, join

_SUFFIXES = (".md", ".markdown", ".rst", ".txt")
_FOLDERS = ("", "docs", "doc")
_MOST = 100
"""Files of one folder that are looked at."""


class Stray(NamedTuple):
    """The file, relative to the project, and the line of a marker."""

    path: str
    line: int


def stray_marker(project: Project, name: str, files: Sequence[str]) -> Stray | None:
    """The first marker of `name` in another text than `files`: beside them, in docs, or in a README above."""
    for tree, path, shown in _texts(project):
        if shown in files:
            continue
        text = _marked(tree, path)
        for marker in text.markers if text else ():
            if text and marker.name == name:
                return Stray(shown, text.position(marker.span).line)
    return None


def _marked(tree: Tree, path: str) -> MarkdownDocument | None:
    """The text at `path` if it may hold a marker; None too where it cannot be read, which is not its fault here."""
    with suppress(Refused):
        raw = tree.read(path) or b""
        return MarkdownDocument(path, raw) if b"mcp-name" in raw.lower() else None
    return None


def _texts(project: Project) -> Iterator[tuple[Tree, str, str]]:
    """Where to look: a tree, the path in it, and the path as the project sees it; READMEs first."""
    for folder in _FOLDERS:
        for name in _of(project.tree, folder)[:_MOST]:
            yield project.tree, join(folder, name), join(folder, name)
    for way in above(project.tree.root):
        tree = project.tree.above(way.shown, way.folder)
        for name in _of(tree, ""):
            if name.lower().startswith("readme"):
                yield tree, name, f"{way.shown}{name}"


class Way(NamedTuple):
    """A folder above a project, and how it is written from there: `../`."""

    folder: str
    shown: str


def above(root: str | None) -> Iterator[Way]:
    """The folders above the project up to the clone that it lies in; none where it is a clone, or lies in none."""
    ways: list[Way] = []
    folder = os.path.abspath(root) if root is not None else os.sep
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return
        ways.append(Way(folder, "../" * (len(ways) + 1)))
    yield from ways


def _of(tree: Tree, folder: str) -> list[str]:
    names = (name for name in tree.folder(folder) if name.lower().endswith(_SUFFIXES))
    return sorted(names, key=lambda name: (not name.lower().startswith("readme"), name))

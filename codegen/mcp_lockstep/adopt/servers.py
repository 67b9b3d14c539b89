"""The servers in a folder: the folder itself, or, in a monorepo, those below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.adopt.edits import inserted
from mcp_lockstep.config import OWN_FILE, PYPROJECT
from mcp_lockstep.documents import TomlDocument
from mcp_lockstep.documents.data import table
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.memo import listing
from mcp_lockstep.plan import Plan, changes
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.tree import Disk, Tree, join

_DEEPEST = 4
_NO_SERVERS = frozenset(
    "build dist venv site-packages node_modules tests test docs doc examples example templates fixtures".split()
)
_DESCRIBED = frozenset({MANIFEST, PYPROJECT, OWN_FILE, "setup.cfg", "setup.py"})


def find_servers(root: str) -> tuple[str, ...]:
    """The folders of the servers in `root`, relative to it; `("",)` where it is one, or holds none."""
    project = Project(Tree(Disk(root)))
    if project.config.servers:
        return project.config.servers
    if is_server(project):
        return ("",)
    return tuple(_below(root, "", _DEEPEST)) or ("",)


def is_server(project: Project) -> bool:
    """Whether a project is a server: it has a server.json, or builds a distribution on an SDK for servers."""
    if project.manifest is not None or project.config.name:
        return True
    distribution = read_distribution(project)
    return distribution.name is not None and any(map(_is_sdk, distribution.requires))


def with_servers(tree: Tree, servers: tuple[str, ...]) -> Plan:
    """The plan that lists `servers` in the configuration of the folder above them all."""
    project = Project(tree)
    there = project.config.path or (PYPROJECT if project.pyproject is not None else OWN_FILE)
    document = TomlDocument(there, project.raw(there) or b"")
    prefix = "/tool/mcp-lockstep" if there == PYPROJECT else ""
    entries = [{"path": server} for server in servers if server not in project.config.servers]
    if not entries:
        return Plan()
    if project.config.servers:
        for entry in entries:
            document = TomlDocument(there, inserted(document, {f"{prefix}/servers/-": entry}).raw)
        return Plan(changes(tree, {there: document.raw}, ()))
    whole = prefix and not table(document.data, "tool", "mcp-lockstep")
    values: dict[str, object] = {prefix: {"servers": entries}} if whole else {f"{prefix}/servers": entries}
    return Plan(changes(tree, {there: inserted(document, values).raw}, ()))


def _below(root: str, folder: str, depth: int) -> Iterator[str]:
    for name in listing(join(root, folder) if folder else root):
        if not name.endswith("/") or name[:-1] in _NO_SERVERS:
            continue
        inner = join(folder, name[:-1])
        below = join(root, inner)
        if _DESCRIBED.intersection(listing(below)) and is_server(Project(Tree(Disk(below)))):
            yield inner
        elif depth > 1:
            yield from _below(root, inner, depth - 1)


def _is_sdk(requirement: str) -> bool:
    return re.match(r"(?:mcp|fastmcp)(?![\w.-])", requirement, re.IGNORECASE) is not None

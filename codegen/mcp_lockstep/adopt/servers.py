"""The servers in a folder: the folder itself, or, in a monorepo, those below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from mcp_lockstep.adopt.edits import configured
from mcp_lockstep.code.observe import observe
from mcp_lockstep.config import OWN_FILE, PYPROJECT
from mcp_lockstep.documents.data import as_array, table, text_of
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.memo import listing
from mcp_lockstep.plan import Plan, changes
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree, join

_DEEPEST = 4
_NO_SERVERS = frozenset(
    "build dist venv site-packages node_modules vendor third_party tests test testdata docs doc examples example "
    "templates fixtures".split()
)
_DESCRIBED = frozenset({MANIFEST, PYPROJECT, OWN_FILE, "setup.cfg", "setup.py"})


class _Above(NamedTuple):
    """The folder above others: the patterns of folders that it leaves out, and its names where it is a server."""

    patterns: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    def leaves_out(self, folder: str) -> bool:
        return any(fnmatchcase(folder, pattern.rstrip("/")) for pattern in self.patterns)


def find_servers(root: str) -> tuple[str, ...]:
    """The folders of the servers in `root`, relative to it, `.` for itself; `("",)` where there are no others.

    A configuration that lists servers is what counts. The root of a workspace can be a server among others.
    """
    project = Project(Tree(Disk(root)))
    if project.config.servers:
        return project.config.servers
    if not is_server(project):
        return tuple(_below(root, _Above(_excluded(project)))) or ("",)
    others = tuple(_below(root, _Above((*_excluded(project), "src", *project.packages), _names(project))))
    return (".", *others) if others else ("",)


def is_server(project: Project) -> bool:
    """Whether a project is a server: it has a server.json, or builds a distribution on an SDK that can be started."""
    if project.manifest is not None or project.config.name:
        return True
    distribution = read_distribution(project)
    return distribution.name is not None and any(map(_is_sdk, distribution.requires)) and _starts(project)


def _starts(project: Project) -> bool:
    """Whether something starts a server: a library that others build servers on has nothing that does."""
    if read_distribution(project).scripts != {} or any(m.endswith("__main__.py") for m in project.modules):
        return True
    raws = ((path, project.raw(path)) for path in project.modules)
    return any(observe(path, raw).servers for path, raw in raws if raw is not None)


def _names(project: Project) -> frozenset[str]:
    """What a project is called: its server, and its distribution. A folder with the same names is a copy of it."""
    name = text_of(table(project.manifest.data).get("name")) if project.manifest else project.config.name
    built = read_distribution(project).name
    return frozenset({name, normal_identifier(built.text or "") if built else ""}) - {""}


def with_servers(tree: Tree, servers: tuple[str, ...]) -> Plan:
    """The plan that lists `servers` in the configuration of the folder above them all, unless it lists some."""
    project = Project(tree)
    if project.config.servers:
        return Plan()
    entries = [{"path": server} for server in servers]
    return Plan(changes(tree, configured(project, {"servers": entries}), ()))


def _below(root: str, above: _Above, folder: str = "", depth: int = _DEEPEST) -> Iterator[str]:
    for name in listing(join(root, folder) if folder else root):
        inner = join(folder, name[:-1])
        if not name.endswith("/") or name[:-1] in _NO_SERVERS or above.leaves_out(inner):
            continue
        below = join(root, inner)
        if _DESCRIBED.intersection(listing(below)) and _is_another(Project(Tree(Disk(below))), above.names):
            yield inner
        elif depth > 1:
            yield from _below(root, above, inner, depth - 1)


def _is_another(project: Project, names: frozenset[str]) -> bool:
    """Whether a project is a server to publish, and no copy or part of the one above it, which is called `names`."""
    if not is_server(project) or (project.manifest is None and read_distribution(project).private):
        return False
    own = _names(project)
    return not names or (bool(own) and not own & names)


def _excluded(project: Project) -> tuple[str, ...]:
    """The patterns of folders that a uv workspace leaves out."""
    workspace = project.pyproject_table("tool", "uv", "workspace")
    return tuple(map(text_of, as_array(workspace.get("exclude")) or ()))


def _is_sdk(requirement: str) -> bool:
    return re.match(r"(?:mcp|fastmcp)(?![\w.-])", requirement, re.IGNORECASE) is not None

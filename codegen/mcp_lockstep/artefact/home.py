"""The project that an artefact is built from, where it is at hand: beside the folder of the artefact, or here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from mcp_lockstep.artefact.package import same_name
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.findings import Finding
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree


class Home(NamedTuple):
    """The folder of a project, the project (None: not at hand), and what keeps it from being compared with."""

    root: str = ""
    project: Project | None = None
    broken: tuple[Finding, ...] = ()


def project_of(path: str, name: str) -> Home:
    """The home of an artefact of the package `name`."""
    return home_of(path, lambda project: _builds(project, name))


def home_of(path: str, is_home: Callable[[Project], bool]) -> Home:
    """The folder and the project of which `is_home` holds, with what cannot be read of it.

    Where it is not at hand: what cannot be read where it was looked for, since that may be why.

    Looked for in the folder above the one of the artefact, in the working folder, and in the servers that their
    configurations name.
    """
    beside = os.path.relpath(os.path.dirname(os.path.dirname(os.path.abspath(path))))
    broken: list[Finding] = []
    for folder in dict.fromkeys((os.path.normpath(beside), ".")):
        for root, project in _with_members(folder):
            if is_home(project):
                return Home(root, project, _unreadable(root, project))
            broken += _unreadable(root, project)
    return Home(broken=tuple(broken))


def _builds(project: Project, name: str) -> bool:
    built = read_distribution(project).name
    return built is not None and built.text is not None and same_name(built.text, name)


def _unreadable(root: str, project: Project) -> tuple[Finding, ...]:
    """What is broken of the files that an artefact is compared with, at their paths from the working folder."""
    _ = project.manifest
    broken = (f for f in dict.fromkeys(project.broken) if f.severity == "error")
    return tuple(
        f._replace(place=f.place._replace(path=os.path.normpath(os.path.join(root, f.place.path))))
        for f in broken
    )


def _with_members(folder: str) -> Iterator[tuple[str, Project]]:
    project = Project(Tree(Disk(folder)))
    yield folder, project
    for server in project.config.servers:
        member = os.path.normpath(os.path.join(folder, server))
        yield member, Project(Tree(Disk(member)))

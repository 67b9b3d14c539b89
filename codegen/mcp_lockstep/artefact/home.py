"""The project that an artefact is built from, where it is at hand: beside the folder of the artefact, or here."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mcp_lockstep.artefact.package import same_name
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree


def project_of(path: str, name: str) -> tuple[str, Project] | None:
    """The folder and the project that builds the package `name`; None where it is not at hand.

    Looked for in the folder above the one of the artefact, in the working folder, and in the servers that their
    configurations name.
    """
    beside = os.path.relpath(os.path.dirname(os.path.dirname(os.path.abspath(path))))
    for folder in dict.fromkeys((os.path.normpath(beside), ".")):
        for root, project in _with_members(folder):
            built = read_distribution(project).name
            if built is not None and built.text is not None and same_name(built.text, name):
                return root, project
    return None


def _with_members(folder: str) -> Iterator[tuple[str, Project]]:
    project = Project(Tree(Disk(folder)))
    yield folder, project
    for server in project.config.servers:
        member = os.path.normpath(os.path.join(folder, server))
        yield member, Project(Tree(Disk(member)))

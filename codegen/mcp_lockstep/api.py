"""What other programs call: the two verbs, without a terminal."""

from __future__ import annotations

import os

from mcp_lockstep.findings import Finding
from mcp_lockstep.judge import judge_tree, wanted
from mcp_lockstep.pipeline import Synced, sync_project
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree


def check(folder: str | os.PathLike[str], *, only: str = "") -> tuple[Finding, ...]:
    """What is to be said about the project in `folder`, less what its configuration ignores.

    `only` is the name of the one fact to look at (`version`). Nothing is written, run or fetched.
    """
    project = Project(Tree(Disk(os.fspath(folder))))
    return wanted(judge_tree(project, only=only).findings, project.config)


def sync(folder: str | os.PathLike[str]) -> Synced:
    """Write what is out of step in `folder`. Raises `Refused` where a file cannot be written."""
    return sync_project(os.fspath(folder))

"""What other programs call: the two verbs, without a terminal."""

from __future__ import annotations

import os

from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.facts.table import FACTS
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.judge import judge_tree, wanted
from mcp_lockstep.pipeline.sync import Synced, sync_project
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree


def check(folder: str | os.PathLike[str], *, only: str = "") -> tuple[Finding, ...]:
    """What is to be said about the project in `folder`, less what its configuration ignores; empty: in step.

    Findings are of every severity, notes too. `only` is the name of the one fact to look at (`version`).
    Nothing is written, run or fetched, and servers in folders below are not looked at. Raises `Refused` where
    there is no such folder, ValueError where there is no such fact.
    """
    if only and only not in FACTS:
        raise ValueError(f"there is no fact {only!r}; there are {', '.join(sorted(FACTS))}")
    project = Project(Tree(Disk(_there(folder))))
    return wanted(judge_tree(project, only=only).findings, project.config)


def sync(folder: str | os.PathLike[str]) -> Synced:
    """Write what is out of step in the project in `folder`; a second call writes nothing.

    What cannot be settled, as an edited generated file or a conflict, is left alone and told in `left`.
    Raises `Refused` where there is no such folder, or a file of it cannot be written: each file is then wholly
    as it was or wholly new, and the next call ends the work.
    """
    return sync_project(_there(folder))


def _there(folder: str | os.PathLike[str]) -> str:
    path = os.fspath(folder)
    if not os.path.isdir(path):
        raise Refused(Finding(FILE_MISSING, Place(path), f"{path} is no folder"))
    return path

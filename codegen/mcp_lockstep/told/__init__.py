"""What a server is told when it starts, environment variables and arguments: in its code and in server.json."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.project import Project
from mcp_lockstep.told.arguments import judge_arguments
from mcp_lockstep.told.environment import judge_environment
from mcp_lockstep.told.judged import Told


def judge_told(project: Project, modules: Sequence[Module], only: str = "") -> Told:
    """Both facts judged. `only`: the name of the one fact to look at, empty for all."""
    found = [
        judge(project, modules)
        for name, judge in (("environment", judge_environment), ("arguments", judge_arguments))
        if only in ("", name)
    ]
    return Told(
        tuple(reading for one in found for reading in one.readings),
        tuple(finding for one in found for finding in one.findings),
        tuple(edit for one in found for edit in one.edits),
    )

"""Everything that is wrong with what clients run: of one server.json, or of a project with its console scripts."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.documents import Document
from mcp_lockstep.documents.data import as_object
from mcp_lockstep.findings import Finding
from mcp_lockstep.launch.derive import launches
from mcp_lockstep.launch.rules import RULES
from mcp_lockstep.launch.scripts import console_scripts
from mcp_lockstep.project import Project
from mcp_lockstep.rules import judge_manifest


def judge_commands(document: Document) -> tuple[Finding, ...]:
    """What is wrong with the commands of a server.json; nothing where it holds no object."""
    return judge_manifest(document, RULES) if isinstance(document.data, dict) else ()


def judge_launches(project: Project) -> Iterator[Finding]:
    """What is wrong with the commands of a project."""
    if project.manifest is not None:
        yield from judge_commands(project.manifest)
        yield from console_scripts(project)


def commands(document: Document) -> tuple[str, ...]:
    """The commands that clients run for the packages of a server.json, each once."""
    data = as_object(document.data)
    return tuple(dict.fromkeys(launch.command for launch in launches(data or {}) if launch.words))

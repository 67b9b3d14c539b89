"""How a hook speaks: one line per finding on standard error, no traceback, an exit where it refuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from mcp_lockstep.cli.output import ranked
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.findings import Finding
from mcp_lockstep.hooks.judged import Built, Kind, Look, Verdict, judge_build, look, rendered_for
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree

DEBUG = "MCP_LOCKSTEP_DEBUG"


def decide(root: str, built: Built) -> Verdict | None:
    """Judge the project in `root`, tell what is out of step; SystemExit where that refuses the build.

    None where there is nothing to put in: no server.json, or a fault of ours in a build that may go on.
    """
    try:
        seen = look(root)
        verdict = judge_build(seen, built) if seen is not None else None
    except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
        fault(error, built.kind)
        return None
    if verdict is not None:
        tell(verdict.findings)
        if verdict.refused:
            raise refusal(built.kind, verdict.findings)
    return verdict


def seen_in(root: str, kind: Kind) -> Look | None:
    """`look`, where the artefact is made first; None as well for a fault of ours in a build that may go on."""
    try:
        return look(root)
    except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
        fault(error, kind)
        return None


def rendered(root: str, version: str) -> bytes | None:
    """server.json with the `version` that is built in it, nothing told; None where there is none to be had."""
    try:
        project = Project(Tree(Disk(root)))
        manifest = project.manifest
        return None if manifest is None else rendered_for(project, manifest, version).raw
    except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
        fault(error, "wheel")
        return None


def tell(findings: Iterable[Finding]) -> None:
    """Print every error and warning."""
    for finding in ranked(findings, notes=False):
        sys.stderr.write(f"mcp-lockstep: {line(finding)}\n")
    sys.stderr.flush()


def line(finding: Finding) -> str:
    """A finding on one line: where, how bad, which, what, and what to do."""
    row, column = finding.position[:2]
    where = f"{finding.place.path}:{row}:{column}: " if finding.place.path else ""
    hint = f" ({finding.hint})" if finding.hint else ""
    text = f"{where}{finding.severity} {finding.code.id} {finding.code.slug}: {finding.message}{hint}"
    return printable(text.replace("\n", " "))


def refusal(kind: Kind, findings: Iterable[Finding]) -> SystemExit:
    """What ends a build: its message is the last line that the user sees."""
    number = sum(finding.severity == "error" for finding in findings)
    errors = "1 error" if number == 1 else f"{number} errors"
    return SystemExit(
        f"mcp-lockstep: no {kind} is built: {errors}; `mcp-lockstep check` says the same before a build"
    )


def fault(error: Exception, kind: Kind) -> None:
    """Say that we failed. An sdist is what releases are made of, so it is not built unjudged."""
    if os.environ.get(DEBUG):
        raise error
    said = printable(f"{type(error).__name__}: {error}")
    text = f"mcp-lockstep: LS9001 internal: {said}; this is a fault of mcp-lockstep, {DEBUG}=1 shows where"
    if kind == "sdist":
        raise SystemExit(text)
    sys.stderr.write(f"{text}\n")

"""How a hook speaks: one line per finding on standard error, no traceback, an exit where it refuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mcp_lockstep.hooks.built import Built, Kind, Verdict, asked_to_be_strict, has_manifest
from mcp_lockstep.hooks.recall import keep, recalled

if TYPE_CHECKING:
    from mcp_lockstep.findings import Finding

DEBUG = "MCP_LOCKSTEP_DEBUG"


def decide(root: str, built: Built) -> Verdict | None:
    """Judge the project in `root`, tell what is out of step; SystemExit where that refuses the build.

    None where there is nothing to put in: no server.json, or a fault of ours in a build that may go on.
    """
    if not has_manifest(root):
        return None
    try:
        verdict = recalled(root, built) or _judged(root, built)
    except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
        fault(error, built.kind, root)
        return None
    tell(verdict.findings)
    if verdict.refused:
        raise refusal(built.kind, verdict.findings)
    return verdict


def _judged(root: str, built: Built) -> Verdict:
    from mcp_lockstep.hooks.judged import judge_build, look

    seen = look(root)
    verdict = judge_build(seen, built)
    told = any(finding.severity != "note" for finding in verdict.findings)
    if not told and not seen.project.config.moves:
        # The listing of the project's own folder stands at "/"; the working folder is that folder.
        asked = seen.project.tree.asked().items()
        keep(root, built, verdict, {"./" if path == "/" else path: raw for path, raw in asked})
    return verdict


def rendered(root: str, built: Built) -> bytes | None:
    """server.json with the version that is built in it, nothing told; None where there is none to be had."""
    if not has_manifest(root):
        return None
    try:
        if (verdict := recalled(root, built)) is not None:
            return verdict.manifest
        from mcp_lockstep.hooks.rendered import rendered_in

        return rendered_in(root, built.version)
    except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
        fault(error, "wheel", root)
        return None


def tell(findings: Sequence[Finding]) -> None:
    """Print every error and warning."""
    if not findings:
        return
    from mcp_lockstep.cli.output import ranked

    for finding in ranked(findings, notes=False):
        sys.stderr.write(f"mcp-lockstep: {line(finding)}\n")
    sys.stderr.flush()


def line(finding: Finding) -> str:
    """A finding on one line: where, how bad, which, what, and what to do."""
    from mcp_lockstep.cli.printable import printable

    row, column = finding.position[:2]
    where = f"{finding.place.path}:{row}:{column}: " if finding.place.path else ""
    hint = f" ({finding.hint})" if finding.hint else ""
    text = f"{where}{finding.severity} {finding.code.id} {finding.code.slug}: {finding.message}{hint}"
    return printable(text.replace("\n", " "))


def refusal(kind: Kind, findings: Iterable[Finding]) -> SystemExit:
    """What ends a build: its message is the last line that the user sees."""
    from mcp_lockstep.hooks.codes import CODES

    wrong = [finding for finding in findings if finding.severity == "error"]
    # What only a build can see, as the version of a tag, is nothing that `check` says.
    alone = any(finding.code in CODES for finding in wrong)
    return _end(kind, len(wrong), "" if alone else "; `mcp-lockstep check` says the same before a build")


def _end(kind: Kind, errors: int, hint: str = "") -> SystemExit:
    made = "editable wheel" if kind == "editable" else kind
    said = "1 error" if errors == 1 else f"{errors} errors"
    return SystemExit(f"mcp-lockstep: no {made} is built: {said}{hint}")


def fault(error: Exception, kind: Kind, root: str = ".") -> None:
    """Say why nothing is judged: what cannot be read, what the system refuses, or that we failed.

    SystemExit where the build ends there: an sdist is what releases are made of, so it is not built unjudged, and
    with `build-strict` nothing is.
    """
    from mcp_lockstep.cli.printable import printable
    from mcp_lockstep.findings import Refused

    ends = kind == "sdist" or _is_strict(root)
    if isinstance(error, Refused):
        tell(error.findings)
        if ends:
            raise _end(kind, len(error.findings))
        return
    if isinstance(error, OSError):
        text = printable(f"{error.strerror or error}: {error.filename or 'what is built'}")
    elif os.environ.get(DEBUG):
        raise error
    else:
        said = printable(f"{type(error).__name__}: {error}")
        text = f"LS9001 internal: {said}; this is a fault of mcp-lockstep, {DEBUG}=1 shows where"
    if ends:
        raise SystemExit(f"mcp-lockstep: {text}")
    sys.stderr.write(f"mcp-lockstep: {text}\n")


def _is_strict(root: str) -> bool:
    """Whether nothing is to be built unjudged, as far as the configuration can be read."""
    if asked_to_be_strict():
        return True
    from mcp_lockstep.project import Project
    from mcp_lockstep.tree import Disk, Tree

    try:
        return Project(Tree(Disk(root))).config.build_strict
    except Exception:  # noqa: BLE001 - it may be what the fault is about
        return False

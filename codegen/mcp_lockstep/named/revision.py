"""A file as it stands in a git revision, read by git itself: no shell, no filters, no network."""

from __future__ import annotations

from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.named.codes import NOT_IN_REVISION
from mcp_lockstep.tree import MAX_BYTES

SCHEME = "git:"
PATIENCE = 60.0


def in_revision(spec: str, folder: str) -> bytes:
    """The bytes that `git:REV:PATH` names, PATH from `folder` on. Refused where there are none."""
    revision, _, path = spec.removeprefix(SCHEME).partition(":")
    if not revision or not path or revision.startswith("-") or "\0" in spec:
        raise _refused(spec, "does not read git:REV:PATH")
    if path.startswith(("/", "\\")):
        raise _refused(spec, "names a path that does not begin in this folder")
    raw = _blob(spec, f"{revision}:./{path.removeprefix('./')}", folder)
    if len(raw) > MAX_BYTES:
        raise _refused(spec, f"is larger than {MAX_BYTES:,} bytes")
    return raw


def _blob(spec: str, name: str, folder: str) -> bytes:
    import os
    import subprocess

    # Without lazy fetching, a partial clone answers from what it has; `cat-file` runs no filter of the user's.
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    command = ["git", "cat-file", "blob", name]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, check=False
        )
    except FileNotFoundError:
        raise _refused(spec, "needs git, which is not installed") from None
    except subprocess.TimeoutExpired:
        raise _refused(spec, f"was not read by git within {PATIENCE:.0f} seconds") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise _refused(spec, f"is not there: git says {said.removeprefix('fatal: ')!r}")
    return done.stdout


def _refused(spec: str, why: str) -> Refused:
    return Refused(Finding(NOT_IN_REVISION, Place(spec), f"{spec} {why}", hint=NOT_IN_REVISION.explain))

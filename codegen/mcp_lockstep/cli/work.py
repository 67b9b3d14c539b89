"""What the commands on projects share: find them, judge them, and leave out what the user asked to leave out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from mcp_lockstep.code.codes import NOT_IMPLEMENTED
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents.codes import FILE_MISSING, NOT_JSON
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.judge import Accept, Judgement, judge, wanted
from mcp_lockstep.lock import Lock, read_lock
from mcp_lockstep.memo import listing
from mcp_lockstep.plan import Generated, Seed
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.recipe import GENERATED_MISSING, GENERATED_STALE
from mcp_lockstep.tree import Disk, Tree

MAKING_HALF_MISSING = Code(
    "LS0302",
    "making-half-missing",
    "error",
    "The command makes code, and the packages for that are not installed.",
    "`pip install mcp-lockstep` is the keeping half; `pip install 'mcp-lockstep[gen]'` adds the making half.",
    exit=2,
)
CODES = (MAKING_HALF_MISSING,)
MAKES = (GENERATED_MISSING, GENERATED_STALE, NOT_IMPLEMENTED)
"""What only the making half can mend."""
_MAKING = frozenset({"datamodel_code_generator", "jinja2", "jsonschema", "libcst"})
_SKIPPED = frozenset({"build", "dist", "venv", "site-packages"})


class Checked(NamedTuple):
    """A project folder as the user wrote it, what was read of it, and the findings that are left to say."""

    root: str
    project: Project
    judgement: Judgement
    findings: tuple[Finding, ...]


def check_project(root: str, ignore: Sequence[str] = (), only: str = "") -> Checked:
    """Judge the project in the folder `root`. Paths in the findings are relative to the working folder."""
    project = Project(Tree(Disk(root)))
    judgement = judge_tree(project, only=only)
    findings = wanted(judgement.findings, project.config, ignore)
    return Checked(root, project, judgement, below(root, findings))


def judge_tree(project: Project, accept: Accept | None = None, only: str = "") -> Judgement:
    """Judge `project` against its own lock; one that cannot be used is a finding, and no base."""
    try:
        lock, broken = read_lock(project.tree)
    except Refused as refused:
        lock, broken = None, refused.findings
    judgement = judge(project, lock or Lock(), accept, only)
    return judgement._replace(findings=(*broken, *judgement.findings))


def generated_writes(
    project: Project, judged: Judgement, force: frozenset[str]
) -> tuple[Generated | Seed, ...]:
    """What the contract asks for; the making half is loaded only where something is missing or stale."""
    surface = judged.surface
    mends = any(finding.fixable and finding.code in MAKES for finding in judged.findings)
    if surface.offer is None or surface.offer.errors or not (mends or force):
        return ()
    with generating("sync"):
        from mcp_lockstep.emit.build import view_of_project
        from mcp_lockstep.emit.generated import generated
        from mcp_lockstep.emit.seeds import seeds_for

        view = view_of_project(project, surface.offer.contract)
        return (*generated(view), *seeds_for(view, surface.missing))


@contextmanager
def generating(command: str) -> Iterator[None]:
    """Where the making half is needed. Refused with the command to type where it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _MAKING:
            raise
        message = f"`{command}` needs the making half, and {error.name} is not installed"
        hint = "pip install 'mcp-lockstep[gen]'"
        raise Refused(Finding(MAKING_HALF_MISSING, Place(""), message, hint=hint)) from None


def below(root: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """`findings` of the project in `root` with paths as seen from the working folder."""
    if root == ".":
        return tuple(findings)
    places = (finding.place._replace(path=os.path.join(root, finding.place.path)) for finding in findings)
    return tuple(finding._replace(place=place) for finding, place in zip(findings, places, strict=True))


def find_projects(paths: Sequence[str], *, recursive: bool) -> tuple[str, ...]:
    """The project folders that the user's `paths` mean. Refused for a path that is not there."""
    found: list[str] = []
    for path in paths:
        folder = os.path.dirname(path) or "." if os.path.basename(path) == MANIFEST else path
        if not os.path.isdir(folder):
            message = f"{path} is no folder and no {MANIFEST}"
            raise Refused(Finding(FILE_MISSING, Place(path), message, hint="name the folder of a project"))
        found += _below(folder) if recursive else _members(folder)
    return tuple(dict.fromkeys(found))


def read_baseline(path: str) -> frozenset[tuple[str, str, str]]:
    """What the report in `path` (`--format json`; empty: none) already holds: code, file, pointer of each finding."""
    if not path:
        return frozenset()
    try:
        with open(path, encoding="utf-8") as handle:
            report = json.load(handle)
        return frozenset((str(f["code"]), str(f["file"]), str(f["pointer"])) for f in report["findings"])
    except OSError as error:
        raise Refused(
            Finding(FILE_MISSING, Place(path), f"{path} cannot be read: {error.strerror}")
        ) from None
    except (ValueError, KeyError, TypeError):
        message = f"{path} is no report of `mcp-lockstep check --format json`"
        raise Refused(Finding(NOT_JSON, Place(path), message)) from None


def baseline_key(finding: Finding) -> tuple[str, str, str]:
    """What makes a finding the same one in two reports, lines not counted."""
    return finding.code.id, finding.place.path, finding.pointer


def _members(folder: str) -> list[str]:
    """The servers that the configuration in `folder` names; the folder itself where it names none."""
    servers = Project(Tree(Disk(folder))).config.servers
    return [os.path.join(folder, server) for server in servers] if servers else [folder]


def _below(folder: str) -> Iterator[str]:
    names = listing(folder)
    if MANIFEST in names or (PYPROJECT in names and Project(Tree(Disk(folder))).config.path):
        yield folder
    for name in names:
        if name.endswith("/") and name[:-1] not in _SKIPPED:
            yield from _below(os.path.join(folder, name[:-1]))

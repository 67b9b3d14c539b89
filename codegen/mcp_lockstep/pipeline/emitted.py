"""The first stage: generated files and functions that are missing or stale, made anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from mcp_lockstep.code.codes import NOT_IMPLEMENTED
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.generated.recipe import GENERATED_MISSING, GENERATED_STALE, NOT_GENERATED
from mcp_lockstep.judge import Judgement, judge_tree
from mcp_lockstep.making import MAKING_HALF_MISSING, making
from mcp_lockstep.plan import Generated, Seed, emit
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

if TYPE_CHECKING:
    from mcp_lockstep.generated.modules import Task

_MADE = (GENERATED_MISSING, GENERATED_STALE, NOT_IMPLEMENTED)
"""What only the making half can mend."""


class Emitted(NamedTuple):
    """The files that are made, by path, and what is wrong with what they are made of."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...] = ()


class _Modules(NamedTuple):
    """The modules of models to keep, and what is wrong with the schemas of those that were made."""

    writes: tuple[Generated, ...] = ()
    findings: tuple[Finding, ...] = ()


def emitted(project: Project, force: frozenset[str], only: str = "") -> Emitted:
    """Make what the contract and the jobs of models ask for. Refused where a path in `force` is no generated file.

    `only`: the one fact to look at; modules of models belong to none.
    """
    modules = _Modules() if only or not project.config.models else _modules(project, force)
    why: tuple[Finding, ...] = ()
    try:
        writes = _writes(project, judge_tree(project, only=only), force)
    except Refused as refused:
        # A schema that is beyond models keeps no other fact from being mended.
        if force or any(finding.code is MAKING_HALF_MISSING for finding in refused.findings):
            raise
        writes, why = (), refused.findings
    _known(force, (*writes, *modules.writes))
    # A module of models that cannot be replaced keeps nothing else from being written.
    sets = [emit(project.tree, files, force) for files in (writes, *((one,) for one in modules.writes))]
    files = {path: raw for made in sets for path, raw in made.files.items()}
    return Emitted(files, (*why, *(finding for made in sets for finding in made.findings), *modules.findings))


def _writes(project: Project, judged: Judgement, force: frozenset[str]) -> tuple[Generated | Seed, ...]:
    """What the contract asks for; the making half is loaded only where something is missing or stale."""
    surface = judged.surface
    made = any(finding.fixable and finding.code in _MADE for finding in judged.findings)
    if surface.offer is None or surface.offer.errors or not (made or force):
        return ()
    with making("`sync`"):
        from mcp_lockstep.emit.build import view_of_project
        from mcp_lockstep.emit.generated import generated
        from mcp_lockstep.emit.seeds import seeds_for

        view = view_of_project(project, surface.offer)
        return (*generated(view), *seeds_for(view, surface.missing, project.modules))


def _modules(project: Project, force: frozenset[str]) -> _Modules:
    """What the configured jobs ask for; the making half is loaded only where one is missing or stale."""
    from mcp_lockstep.generated.modules import due, tasks

    writes: list[Generated] = []
    findings: list[Finding] = []
    for task in tasks(project):
        # Why a job cannot be done is told by the judge.
        if isinstance(task, Refused):
            continue
        path, text = task.job.output, ""
        if path in force or due(task, project.raw(path)):
            text, said = _module(task)
            findings += said
            if not text:
                continue
        writes.append(Generated(path, task.recipe, partial(str, text)))
    return _Modules(tuple(writes), tuple(findings))


def _module(task: Task) -> tuple[str, tuple[Finding, ...]]:
    """The text of a module (empty where none can be made), and what is wrong with its schema."""
    with making("`sync` of models"):
        from mcp_lockstep.models.file import module_file

        try:
            made = module_file(task)
        except Refused as refused:
            return "", refused.findings
        return made.text, made.findings


def _known(force: frozenset[str], writes: Iterable[Generated | Seed]) -> None:
    """Refused when a path that is to be replaced is not that of a generated file."""
    known = {write.path for write in writes if isinstance(write, Generated)}
    strange = sorted(force - known)
    if strange:
        hint = f"generated here: {', '.join(sorted(known)) or 'nothing'}"
        raise Refused(
            *(Finding(NOT_GENERATED, Place(p), f"{p} is no generated file", hint=hint) for p in strange)
        )

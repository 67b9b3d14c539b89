"""The pipeline of a sync: emit -> read, over what was emitted -> merge -> plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from mcp_lockstep.code.codes import NOT_IMPLEMENTED, PARAMETER_STILL_USED
from mcp_lockstep.code.imports import imported
from mcp_lockstep.code.prune import Pruned, prune
from mcp_lockstep.code.signature import Signature
from mcp_lockstep.code.source import Parsed, parse
from mcp_lockstep.contract.origin import Origin
from mcp_lockstep.contract.sources import Published
from mcp_lockstep.documents import Edit
from mcp_lockstep.documents.data import table
from mcp_lockstep.facts.codes import ARGUMENT_UNKNOWN, VARIABLE_UNREAD
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.generated.recipe import GENERATED_MISSING, GENERATED_STALE, NOT_GENERATED
from mcp_lockstep.judge import Accept, Judgement, judge_tree, wanted
from mcp_lockstep.lock import LOCK, Lock, read_lock, render_lock
from mcp_lockstep.making import making
from mcp_lockstep.plan import Generated, Plan, Seed, apply, changes, emit, recover
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.startup.seeded import settings_home
from mcp_lockstep.surface import Kept, Rewrite
from mcp_lockstep.tree import Disk, Tree

if TYPE_CHECKING:
    from mcp_lockstep.generated.modules import Task

_MADE = (GENERATED_MISSING, GENERATED_STALE, NOT_IMPLEMENTED)
"""What only the making half can mend."""

_SETTLED = (VARIABLE_UNREAD, ARGUMENT_UNKNOWN)
"""What a declaration in the settings module mends."""


class Order(NamedTuple):
    """What the user asked for: a place that decides, generated files to replace, one fact alone, orphans to remove."""

    accept: Accept | None = None
    force: frozenset[str] = frozenset()
    only: str = ""
    prune: bool = False


PLAIN = Order()
"""A sync that was asked for nothing in particular."""


class Synced(NamedTuple):
    """What a sync writes, the values that it replaces, and what is left to say; paths are those in the project.

    `plan.changes` are the files in the order of writing: `path`, and the bytes `before` and `after` (None: not there).
    `replaced` has a finding for each value that gave way (`have`: the former, `want`: the new one).
    """

    plan: Plan
    replaced: tuple[Finding, ...] = ()
    left: tuple[Finding, ...] = ()


class Modules(NamedTuple):
    """The modules of models to keep, and what is wrong with the schemas of those that were made."""

    writes: tuple[Generated, ...] = ()
    findings: tuple[Finding, ...] = ()


class Signed(NamedTuple):
    """The edits of signatures and imports, and by tool what could not be edited."""

    edits: tuple[Edit, ...] = ()
    refused: Mapping[str, tuple[Finding, ...]] = {}


def sync_project(root: str, order: Order = PLAIN) -> Synced:
    """End what a killed command began, then write everything that is out of step below `root`."""
    begun = recover(root)
    synced = prepare(Tree(Disk(root)), order)
    apply(root, synced.plan)
    return synced._replace(left=(*begun, *synced.left))


def prepare(tree: Tree, order: Order = PLAIN) -> Synced:
    """Work out a sync of the project in `tree` without writing anything."""
    project = Project(tree)
    modules = _modules(project, order)
    writes = _writes(project, judge_tree(project, only=order.only), order.force)
    _known(order.force, (*writes, *modules.writes))
    sets = [emit(tree, files, order.force) for files in (writes, *((module,) for module in modules.writes))]
    emitted = {path: raw for made in sets for path, raw in made.files.items()}
    judged = judge_tree(Project(tree.over(emitted)), order.accept, order.only)
    if any(f.severity == "error" and f.code.exit == 2 for f in judged.findings):
        return Synced(Plan(), left=_said(project, judged.findings))
    signed = _sign(judged.surface)
    pruned = _pruned(judged.surface) if order.prune else ()
    files: dict[str, bytes | None] = {**emitted, **{p.path: None for p in pruned if p.edit is None}}
    settled = _settled(project, judged)
    edits = (*judged.edits, *signed.edits, *settled, *(p.edit for p in pruned if p.edit is not None))
    after: dict[str, bytes | None] = {**files, **{c.path: c.after for c in changes(tree, files, edits)}}
    if project.config.path:
        lock = _without(judged.lock, signed.refused, read_lock(tree)[0] or Lock())
        after[LOCK] = render_lock(lock, tree.read(LOCK))
    left = judge_tree(Project(tree.over(after)), only=order.only)
    if left.surface.unused:
        # Only now are the signatures in place that may have been the last to use an import.
        after |= {c.path: c.after for c in changes(tree.over(after), {}, left.surface.unused)}
        left = judge_tree(Project(tree.over(after)), only=order.only)
    mended = (f for f in judged.findings if f.fixable and f.code not in _SETTLED)
    replaced = tuple(f for f in mended if (f.have or f.want) and f.place.path in after)
    said = (
        *(finding for made in sets for finding in made.findings),
        *modules.findings,
        *map(_unmended, left.findings),
        *(f for f in judged.findings if f.code is PARAMETER_STILL_USED),
        *(f for found in signed.refused.values() for f in found),
    )
    return Synced(Plan(changes(tree, after, ())), replaced, _said(project, said))


def _unmended(finding: Finding) -> Finding:
    """`finding` as it is told after a sync that did not mend it: why it could not is told beside it."""
    return finding._replace(hint="", fixable=False) if finding.fixable else finding


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


def _settled(project: Project, judged: Judgement) -> tuple[Edit, ...]:
    """What declares in the settings module that `new` made what server.json has and the code does not know."""
    names = frozenset(f.have for f in judged.findings if f.fixable and f.code in _SETTLED and f.have)
    home, offer = settings_home(project) if names else "", judged.surface.offer
    current = parse(home, project.raw(home) or b"") if home else None
    if not isinstance(current, Parsed) or offer is None or project.manifest is None:
        return ()
    with making("`sync` of settings"):
        from mcp_lockstep.emit.build import view_of_project
        from mcp_lockstep.emit.declared import declared_edits
        from mcp_lockstep.emit.seeds import settings_text
        from mcp_lockstep.interface import interface_of

        published = Published(table(project.manifest.data), Origin(project.manifest))
        asked = interface_of(published, "", None)
        view = view_of_project(project, offer)._replace(
            transport=asked.transport,
            variables=asked.variables,
            arguments=asked.arguments,
            headers=asked.headers,
            path=asked.path,
            port=asked.port,
        )
        wanted = parse(home, settings_text(view).encode("utf-8"))
        return declared_edits(current, wanted, names) if isinstance(wanted, Parsed) else ()


def _modules(project: Project, order: Order) -> Modules:
    """What the configured jobs ask for; the making half is loaded only where one is missing or stale."""
    if not project.config.models or order.only:
        return Modules()
    from mcp_lockstep.generated.modules import due, tasks

    writes: list[Generated] = []
    findings: list[Finding] = []
    for task in tasks(project):
        # Why a job cannot be done is told by the judge.
        if isinstance(task, Refused):
            continue
        path, text = task.job.output, ""
        if path in order.force or due(task, project.raw(path)):
            text, said = _module(task)
            findings += said
            if not text:
                continue
        writes.append(Generated(path, task.recipe, partial(str, text)))
    return Modules(tuple(writes), tuple(findings))


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


def _sign(surface: Kept) -> Signed:
    """The edits that put signatures in step; libcst is loaded only where there is one to edit."""
    edits: list[Edit] = []
    refused: dict[str, tuple[Finding, ...]] = {}
    signed: list[Rewrite] = []
    stubs = surface.stubs
    if stubs is None:
        return Signed()
    for rewrite in surface.rewrites:
        if rewrite.outcome.target is not None:
            try:
                edits += _signature(rewrite, rewrite.outcome.target)
                signed.append(rewrite)
            except Refused as reason:
                refused[rewrite.tool] = reason.findings
    for path in dict.fromkeys(rewrite.function.path for rewrite in signed):
        targets = [rewrite.outcome.target for rewrite in signed if rewrite.function.path == path]
        edits += imported(surface.code.modules[path], stubs, targets).edits
    return Signed(tuple(edits), refused)


def _signature(rewrite: Rewrite, target: Signature) -> tuple[Edit, ...]:
    """The edit of one signature. Refused where it is written in a way that cannot be kept."""
    with making("`sync` of signatures"):
        from mcp_lockstep.code.edit import signature_edit

        edit = signature_edit(rewrite.source, rewrite.function, target, rewrite.outcome.renamed)
        return () if edit is None else (edit,)


def _without(lock: Lock, refused: Iterable[str], base: Lock) -> Lock:
    """`lock` with the last agreement on the tools whose functions could not be edited."""
    tools = dict(lock.tools)
    for tool in refused:
        tools.pop(tool, None)
        if tool in base.tools:
            tools[tool] = base.tools[tool]
    return lock._replace(tools=tools)


def _pruned(surface: Kept) -> tuple[Pruned, ...]:
    """What removes the functions of tools that are gone, as far as nobody wrote into them."""
    found = (prune(surface.code.modules[orphan.path], orphan) for orphan in surface.orphans)
    return tuple(pruned for pruned in found if pruned is not None)


def _said(project: Project, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    kept = wanted(dict.fromkeys(findings), project.config)
    return tuple(finding for finding in kept if finding.severity != "note")

"""The pipeline of a sync: emit -> read, over what was emitted -> merge -> plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from mcp_lockstep.code.codes import PARAMETER_STILL_USED
from mcp_lockstep.documents import Edit
from mcp_lockstep.findings import Finding
from mcp_lockstep.judge import Accept, judge_tree, wanted
from mcp_lockstep.lock import LOCK, Lock, read_lock, render_lock
from mcp_lockstep.pipeline.edited import SETTLED, Edited, edited, pruned
from mcp_lockstep.pipeline.emitted import emitted
from mcp_lockstep.plan import Plan, apply, changes, recover
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree

Files: TypeAlias = Mapping[str, bytes | None]


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


def sync_project(root: str, order: Order = PLAIN) -> Synced:
    """End what a killed command began, then write everything that is out of step below `root`."""
    begun = recover(root)
    synced = prepare(Tree(Disk(root)), order)
    apply(root, synced.plan)
    return synced._replace(left=(*begun, *synced.left))


def prepare(tree: Tree, order: Order = PLAIN) -> Synced:
    """Work out a sync of the project in `tree` without writing anything."""
    project = Project(tree)
    made = emitted(project, order.force, order.only)
    judged = judge_tree(Project(tree.over(made.files)), order.accept, order.only)
    if any(f.severity == "error" and f.code.exit == 2 for f in judged.findings):
        return Synced(Plan(), left=_said(project, judged.findings))
    own, gone = edited(project, judged), pruned(judged.surface) if order.prune else Edited()
    files: Files = {**made.files, **dict.fromkeys(gone.deleted)}
    after = _after(tree, files, (*judged.edits, *own.edits, *gone.edits))
    if project.config.path:
        lock = _without(judged.lock, own.refused, read_lock(tree)[0] or Lock())
        after[LOCK] = render_lock(lock, tree.read(LOCK))
    left = judge_tree(Project(tree.over(after)), only=order.only)
    if left.surface.unused:
        # Only now are the signatures in place that may have been the last to use an import.
        after |= _after(tree.over(after), {}, left.surface.unused)
        left = judge_tree(Project(tree.over(after)), only=order.only)
    mended = (f for f in judged.findings if f.fixable and f.code not in SETTLED)
    replaced = tuple(f for f in mended if (f.have or f.want) and f.place.path in after)
    said = (
        *made.findings,
        *map(_unmended, left.findings),
        *(f for f in judged.findings if f.code is PARAMETER_STILL_USED),
        *(f for found in own.refused.values() for f in found),
    )
    return Synced(Plan(changes(tree, after, ())), replaced, _said(project, said))


def _after(tree: Tree, files: Files, edits: Iterable[Edit]) -> dict[str, bytes | None]:
    """The bytes of every file that `files` replace or `edits` reach into; None: it goes."""
    return {**files, **{change.path: change.after for change in changes(tree, files, edits)}}


def _unmended(finding: Finding) -> Finding:
    """`finding` as it is told after a sync that did not mend it: why it could not is told beside it."""
    return finding._replace(hint="", fixable=False) if finding.fixable else finding


def _without(lock: Lock, refused: Iterable[str], base: Lock) -> Lock:
    """`lock` with the last agreement on the tools whose functions could not be edited."""
    tools = dict(lock.tools)
    for tool in refused:
        tools.pop(tool, None)
        if tool in base.tools:
            tools[tool] = base.tools[tool]
    return lock._replace(tools=tools)


def _said(project: Project, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    kept = wanted(dict.fromkeys(findings), project.config)
    return tuple(finding for finding in kept if finding.severity != "note")

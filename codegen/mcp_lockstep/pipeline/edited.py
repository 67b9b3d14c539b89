"""What is edited in the user's code: signatures with their imports, declarations of settings, orphans."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.code.imports import imported
from mcp_lockstep.code.prune import prune
from mcp_lockstep.code.signature import Signature
from mcp_lockstep.code.source import Parsed, parse
from mcp_lockstep.contract.origin import Origin
from mcp_lockstep.contract.sources import Published
from mcp_lockstep.documents import Edit
from mcp_lockstep.documents.data import table
from mcp_lockstep.facts.codes import ARGUMENT_UNKNOWN, VARIABLE_UNREAD
from mcp_lockstep.findings import Finding, Refused
from mcp_lockstep.judge import Judgement
from mcp_lockstep.making import making
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.startup.seeded import settings_home
from mcp_lockstep.surface import Kept, Rewrite

SETTLED = (VARIABLE_UNREAD, ARGUMENT_UNKNOWN)
"""What a declaration in the settings module mends."""


class Edited(NamedTuple):
    """Edits, files that nothing is left of, and by tool why its function could not be edited."""

    edits: tuple[Edit, ...] = ()
    deleted: tuple[str, ...] = ()
    refused: Mapping[str, tuple[Finding, ...]] = {}


def edited(project: Project, judged: Judgement) -> Edited:
    """Everything that puts the code of `project` in step."""
    signed = _sign(judged.surface)
    return signed._replace(edits=(*signed.edits, *_settled(project, judged)))


def pruned(surface: Kept) -> Edited:
    """What removes the functions of tools that are gone, as far as nobody wrote into them."""
    found = [prune(surface.code.modules[orphan.path], orphan) for orphan in surface.orphans]
    edits = tuple(one.edit for one in found if one is not None and one.edit is not None)
    return Edited(edits, tuple(one.path for one in found if one is not None and one.edit is None))


def _settled(project: Project, judged: Judgement) -> tuple[Edit, ...]:
    """What declares in the settings module that `new` made what server.json has and the code does not know."""
    names = frozenset(f.have for f in judged.findings if f.fixable and f.code in SETTLED and f.have)
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
        view = view_of_project(project, offer)._replace(interface=interface_of(published, "", None))
        wanted = parse(home, settings_text(view).encode("utf-8"))
        return declared_edits(current, wanted, names) if isinstance(wanted, Parsed) else ()


def _sign(surface: Kept) -> Edited:
    """The edits that put signatures in step; libcst is loaded only where there is one to edit."""
    edits: list[Edit] = []
    refused: dict[str, tuple[Finding, ...]] = {}
    signed: list[Rewrite] = []
    stubs = surface.stubs
    if stubs is None:
        return Edited()
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
    return Edited(tuple(edits), refused=refused)


def _signature(rewrite: Rewrite, target: Signature) -> tuple[Edit, ...]:
    """The edit of one signature. Refused where it is written in a way that cannot be kept."""
    with making("`sync` of signatures"):
        from mcp_lockstep.code.edit import signature_edit

        edit = signature_edit(rewrite.source, rewrite.function, target, rewrite.outcome.renamed)
        return () if edit is None else (edit,)

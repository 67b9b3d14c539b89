"""The pipeline of a new project: seeds and generated files on an empty tree, then the lock of what they agree on."""

from __future__ import annotations

from mcp_lockstep.bundled.targets import Templates, target
from mcp_lockstep.contract.limits import target_limits, undeliverable
from mcp_lockstep.contract.sources import Offer
from mcp_lockstep.emit.request import Request
from mcp_lockstep.findings import Refused
from mcp_lockstep.interface import Interface, interface_of
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.lock import LOCK, render_lock
from mcp_lockstep.making import making
from mcp_lockstep.plan import Plan, changes, emit
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Tree


def create(tree: Tree, offer: Offer, request: Request) -> Plan:
    """The files of a project for what `offer` says, on a `tree` that holds none."""
    unsent = undeliverable(offer.contract, offer.origins, target_limits(request.sdk))
    templates = Templates(target(request.sdk), request.templates)
    if strangers := templates.strangers():
        raise Refused(*strangers)
    interface = _interface(offer, request)
    with making("`new`"):
        from mcp_lockstep.emit.build import view_of_offer
        from mcp_lockstep.emit.generated import generated
        from mcp_lockstep.emit.seeds import CONTRACT, seeds

        view = view_of_offer(offer, interface, templates, request)
        emitted = emit(tree, (*seeds(view), *generated(view)))
    judged = judge_tree(Project(tree.over(emitted.files)))
    files = {**emitted.files, LOCK: render_lock(judged.lock)}
    ours = (finding for finding in judged.findings if finding.place.path != CONTRACT)
    said = (*interface.findings, *offer.findings, *unsent, *view.models().findings, *ours)
    return Plan(changes(tree, files, ()), said)


def _interface(offer: Offer, request: Request) -> Interface:
    """What the first server.json among the SOURCES asks of the server."""
    if offer.published is None:
        return Interface(transport=request.transport or "stdio")
    return interface_of(offer.published, request.name, request.transport)

"""The surface of a contract-first project: contract, generated files and functions held against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_lockstep.code.codes import NOT_IMPLEMENTED, ORPHAN
from mcp_lockstep.code.leftover import Leftovers, leftovers, names_in
from mcp_lockstep.code.link import Surface, stubs
from mcp_lockstep.code.module import LISTED, Function, Kind, Module
from mcp_lockstep.code.modules import package_name
from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.sides import Accept, Outcome, Sides
from mcp_lockstep.code.signature import Signature, parse_signature
from mcp_lockstep.contract.limits import Limits, published, readable, target_limits, undeliverable
from mcp_lockstep.contract.model import Contract
from mcp_lockstep.contract.sources import Offer, read_contract
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.documents.data import text_of
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.generated.recipe import GENERATED_EDITED, GENERATED_UNSEALED, read_seal
from mcp_lockstep.generated.sealed import Expected, expected, home, judge_seals
from mcp_lockstep.lock import Lock
from mcp_lockstep.project import Project
from mcp_lockstep.surface import Kept, Rewrite
from mcp_lockstep.tree import join


def judge_contract(project: Project, surface: Surface, base: Lock, accept: Place | None = None) -> Kept:
    """Judge what the code registers, `surface`, against the contract of the project."""
    try:
        offer = read_contract(project.tree, project.config.contract)
    except Refused as refused:
        lost = (_where_it_is_named(project, finding) for finding in refused.findings)
        return Kept((*surface.findings, *lost), surface, agreed=base.tools)
    if offer.errors:
        return Kept((*surface.findings, *offer.findings), surface, agreed=base.tools, offer=offer)
    try:
        home(project)
    except Refused as refused:
        return Kept((*surface.findings, *refused.findings), surface, agreed=base.tools, offer=offer)
    return _judge(project, surface, offer, base, accept)


def _where_it_is_named(project: Project, finding: Finding) -> Finding:
    """A contract that is not there is mended where the configuration names it."""
    if finding.code is not FILE_MISSING:
        return finding
    place, where = project.configured("/contract")
    message = f"`contract` names {project.config.contract}, which is not there"
    return finding._replace(place=place, position=where, message=message, hint=FILE_MISSING.explain)


def promised(project: Project, kept: Kept) -> dict[str, str | None]:
    """Name -> description of the tools of the contract that clients see, in order; none while it cannot be used."""
    if kept.offer is None or kept.offer.errors:
        return {}
    tools = published(kept.offer.contract, target_limits(project.config.sdk))
    return {text_of(t.get("name")): text_of(t.get("description")) or text_of(t.get("title")) for t in tools}


def served(contract: Contract, kind: Kind, limits: Limits) -> tuple[str, ...]:
    """The names (addresses of resources and templates) that need a function of `kind` on a target."""
    match kind:
        case "tool":
            return tuple(text_of(tool.get("name")) for tool in published(contract, limits))
        case "prompt":
            return tuple(text_of(prompt.get("name")) for prompt in contract.prompts)
        case "stub":
            return ()
        case "resource":
            addresses = (text_of(resource.get("uri")) for resource in contract.resources)
            readables = (item for item in contract.resource_templates if readable(item, limits))
            templates = (text_of(template.get("uriTemplate")) for template in readables)
            return (*addresses, *templates)


def _judge(project: Project, surface: Surface, offer: Offer, base: Lock, accept: Place | None) -> Kept:
    files = expected(project.generated_folder, offer.contract, project.templates)
    limits = target_limits(project.config.sdk)
    refused = undeliverable(offer.contract, offer.origins, limits)
    seals = tuple(judge_seals(project, files, project.config.contract))
    gaps = tuple(_gaps(project, surface, offer.contract, limits, _strange(seals)))
    orphans = tuple(_orphans(surface, offer.contract))
    wanted = _stubs(project, files)
    rewrites = tuple(_rewrites(project, surface, wanted, base, accept)) if wanted else ()
    gone = _leftovers(project, surface)
    findings = (
        *surface.findings,
        *offer.findings,
        *refused,
        *seals,
        *gaps,
        *map(_orphaned, orphans),
        *(finding for rewrite in rewrites for finding in rewrite.outcome.findings),
        *gone.findings,
    )
    agreed = {
        rewrite.tool: str(rewrite.outcome.agreed)
        for rewrite in rewrites
        if rewrite.outcome.agreed is not None
    }
    missing = frozenset(finding.want for finding in gaps if finding.want)
    return Kept(
        findings,
        surface,
        wanted,
        rewrites,
        agreed if wanted else base.tools,
        offer,
        missing,
        orphans,
        gone.edits,
    )


def _leftovers(project: Project, surface: Surface) -> Leftovers:
    """What the modules import from the generated models and do not find there."""
    path = join(project.generated_folder, "models.py")
    raw = project.raw(path) if project.generated_folder else None
    if raw is None or read_seal(raw) is None:
        return Leftovers()
    names = names_in(raw.decode("utf-8", "replace"))
    models = f"{package_name(path)}.models"
    found = [leftovers(module, models, names) for module in surface.modules.values()]
    return Leftovers(
        tuple(finding for one in found for finding in one.findings),
        tuple(edit for one in found for edit in one.edits),
    )


def _strange(seals: Sequence[Finding]) -> str:
    """A generated file that is not as it was written: nothing is made as long as there is one; empty: none."""
    strange = (f.place.path for f in seals if f.code in (GENERATED_EDITED, GENERATED_UNSEALED))
    return next(strange, "")


def _gaps(
    project: Project, surface: Surface, contract: Contract, limits: Limits, strange: str
) -> Iterator[Finding]:
    """A finding for every item of the contract that no function serves, unless more may be registered than is seen.

    `strange`: a generated file that keeps `sync` from it.
    """
    hint = "`mcp-lockstep sync` adds the function"
    hint = f"settle {strange} first: {hint} then" if strange else hint
    for kind in LISTED:
        known = surface.of(kind)
        for name in served(contract, kind, limits):
            if name not in known and not surface.is_open(kind):
                message = f"no function serves the {kind} {name!r} of the contract"
                place = Place(project.config.contract)
                yield Finding(
                    NOT_IMPLEMENTED, place, message, want=name, hint=hint, fact="tools", fixable=not strange
                )


def _orphans(surface: Surface, contract: Contract) -> Iterator[Function]:
    known = {kind: frozenset(served(contract, kind, Limits())) for kind in LISTED}
    for function in surface.functions:
        if function.name is not None and function.name not in known[function.kind]:
            yield function


def _orphaned(function: Function) -> Finding:
    message = (
        f"{function.symbol}() serves the {function.kind} {function.name!r}, which the contract does not have"
    )
    return Finding(
        ORPHAN,
        Place(function.path, "::", function.symbol),
        message,
        function.position,
        have=function.name,
        hint="remove it, add it to the contract, or let `mcp-lockstep sync --prune` remove it if it was never written",
        fact="tools",
    )


def _stubs(project: Project, files: Sequence[Expected]) -> Module | None:
    """The stubs, which say what the contract asks of each tool, if they were made from this contract."""
    path = join(project.generated_folder, "stubs.py")
    raw = project.raw(path) if files else None
    seal = read_seal(raw) if raw is not None else None
    if raw is None or seal is None or not seal.intact or (path, seal.recipe) not in files:
        return None
    return observe(path, raw)


def _rewrites(
    project: Project, surface: Surface, asking: Module, base: Lock, accept: Place | None
) -> Iterator[Rewrite]:
    wanted = stubs(asking)
    for name, function in surface.of("tool").items():
        module = surface.modules[function.path]
        source = module.source
        if name in wanted and function.node is not None and source is not None:
            places = (_tool_place(project, name), Place(function.path, "::", function.symbol))
            asked = wanted[name].signature
            if asked == function.signature and not function.node.args.posonlyargs:
                outcome = Outcome((), (), None, {}, asked)
            else:
                merged = _merged(project, Sides(name, asked, places[0], function, source), base, accept)
                outcome = _written(merged, module, asking, _base(base, name))
            yield Rewrite(name, function, source, outcome, places)


def _merged(project: Project, sides: Sides, base: Lock, accept: Place | None) -> Outcome:
    # Loaded only where a signature differs: most checks find none.
    from mcp_lockstep.code.merge import merge

    tool = sides.tool
    decided = _accept(project, sides.function, tool, accept)
    return merge(sides._replace(base=_base(base, tool), renames=_renames(project, tool), accept=decided))


def _written(outcome: Outcome, module: Module, asking: Module, agreed: Signature | None) -> Outcome:
    """`outcome`, its signature written only where every name that it needs is free in the module of the function."""
    if outcome.target is None:
        return outcome
    from mcp_lockstep.code.imports import imported

    taken = imported(module, asking, [outcome.target]).findings
    if not taken:
        return outcome
    hint = f"rename {taken[0].place} first: `mcp-lockstep sync` edits it then"
    held = (f._replace(hint=hint, fixable=False) if f.fixable else f for f in outcome.findings)
    return outcome._replace(findings=(*held, *taken), target=None, renamed={}, agreed=agreed)


def _base(base: Lock, tool: str) -> Signature | None:
    try:
        return parse_signature(base.tools[tool]) if tool in base.tools else None
    except ValueError:
        return None


def _renames(project: Project, tool: str) -> dict[str, str]:
    """`"get-forecast.city" = "place"` and, for every tool, `city = "place"`."""
    found: dict[str, str] = {}
    for old, new in project.config.renames.items():
        owner, dot, parameter = old.rpartition(".")
        if not dot or owner == tool:
            found[parameter] = new
    return found


def _accept(project: Project, function: Function, tool: str, accept: Place | None) -> Accept:
    if accept is None:
        return ""
    if accept == Place(function.path, "::", function.symbol):
        return "code"
    return "contract" if accept in (_tool_place(project, tool), Place(project.config.contract)) else ""


def _tool_place(project: Project, tool: str) -> Place:
    return Place(project.config.contract, "#", tool)

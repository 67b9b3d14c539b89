"""The models of one schema: a class or an alias for its root and for each of its definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from mcp_lockstep.config.overrides import NO_OVERRIDES
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.models.depth import too_deep
from mcp_lockstep.models.dispatch import WIRE_NAMES, speaks
from mcp_lockstep.models.kinds import Printer, printer
from mcp_lockstep.models.options import DEFAULTS, ModelOptions, ModelSource
from mcp_lockstep.models.overrides import planned as overridden
from mcp_lockstep.models.overrides import unsupported
from mcp_lockstep.models.overrides.places import Places
from mcp_lockstep.models.plan import ModulePlan, plan, refused_defaults
from mcp_lockstep.models.shared import sharing
from mcp_lockstep.models.support import RESERVED
from mcp_lockstep.naming import ClassName, class_name
from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.definition_names import better_names, title_name
from mcp_lockstep.schema.merge import asserts
from mcp_lockstep.schema.pipeline import normalised
from mcp_lockstep.schema.values import Node, Path, as_map, as_node, named
from mcp_lockstep.schema.vet import Trouble, vet

_FALLBACK = "Document"


def generate_models(schema: object, options: ModelOptions = DEFAULTS) -> ModelSource:
    """The module for `schema`, parsed JSON. Errors are findings, and then there is no source."""
    findings = tuple(finding(trouble, options.path) for trouble in vet(schema))
    if any(found.severity == "error" for found in findings):
        return ModelSource("", {}, findings)
    root = as_node(cast("Node", schema))
    kind = printer(options.style)
    findings += tuple(finding(trouble, options.path) for trouble in kind.unsaid(root))
    if any(found.severity == "error" for found in findings):
        return ModelSource("", {}, findings)
    name = _root_name(root, options)
    document = _document(root, name)
    made = _names(root, name, named(document, "$defs"))
    if options.overrides == NO_OVERRIDES:
        planned = plan(document, kind.names())
    else:
        troubles = [*unsupported(options.overrides, options.style)]
        places = Places(document, root, made)
        planned = overridden(document, places, kind.names(), options.overrides, troubles)
        if troubles:
            return ModelSource("", {}, findings, tuple(troubles))
        made = places.made
    found = [*too_deep(planned, _places(root, made)), *refused_defaults(planned, made.get("", name), root)]
    findings += tuple(finding(trouble, options.path) for trouble in found)
    if any(one.severity == "error" for one in findings):
        return ModelSource("", {}, findings)
    source = kind.source(_sharing(planned, kind, options))
    if planned.custom.appended:
        source = f"{source.rstrip()}\n\n\n{planned.custom.appended}\n"
    return ModelSource(source, made, findings)


def _document(root: Node, name: ClassName) -> Node:
    """The definitions of a schema after all passes."""
    document = normalised(bundle([Part(name, "", root)], reserved=_reserved(root), keep="all"))
    return _without_empty_root(document, name)


def _sharing(planned: ModulePlan, kind: Printer, options: ModelOptions) -> ModulePlan:
    """`planned` with what the module that it shares with has already; all its own where that has an error."""
    shares = options.shares
    if shares is None or any(finding(trouble, "").severity == "error" for trouble in vet(shares.schema)):
        return planned
    root = as_node(cast("Node", shares.schema))
    document = _document(root, _root_name(root, options._replace(name=shares.name)))
    return sharing(planned, plan(document, kind.names()), shares.module)


def _reserved(root: Node) -> Sequence[str]:
    """The names that no class may have: more of them where messages are read as well."""
    definitions = [name for pool in ("definitions", "$defs") for name in as_map(root.get(pool))]
    return [*RESERVED, *WIRE_NAMES] if speaks(definitions) else RESERVED


def finding(trouble: Trouble, path: str, base: tuple[str, ...] = (), subject: str = "") -> Finding:
    """`trouble` as a finding about the file `path`, whose part at `base` is the schema."""
    place = Place(path, "#", make_pointer((*base, *trouble.path)))
    message = f"{subject}{place} {trouble.message}"
    return Finding(trouble.code, place, message, have=trouble.have or None, want=trouble.want or None)


def _root_name(root: Node, options: ModelOptions) -> ClassName:
    title = root.get("title")
    spoken = title_name(title) if isinstance(title, str) and title.strip() else _FALLBACK
    name = class_name(options.name or spoken)
    return name if str(name) not in RESERVED else class_name(f"{name} Type")


def _without_empty_root(document: Node, name: str) -> Node:
    """A schema that only holds definitions says nothing itself, so there is nothing to name."""
    definitions = as_map(document["$defs"])
    if len(definitions) == 1 or asserts(as_node(definitions[name])):
        return document
    return {**document, "$defs": {key: node for key, node in definitions.items() if key != name}}


def _places(root: Node, names: dict[str, str]) -> dict[str, Path]:
    """The place in `root` of each class or alias that is a definition there."""
    pools = {key: pool for pool in ("definitions", "$defs") for key in as_map(root.get(pool))}
    return {made: (pools[key], key) for key, made in names.items() if key in pools}


def _names(root: Node, name: str, made: dict[str, Node]) -> dict[str, str]:
    """The class of each definition; one whose plain name was taken is left to the source."""
    found = {"": name} if name in made else {}
    for pool in ("definitions", "$defs"):
        better = better_names(as_map(root.get(pool)))
        for key in as_map(root.get(pool)):
            plain = class_name(better.get(key, key))
            if plain in made:
                found[key] = plain
    return found

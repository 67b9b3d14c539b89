"""`anyOf`: what stands beside it goes into the branches or the branches become a rule; nested ones are flat."""

from __future__ import annotations

from functools import partial

from mcp_lockstep.schema.merge import TEXTS, Merger, asserts, branches, is_never
from mcp_lockstep.schema.values import RULES, Node, encoded, named, nodes, within_definitions

_STRUCTURE = frozenset(["additionalProperties", "anyOf", "items", "prefixItems", "properties"])
_MOST = 24


def unions(document: Node) -> Node:
    """`document` where `anyOf` stands alone, has two or more branches, and none of them is an `anyOf`."""
    return within_definitions(document, partial(_settled, Merger(named(document, "$defs"))))


def _settled(merger: Merger, node: Node) -> Node:
    if "anyOf" not in node:
        return node
    rest = {key: value for key, value in node.items() if key != "anyOf" and key != RULES}
    parts = nodes(node, "anyOf")
    if asserts(rest) and not _spread(merger, rest, parts):
        return {**rest, RULES: [*nodes(node, RULES), {"anyOf": [*parts]}]}
    if asserts(rest):
        bare = {key: value for key, value in rest.items() if key not in TEXTS}
        parts = [merger.both(bare, part) for part in parts]
        rest = {key: value for key, value in rest.items() if key in TEXTS}
    if RULES in node:
        rest[RULES] = node[RULES]
    return _alone(rest, parts)


def _spread(merger: Merger, rest: Node, parts: list[Node]) -> bool:
    """Whether the branches have a shape of their own, so that they should be types."""
    if len(parts) > _MOST or RULES in rest:
        return False
    opened = [merger.expanded(part) for part in parts]
    shaped = any(_STRUCTURE & part.keys() for part in opened)
    kinds = {encoded(part.get("type")) for part in opened}
    return shaped or (len(kinds) > 1 and not _STRUCTURE & rest.keys()) or "type" not in rest


def _alone(rest: Node, parts: list[Node]) -> Node:
    flat: list[Node] = []
    for part in parts:
        flat += branches(part)
    kept: dict[str, Node] = {}
    for part in flat:
        if not is_never(part):
            kept.setdefault(encoded({key: value for key, value in part.items() if key not in TEXTS}), part)
    if not kept:
        return {"not": {}}
    if "{}" in kept:
        return rest
    if len(kept) == 1:
        (only,) = kept.values()
        only = {**only, **{key: value for key, value in rest.items() if key != RULES}}
        if RULES in rest:
            only[RULES] = [*nodes(only, RULES), *nodes(rest, RULES)]
        return only
    return {**rest, "anyOf": [*kept.values()]}

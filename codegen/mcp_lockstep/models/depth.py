"""Definitions that lead into each other so far that pydantic, which builds them by recursion, would give up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_lockstep.models.graph import groups
from mcp_lockstep.models.plan import ModulePlan
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.codes import TOO_DEEP
from mcp_lockstep.schema.values import RULES, Node, Path, as_node, nodes, reference
from mcp_lockstep.schema.vet import Trouble

_CLASS, _ALIAS, _CONTAINER, _METADATA = 11, 4, 7, 8
"""Frames of the interpreter that pydantic 2.14 takes for each, measured."""

_MOST = 700
"""Python stops at 1,000; the rest is for whoever calls."""

_CONSTRAINTS = frozenset(
    "exclusiveMaximum exclusiveMinimum maxItems maxLength maximum minItems minLength minimum multipleOf".split()
)


class _Lead(NamedTuple):
    """A reference in a type: to what, and how many frames lie on the way."""

    name: str
    frames: int


def too_deep(planned: ModulePlan, paths: Mapping[str, Path]) -> Iterator[Trouble]:
    """The definition, if any, from which the way in is longest and too long; `paths` are their places, by name."""
    leads = {alias.name: [*_leads(alias.node, 0)] for alias in planned.aliases}
    own = dict.fromkeys(leads, _ALIAS)
    for cls in planned.classes:
        own[cls.name] = _CLASS
        parts = [field.node for field in cls.fields] + ([cls.extra] if cls.extra else [])
        leads[cls.name] = [lead for part in parts for lead in _leads(part, 0)]
    for name in _suspects(leads, own):
        frames, length = _way(name, leads, own)
        if frames > _MOST:
            message = (
                f"leads through {length} definitions, each inside the one before: more than can be built"
            )
            yield Trouble(TOO_DEEP, paths.get(name, ()), message)
            return


def _leads(node: Node, frames: int) -> Iterator[_Lead]:
    frames += _METADATA * (bool(node.keys() & _CONSTRAINTS) + (RULES in node))
    name = reference(node)
    if name is not None:
        yield _Lead(name, frames)
    for part in nodes(node, "anyOf"):
        yield from _leads(part, frames)
    for key in ("items", "additionalProperties"):
        if key in node:
            yield from _leads(as_node(node[key]), frames + _CONTAINER)


def _suspects(leads: Mapping[str, list[_Lead]], own: Mapping[str, int]) -> list[str]:
    """The names from which the way could be too long if it went through all that lead to each other."""
    needs = {name: {lead.name for lead in found} for name, found in leads.items()}
    longest: dict[str, int] = {}
    suspects: list[str] = []
    for group in groups(needs):
        inside = {*group}
        beyond = max(
            (
                lead.frames + longest[lead.name]
                for name in group
                for lead in leads[name]
                if lead.name not in inside
            ),
            default=0,
        )
        widest = {name: max((lead.frames for lead in leads[name]), default=0) for name in group}
        bound = beyond + sum(own[name] + (widest[name] if len(group) > 1 else 0) for name in group)
        longest |= dict.fromkeys(group, bound)
        suspects += group if bound > _MOST else []
    return sorted(suspects, key=lambda name: -longest[name])


def _way(start: str, leads: Mapping[str, list[_Lead]], own: Mapping[str, int]) -> tuple[int, int]:
    """Frames and definitions at the deepest point of a walk that enters each definition once, like pydantic's."""
    deepest = (own[start], 1)
    seen = {start}
    trail = [(iter(leads[start]), own[start])]
    while trail:
        left, frames = trail[-1]
        lead = next((lead for lead in left if lead.name not in seen), None)
        if lead is None:
            trail.pop()
            continue
        seen.add(lead.name)
        trail.append((iter(leads[lead.name]), frames + lead.frames + own[lead.name]))
        deepest = max(deepest, (trail[-1][1], len(trail)))
        if deepest[0] > _MOST:
            return deepest
    return deepest

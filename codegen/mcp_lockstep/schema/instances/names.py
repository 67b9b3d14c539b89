"""Chooses the property names of an object: required ones, some optional ones, new ones where they are allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.document import Schemas
from mcp_lockstep.schema.instances.shape import NewName, Shape, Want, inside
from mcp_lockstep.schema.instances.values import DeadEnd, Dice, Path

NEW_NAMES = (
    "extra", "x-extra", "self", "class", "from", "model_dump", "__class__", "None", "a b", "é", "_meta", "$ref",
    "schema", "copy", "json", "args", "ctx", "0", "", "extraField",
)  # fmt: skip


class Naming(Protocol):
    """Whoever builds an object, as far as its names go; `fullness` 0 is only what must be."""

    schemas: Schemas
    dice: Dice
    fullness: float

    @property
    def chance(self) -> float:
        """How likely an optional part is."""
        ...

    def narrow(self, shape: Shape, wants: Iterable[Want]) -> None:
        """Narrow `shape` to what all `wants` allow; DeadEnd if that is nothing."""
        ...

    def name(self, wants: Iterable[Want], path: Path, shape: Shape) -> str:
        """A property name for all `wants`, with the constraints of `shape` besides."""
        ...


class Chosen(NamedTuple):
    """What a chosen name brings along: wants of its own, and whether the route of a rule goes through it."""

    wants: tuple[Want, ...] = ()
    routed: bool = False


def wants_for(schemas: Schemas, shape: Shape, name: str, *, routed: bool) -> list[Want]:
    """Everything that is asked of the value under `name`."""
    wants: list[Want] = []
    for rule in shape.field_rules:
        found = rule.wants(name)
        wants += found if routed or name in rule.names else [want.plain for want in found]
    if not wants:
        wants += shape.late_fields
    wants += [want for other, want in shape.field_wants if other == name]
    if shape.force:
        wants = [want for want in wants if schemas.at(want.pointer) is not False or want.negative]
    return wants


def _allowed(schemas: Schemas, shape: Shape, name: str) -> bool:
    if name in shape.absent:
        return False
    if any(
        not pattern.usable
        for rule in shape.field_rules
        if name not in rule.names
        for pattern, _ in rule.patterns
    ):
        # Nobody can tell here whether the name matches.
        return False
    return all(
        want.negative
        or _is_aimed(want)
        or not (schemas.at(want.pointer) is False or want.pointer in schemas.false)
        for want in wants_for(schemas, shape, name, routed=True)
    )


def _is_aimed(want: Want) -> bool:
    # A false schema that is to be broken needs the part that it forbids.
    return want.route is not None and not want.route.steps and want.route.aim.mode == "break"


def _closed(schemas: Schemas, shape: Shape) -> bool:
    closed = any(rule.rest and schemas.at(rule.rest.pointer) is False for rule in shape.field_rules)
    return closed and not shape.force


def choose_names(builder: Naming, shape: Shape, path: Path) -> dict[str, Chosen]:
    """The names of an object to be, in order; `shape` takes over what dependent schemas ask."""
    chosen: dict[str, Chosen] = {}
    for new in list(shape.new_names):
        routed = not any(other.routed for other in chosen.values())
        chosen[_new_name(builder, shape, new, chosen, path)] = Chosen(new.value_wants, routed)
    optional = [name for rule in shape.field_rules for name in rule.names]
    chance = builder.chance if len(path) < 3 else builder.chance / 2 if len(path) <= 5 else 0.0
    for name in dict.fromkeys(optional):
        if (
            name not in shape.required
            and builder.dice.chance(chance)
            and _allowed(builder.schemas, shape, name)
        ):
            chosen.setdefault(name, Chosen())
    _follow(builder, shape, chosen)
    _maybe_extra(builder, shape, chosen, path)
    _fit(builder, shape, chosen, path)
    return {name: chosen.get(name, Chosen()) for name in [*shape.required, *chosen]}


def _follow(builder: Naming, shape: Shape, chosen: dict[str, Chosen]) -> None:
    # What is there may call for more, which may call for more again.
    for _ in range(20):
        there = {**shape.required, **dict.fromkeys(chosen)}
        wants = [want for name, want in shape.follow_wants if name in there]
        shape.follow_wants = [(name, want) for name, want in shape.follow_wants if name not in there]
        missing = [(name, other) for name, other in shape.followers if name in there and other not in there]
        if not wants and not missing:
            return
        builder.narrow(shape, wants)
        for name, other in missing:
            if other not in shape.absent:
                shape.required[other] = None
            elif name in shape.required:
                raise DeadEnd(f"property {other!r} must follow {name!r} and must not")
            else:
                chosen.pop(name, None)
        for name in shape.absent:
            chosen.pop(name, None)


def _maybe_extra(builder: Naming, shape: Shape, chosen: dict[str, Chosen], path: Path) -> None:
    if shape.deep or builder.fullness == 0:
        return
    if _closed(builder.schemas, shape):
        return
    told = any(rule.rest or rule.patterns for rule in shape.field_rules)
    declared = any(rule.names for rule in shape.field_rules)
    while builder.dice.chance(0.12 if declared and not told else 0.5):
        patterns = [pattern for rule in shape.field_rules for pattern, _ in rule.patterns]
        new = (
            NewName(pattern=builder.dice.pick(patterns))
            if patterns and builder.dice.chance(0.6)
            else NewName()
        )
        try:
            name = _new_name(builder, shape, new, chosen, path)
        except DeadEnd:
            return
        chosen[name] = Chosen()


def _fit(builder: Naming, shape: Shape, chosen: dict[str, Chosen], path: Path) -> None:
    low, high = shape.size
    total = {**shape.required, **dict.fromkeys(chosen)}
    spare = [name for rule in shape.field_rules for name in rule.names if name not in total]
    spare = [name for name in dict.fromkeys(spare) if _allowed(builder.schemas, shape, name)]
    while len(total) < low:
        name = spare.pop(0) if spare else _further_name(builder, shape, {**chosen, **_none(total)}, path)
        chosen[name] = Chosen()
        total[name] = None
    for name in builder.dice.shuffled(list(chosen)):
        if high is None or len(total) <= high:
            return
        if name not in shape.required and not chosen[name].wants and not chosen[name].routed:
            del chosen[name], total[name]
    if not inside(len(total), (0, high)):
        raise DeadEnd("the object must have more properties than it may")


def _further_name(builder: Naming, shape: Shape, taken: dict[str, Chosen], path: Path) -> str:
    patterns = [pattern for rule in shape.field_rules for pattern, _ in rule.patterns]
    for new in [NewName(), *map(NewName, builder.dice.shuffled(patterns))]:
        try:
            return _new_name(builder, shape, new, taken, path)
        except DeadEnd:
            continue
    raise DeadEnd("no further property name is allowed")


def _none(names: dict[str, None]) -> dict[str, Chosen]:
    return dict.fromkeys(names, Chosen())


def _new_name(builder: Naming, shape: Shape, new: NewName, taken: dict[str, Chosen], path: Path) -> str:
    for name in _name_candidates(builder, shape, new, path):
        if name in taken or name in shape.required:
            continue
        if new.outside is not None and new.outside.knows(name):
            continue
        known = any(rule.knows(name) for rule in shape.field_rules)
        if known and new.outside is None and new.pattern is None and not new.name_wants:
            continue
        if new.pattern is not None and any(name in rule.names for rule in shape.field_rules):
            continue
        if _allowed(builder.schemas, shape, name):
            return name
    raise DeadEnd("no further property name is allowed")


def _name_candidates(builder: Naming, shape: Shape, new: NewName, path: Path) -> Iterator[str]:
    if new.pattern is not None or new.name_wants or shape.name_wants:
        for _ in range(30):
            named = Shape()
            if new.pattern is not None:
                named.patterns.append(new.pattern)
            yield builder.name([*shape.name_wants, *new.name_wants], path, named)
        return
    declared = [name for rule in shape.field_rules for name in rule.names]
    if new.outside is not None and builder.dice.chance(0.5):
        yield from builder.dice.shuffled(list(dict.fromkeys(declared)))
    for name in builder.dice.shuffled(list(dict.fromkeys(declared)))[:2]:
        # Near misses: what a loose parser might take for the declared name.
        yield from builder.dice.shuffled(
            (name.upper(), name.lower(), name.replace("-", "_"), f"{name}_", f" {name}")
        )
    yield from builder.dice.shuffled(NEW_NAMES)
    for rule in shape.field_rules:
        for pattern, _ in rule.patterns:
            named = Shape()
            named.patterns.append(pattern)
            yield builder.name([], path, named)
    if not _closed(builder.schemas, shape):
        yield from (f"key{index}" for index in range(3_000))

"""Instances for any schema: valid ones and ones with a single broken keyword, each confirmed by a validator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.build import Builder
from mcp_lockstep.schema.instances.document import Edge, Schemas
from mcp_lockstep.schema.instances.judge import Judge, blamed
from mcp_lockstep.schema.instances.keywords import positions_of
from mcp_lockstep.schema.instances.shape import Aim, Force, Route, Want
from mcp_lockstep.schema.instances.values import (
    Broken,
    DeadEnd,
    Dice,
    Instance,
    Path,
    Position,
)
from mcp_lockstep.schema.instances.verdicts import accepts_all, holds_always
from mcp_lockstep.schema.values import REFERENCES, Json, encoded

ASSERTIONS = (
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "contains", "minContains",
    "maxContains", "minProperties", "maxProperties", "required", "dependentRequired", "dependencies",
    "anyOf", "oneOf", "not", "unevaluatedProperties", "unevaluatedItems",
)  # fmt: skip
"""Keywords that a validator names in an error; those that only pass on the errors of a subschema are not here."""
WHEN_FALSE = ("additionalProperties", "additionalItems", "items")
STAGES = (
    (False, Force.NOT),
    (True, Force.NOT),
    (True, Force.NOT),
    (False, Force.NOT),
    (False, Force.BREAK),
    (True, Force.BREAK),
    (True, Force.ALL),
    (True, Force.ALL),
)
"""What each attempt at a broken instance does: deny other alternatives, let siblings give way."""
MOST_ROUNDS = 250
MOST_MISSES = 120


class Target(NamedTuple):
    """A position with the way to it."""

    position: Position
    steps: tuple[Edge, ...]
    entry: int


class Coverage:
    """Counts, per position, the valid instances it applied to and the instances that broke it.

    `reasons` says of a position without a broken instance why; `unmet` of one without a valid instance.
    """

    def __init__(self) -> None:
        self.positions: dict[Position, None] = {}
        self.valid: Counter[Position] = Counter()
        self.broken: Counter[Position] = Counter()
        self.implied: Counter[Position] = Counter()
        self.reasons: dict[Position, str] = {}
        self.unmet: dict[Position, str] = {}

    @property
    def unbroken(self) -> dict[Position, str]:
        """The positions that no instance broke, with the reason."""
        return {p: self.reasons.get(p, "not tried") for p in self.positions if not self.broken[p]}


class Maker:
    """Makes instances of the schema at `pointer` in a document; the same arguments give the same instances."""

    def __init__(
        self, schemas: Schemas, pointer: str = "", seed: int = 0, coverage: Coverage | None = None
    ) -> None:
        self.schemas = schemas
        self.pointer = pointer
        self.seed = seed
        self.coverage = Coverage() if coverage is None else coverage
        self.routes = schemas.routes(pointer)
        self.judge = Judge(schemas, pointer)
        self.targets = tuple(self._targets())
        self.coverage.positions.update(dict.fromkeys(target.position for target in self.targets))

    def _targets(self) -> Iterator[Target]:
        for pointer, steps in self.routes.items():
            if pointer in self.schemas.false:
                yield Target(Position(pointer, "false"), steps, 0)
                continue
            for keyword, value in self.schemas.fields(pointer).items():
                if keyword in ASSERTIONS or (keyword in WHEN_FALSE and value is False):
                    for entry, position in enumerate(positions_of(pointer, keyword, value)):
                        if (
                            not isinstance(value, dict)
                            or keyword != "dependencies"
                            or position.pointer.count("/")
                        ):
                            yield Target(position, steps, entry)

    def build(
        self, dice: Dice, route: Route | None = None, *, strict: bool, fullness: float = 0.55
    ) -> Builder:
        """A builder that has built a value, kept in its `value`; DeadEnd if that failed."""
        builder = Builder(self.schemas, dice, strict=strict, fullness=fullness)
        builder.value = builder.build([Want(self.pointer, route)])
        return builder

    def valid(self, count: int | None = None) -> Iterator[Instance]:
        """Different valid instances: first until every schema applied once, then at random.

        At most `count`; None stops after the first part.
        """
        seen: dict[str, None] = {}
        made = 0
        for instance in self._covering():
            if count is not None and made >= count:
                return
            if encoded(instance.value) not in seen:
                seen[encoded(instance.value)] = None
                made += 1
                yield instance
        misses = 0
        while count is not None and made < count and misses < MOST_MISSES:
            found = self._valid_once(("random", made, misses), None)
            if found is None or encoded(found.value) in seen:
                misses += 1
                continue
            seen[encoded(found.value)] = None
            made += 1
            self._credit(found)
            yield found

    def _covering(self) -> Iterator[Instance]:
        for pointer, steps in self.routes.items():
            if pointer in self.schemas.false:
                continue
            fields = self.schemas.fields(pointer).items()
            positions = [p for k, v in fields for p in positions_of(pointer, k, v)]
            counted = [position for position in positions if position in self.coverage.positions]
            for position in counted or positions[:1] or [Position(pointer, "")]:
                if self.coverage.valid[position]:
                    continue
                found = self._cover(position, steps)
                if found is None:
                    self.coverage.unmet[position] = self._last
                else:
                    self._credit(found)
                    yield found

    def _cover(self, position: Position, steps: tuple[Edge, ...]) -> Instance | None:
        route = Route(steps, Aim("meet", position))
        for attempt in range(10):
            found = self._valid_once(("cover", position, attempt), route, strict=attempt % 2 == 1)
            if found is not None:
                return found
        return None

    _last = ""

    def _valid_once(
        self, key: tuple[object, ...], route: Route | None, *, strict: bool = True
    ) -> Instance | None:
        try:
            builder = self.build(Dice(self.seed, self.pointer, *key), route, strict=strict)
        except DeadEnd as reason:
            self._last = str(reason)
            return None
        if not self.judge.accepts(builder.value):
            self._last = "no value tried satisfies all that applies beside it"
            return None
        return Instance(builder.value, tuple(builder.met))

    def _credit(self, instance: Instance) -> None:
        self.coverage.valid.update(instance.meets)
        # A false schema is met where the part that it forbids is absent, which is so in every valid instance.
        self.coverage.valid.update(p for p in self.coverage.positions if p.keyword == "false")

    def broken(self, count: int | None = None) -> Iterator[Broken]:
        """Different instances with one broken keyword: each position in turn, round after round.

        At most `count`; None stops after the first round.
        """
        seen: dict[tuple[str, Position], None] = {}
        alive = [target for target in self.targets if not self._holds_always(target)]
        stages: dict[Position, int] = {}
        idle = 0
        for round_number in range(1 if count is None else MOST_ROUNDS):
            fresh = 0
            for target in alive:
                if count is not None and len(seen) >= count:
                    return
                found = self._broken_once(target, round_number, stages)
                if found is None or (encoded(found.value), found.position) in seen:
                    continue
                seen[encoded(found.value), found.position] = None
                fresh += 1
                self.coverage.broken[found.position] += 1
                self.coverage.implied[found.position] += bool(found.implied)
                yield found
            alive = [target for target in alive if target.position in stages]
            idle = 0 if fresh else idle + 1
            if idle > 40 or not alive:
                return

    def _broken_once(self, target: Target, round_number: int, stages: dict[Position, int]) -> Broken | None:
        reason = "not tried"
        fallback: Broken | None = None
        for attempt in range(stages.get(target.position, 0), len(STAGES)):
            strict, force = STAGES[attempt]
            aim = Aim("break", target.position, target.entry, round_number + attempt, force)
            dice = Dice(self.seed, self.pointer, "break", target.position, round_number, attempt)
            found = self._attempt(dice, Route(target.steps, aim), strict=strict)
            if isinstance(found, str):
                reason = found
            elif found.implied and force is Force.NOT:
                fallback = fallback or found
            else:
                stages[target.position] = attempt
                return found
        if fallback:
            stages[target.position] = 0
        elif target.position not in stages:
            self.coverage.reasons[target.position] = reason
        return fallback

    def _attempt(self, dice: Dice, route: Route, *, strict: bool) -> Broken | str:
        try:
            builder = self.build(dice, route, strict=strict)
        except DeadEnd as dead:
            return str(dead)
        return self._confirmed(builder.value, route.aim.position, builder.hit)

    def _confirmed(self, value: Json, position: Position, path: Path | None) -> Broken | str:
        faults = self.judge.faults(value)
        if not faults:
            return "no value tried breaks it: something beside it accepts what it rejects"
        implied = blamed(faults, position, path or ())
        if implied is None:
            return f"no value tried breaks it alone: {faults[0].position} fails first"
        return Broken(value, position.pointer, position.keyword, path or (), implied)

    def _holds_always(self, target: Target) -> bool:
        reason = self._why_unbreakable(target)
        if reason:
            self.coverage.reasons[target.position] = reason
        return bool(reason)

    def _why_unbreakable(self, target: Target) -> str:
        pointer = self._schema_of(target)
        keyword = target.position.keyword
        value = self.schemas.fields(pointer).get(keyword)
        if keyword == "type" and "string" in str(value) and _is_name(target.steps):
            return "it holds for every value: property names are strings"
        if holds_always(self.schemas, pointer, keyword, value):
            return "it holds for every value"
        pointers = [self.pointer, *(step.target for step in target.steps)]
        for parent, step in zip(pointers, target.steps, strict=False):
            if step.keyword in ("anyOf", "oneOf") and self._excused(parent, step):
                return "it holds for every value: an alternative beside it accepts everything"
        return ""

    def _excused(self, parent: str, step: Edge) -> bool:
        others = [
            edge for edge in self.schemas.edges(parent) if edge.keyword == step.keyword and edge != step
        ]
        return any(accepts_all(self.schemas, edge.target) for edge in others)

    def _schema_of(self, target: Target) -> str:
        return target.steps[-1].target if target.steps else self.pointer


def _is_name(steps: tuple[Edge, ...]) -> bool:
    inner = ("allOf", "anyOf", "oneOf", "then", "else", *REFERENCES)
    return (
        next((step.keyword for step in reversed(steps) if step.keyword not in inner), "") == "propertyNames"
    )

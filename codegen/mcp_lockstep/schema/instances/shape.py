"""What one part of an instance has to be: the constraints of all schemas that apply to it, put together."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from typing import Literal

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.document import Edge
from mcp_lockstep.schema.instances.regex import Regex
from mcp_lockstep.schema.instances.values import KINDS, DeadEnd, Kind, Position, kind_of
from mcp_lockstep.schema.values import Json, same

Span = Literal["length", "count", "size"]
SPANNED: dict[Span, Kind] = {"length": "string", "count": "array", "size": "object"}


class Force(Enum):
    """What gives way to a keyword that is to be broken.

    Nothing; or siblings, and what must not hold is only tried; or siblings and what must not hold alike.
    """

    NOT = 0
    BREAK = 1
    ALL = 2


class Aim(NamedTuple):
    """What to do with one keyword of the schema at the end of a route.

    `meet` only makes sure that the schema applies; `break` violates `keyword`, entry `entry` of its list (a
    required name, say). `variant` chooses among several ways.
    """

    mode: Literal["meet", "break"]
    position: Position
    entry: int = 0
    variant: int = 0
    force: Force = Force.NOT


class Route(NamedTuple):
    """The steps that are left to the schema an aim is about."""

    steps: tuple[Edge, ...]
    aim: Aim


class Want(NamedTuple):
    """The schema at `pointer` must hold, or must not if `negative`."""

    pointer: str
    route: Route | None = None
    negative: bool = False

    @property
    def plain(self) -> Want:
        """The same without its route, for parts beside the one the route leads to."""
        return self._replace(route=None) if self.route else self


class FieldRule(NamedTuple):
    """`properties`, `patternProperties` and `additionalProperties` of one schema; `rest` None: open."""

    names: dict[str, Want]
    patterns: tuple[tuple[Regex, Want], ...]
    rest: Want | None

    def wants(self, name: str) -> list[Want]:
        """What this rule asks of the value under `name`."""
        found = [self.names[name]] if name in self.names else []
        found += [want for pattern, want in self.patterns if pattern.matches(name) is not False]
        return found or ([self.rest] if self.rest else [])

    def knows(self, name: str) -> bool:
        """Whether a property or pattern of this rule covers `name`."""
        return name in self.names or any(pattern.matches(name) is not False for pattern, _ in self.patterns)


class ItemRule(NamedTuple):
    """The items of one schema: one want per leading item, one for the others (None: anything)."""

    leading: tuple[Want, ...]
    rest: Want | None

    def want(self, index: int) -> Want | None:
        """What this rule asks of the item at `index`."""
        return self.leading[index] if index < len(self.leading) else self.rest


class ContainsRule(NamedTuple):
    """At least `low` and at most `high` (None: any number of) items satisfy `pointer`."""

    pointer: str
    low: int
    high: int | None


class NewName(NamedTuple):
    """A property to add: its name matches `pattern`, is unknown to `outside` and satisfies `name_wants`."""

    pattern: Regex | None = None
    outside: FieldRule | None = None
    name_wants: tuple[Want, ...] = ()
    value_wants: tuple[Want, ...] = ()


class Union(NamedTuple):
    """Alternatives still to choose from: each is a group of wants, `denied` what must not hold with it."""

    options: tuple[tuple[Want, ...], ...]
    denied: tuple[tuple[str, ...], ...]


class Limit(NamedTuple):
    """A bound of numbers; `open` if the bound itself is outside."""

    value: Fraction
    open: bool


class Shape:
    """Constraints on one part of an instance. Every method narrows; DeadEnd where nothing is left."""

    def __init__(self) -> None:
        self.kinds: tuple[Kind, ...] = KINDS
        self.values: list[Json] | None = None
        self.barred: list[Json] = []
        self.low: Limit | None = None
        self.high: Limit | None = None
        self.factors: list[Fraction] = []
        self.off_factors: list[Fraction] = []
        self.length: tuple[int, int | None] = (0, None)
        self.patterns: list[Regex] = []
        self.off_patterns: list[Regex] = []
        self.formats: list[str] = []
        self.count: tuple[int, int | None] = (0, None)
        self.item_rules: list[ItemRule] = []
        self.item_wants: list[tuple[int, Want]] = []
        self.contains: list[ContainsRule] = []
        self.unique = False
        self.repeated = False
        self.size: tuple[int, int | None] = (0, None)
        self.field_rules: list[FieldRule] = []
        self.field_wants: list[tuple[str, Want]] = []
        self.late_fields: list[Want] = []
        self.late_items: list[Want] = []
        self.required: dict[str, None] = {}
        self.absent: dict[str, None] = {}
        self.name_wants: list[Want] = []
        self.new_names: list[NewName] = []
        self.followers: list[tuple[str, str]] = []
        self.follow_wants: list[tuple[str, Want]] = []
        self.unions: list[Union] = []
        self.denials: list[str] = []
        self.breaks: list[tuple[str, Aim]] = []
        self.aims: list[Aim] = []
        self.met: list[Position] = []
        self.force = False
        self.lenient = False
        self.deep = False

    def copy(self) -> Shape:
        """The same constraints, to be narrowed on their own."""
        other = Shape.__new__(Shape)
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, list | dict) else value)
        return other

    def become(self, other: Shape) -> None:
        """Take over all constraints of another shape."""
        vars(self).update(vars(other))

    def only(self, kinds: Sequence[Kind]) -> None:
        """Keep `kinds`."""
        left: tuple[Kind, ...] = tuple(kind for kind in self.kinds if kind in kinds)
        if not left and self.force:
            left = tuple(kinds)
            self.values = None
        if not left:
            raise DeadEnd("no type is left")
        self.kinds = left
        if self.values is not None and not any(kind_of(value) in left for value in self.values):
            if not self.force:
                raise DeadEnd("no value of the enumeration has the type")
            self.values = None

    def among(self, values: Sequence[Json]) -> None:
        """Keep the given values."""
        if self.values is None:
            self.values = list(values)
        else:
            self.values = [old for old in self.values if any(same(old, value) for value in values)]
        self._check_values()

    def bar(self, values: Sequence[Json]) -> None:
        """Keep everything but the given values."""
        self.barred.extend(values)
        if self.values is not None:
            self.values = [old for old in self.values if not any(same(old, value) for value in values)]
            if not self.values and self.force:
                self.values = None
        self._check_values()

    def _check_values(self) -> None:
        if self.values is not None and not self.values:
            raise DeadEnd("no value of the enumeration is left")

    def above(self, value: Fraction, *, bound_excluded: bool) -> None:
        """Keep numbers from `value` on."""
        limit = Limit(value, bound_excluded)
        if self.low is None or (limit.value, limit.open) > (self.low.value, self.low.open):
            self.low = limit
        self._check_limits("high")

    def below(self, value: Fraction, *, bound_excluded: bool) -> None:
        """Keep numbers up to `value`."""
        limit = Limit(value, bound_excluded)
        if self.high is None or (limit.value, not limit.open) < (self.high.value, not self.high.open):
            self.high = limit
        self._check_limits("low")

    def _check_limits(self, weaker: Literal["low", "high"]) -> None:
        low, high = self.low, self.high
        if low is None or high is None:
            return
        if low.value > high.value or (low.value == high.value and (low.open or high.open)):
            if self.force:
                setattr(self, weaker, None)
                return
            if not set(self.kinds) - {"integer", "fraction"}:
                raise DeadEnd("no number is between the bounds")
            self.kinds = tuple(kind for kind in self.kinds if kind not in ("integer", "fraction"))

    def narrow(self, span: Span, low: int, high: int | None) -> None:
        """Keep strings, arrays or objects of `low` to `high` characters, items or properties."""
        old_low, old_high = self.length if span == "length" else self.count if span == "count" else self.size
        new_low = max(old_low, low)
        new_high = old_high if high is None else high if old_high is None else min(old_high, high)
        if new_high is not None and new_low > new_high:
            if self.force:
                new_low, new_high = low, high
            else:
                self.only([kind for kind in self.kinds if kind != SPANNED[span]])
                return
        if self.force and span == "length":
            self.patterns = []
        setattr(self, span, (new_low, new_high))

    def require(self, name: str) -> None:
        """Keep objects that have `name`."""
        self.only(("object",))
        if name in self.absent:
            raise DeadEnd(f"property {name!r} must be there and must not")
        self.required[name] = None

    def forbid(self, name: str) -> None:
        """Keep objects that lack `name`."""
        self.only(("object",))
        if name in self.required:
            if not self.force:
                raise DeadEnd(f"property {name!r} must be there and must not")
            del self.required[name]
        self.absent[name] = None

    def admits(self, value: Json) -> bool:
        """Whether type, exclusions, bounds and lengths allow a value; patterns and parts are not looked at."""
        kind = kind_of(value)
        if kind not in self.kinds or any(same(value, barred) for barred in self.barred):
            return False
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self.admits_number(value)
        if isinstance(value, str):
            return inside(len(value), self.length)
        if isinstance(value, list):
            return inside(len(value), self.count)
        if isinstance(value, dict):
            return inside(len(value), self.size) and all(name in value for name in self.required)
        return True

    def admits_number(self, value: int | float) -> bool:
        """Whether bounds and factors allow a number."""
        exact = Fraction(value)
        if self.low and (exact < self.low.value or (self.low.open and exact == self.low.value)):
            return False
        if self.high and (exact > self.high.value or (self.high.open and exact == self.high.value)):
            return False
        return all(is_multiple(value, factor) for factor in self.factors) and not any(
            is_multiple(value, factor) for factor in self.off_factors
        )


def inside(number: int, span: tuple[int, int | None]) -> bool:
    """Whether a length lies in a span; None: without limit."""
    return span[0] <= number and (span[1] is None or number <= span[1])


def is_multiple(value: int | float, factor: Fraction) -> bool:
    """Whether a number is a multiple both exactly and by its decimal text, as validators differ on 0.1."""
    return Fraction(str(value)) % factor == 0 if abs(value) < 10**300 else Fraction(value) % factor == 0


def exact_decimal(value: Json) -> Fraction | None:
    """A number as the decimal that was written; None for anything else, infinity or NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return Fraction(str(value))
    except ValueError:
        return None

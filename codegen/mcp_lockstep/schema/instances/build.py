"""Builds a value from wants: reads them into a shape, then makes a scalar, an array or an object of it."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_lockstep.schema.instances.document import Schemas
from mcp_lockstep.schema.instances.keywords import DOMAINS
from mcp_lockstep.schema.instances.names import choose_names, wants_for
from mcp_lockstep.schema.instances.read import Reader
from mcp_lockstep.schema.instances.scalars import number, text
from mcp_lockstep.schema.instances.shape import Shape, Want, inside
from mcp_lockstep.schema.instances.values import (
    DeadEnd,
    Dice,
    Kind,
    Path,
    Position,
    copied,
    kind_of,
)
from mcp_lockstep.schema.values import Json, identity, same

DEEP = 5
MOST_PARTS = 6_000
ENOUGH = 60
MANY = 12


class Builder:
    """Builds one value. Afterwards `met` holds the keywords that applied, `hit` where the aim was reached."""

    def __init__(self, schemas: Schemas, dice: Dice, *, strict: bool, fullness: float = 0.55) -> None:
        self.schemas = schemas
        self.dice = dice
        self._reader = Reader(schemas, dice, strict=strict)
        self.fullness = fullness
        self.met: dict[Position, None] = {}
        self.hit: Path | None = None
        self.value: Json = None
        self._left = MOST_PARTS

    @property
    def chance(self) -> float:
        """How likely an optional part is: the more there is, the less."""
        used = (MOST_PARTS - self._left) / ENOUGH
        return self.fullness * max(0.03, 1 - used) if self.fullness < 1 else 1.0

    def build(self, wants: list[Want], path: Path = ()) -> Json:
        """A value for all `wants`; DeadEnd if the choices made allow none."""
        shape = self.shape(wants, path)
        value = self._value(shape, path)
        if any(same(value, barred) for barred in shape.barred):
            raise DeadEnd("the value found is one that is excluded")
        self._record(shape, value, path)
        return value

    def shape(self, wants: list[Want], path: Path) -> Shape:
        """The constraints of all `wants` together."""
        self._left -= 1
        if self._left < 0 or len(path) > self.schemas.deepest:
            raise DeadEnd("the value would be too large")
        shape = Shape()
        shape.deep = len(path) > DEEP
        self._reader.start()
        self.narrow(shape, wants)
        return shape

    def narrow(self, shape: Shape, wants: Iterable[Want]) -> None:
        """Narrow `shape` to what all `wants` allow; DeadEnd if that is nothing."""
        for want in wants:
            self._reader.add(shape, want)
        self._reader.settle(shape)

    def name(self, wants: Iterable[Want], path: Path, shape: Shape) -> str:
        """A property name for all `wants`, with the constraints of `shape` besides."""
        self.narrow(shape, wants)
        shape.only(("string",))
        name = self._enumerated(shape) if shape.values is not None else text(shape, self.dice)
        self._record(shape, name, path)
        return str(name)

    def _record(self, shape: Shape, value: Json, path: Path) -> None:
        if shape.aims:
            self.hit = path
        kind = kind_of(value)
        for position in shape.met:
            if kind in DOMAINS.get(position.keyword, (kind,)):
                self.met[position] = None

    def _value(self, shape: Shape, path: Path) -> Json:
        if shape.values is not None:
            return self._enumerated(shape)
        kinds = self.dice.shuffled(shape.kinds)
        if shape.deep:
            kinds.sort(key=lambda kind: kind in ("array", "object"))
        dead = DeadEnd("no type is left")
        if len(kinds) == 1:
            return self._of_kind(kinds[0], shape, path)
        for kind in kinds[:3]:
            try:
                return self._of_kind(kind, shape.copy() if kind in ("array", "object") else shape, path)
            except DeadEnd as reason:
                dead = reason
        raise dead

    def _enumerated(self, shape: Shape) -> Json:
        values = [value for value in shape.values or () if shape.admits(value)]
        texts = [value for value in values if isinstance(value, str)]
        wrong = [value for value in texts if not all(pattern.matches(value) for pattern in shape.patterns)]
        values = [value for value in values if value not in wrong]
        if not values:
            raise DeadEnd("no value of the enumeration satisfies its siblings")
        if shape.aims:
            return copied(values[shape.aims[0].variant % len(values)])
        return copied(self.dice.pick(values))

    def _of_kind(self, kind: Kind, shape: Shape, path: Path) -> Json:
        match kind:
            case "null":
                return None
            case "boolean":
                options = [value for value in (True, False) if shape.admits(value)]
                if not options:
                    raise DeadEnd("neither boolean is left")
                return self.dice.pick(options)
            case "integer" | "fraction":
                return number(shape, self.dice, whole=kind == "integer")
            case "string":
                return text(shape, self.dice)
            case "array":
                return self._array(shape, path)
            case "object":
                shape.kinds = ("object",)
                return self._object(shape, path)

    def _object(self, shape: Shape, path: Path) -> Json:
        chosen = choose_names(self, shape, path)
        result: dict[str, Json] = {}
        for name, extra in chosen.items():
            wants = [*wants_for(self.schemas, shape, name, routed=extra.routed), *extra.wants]
            try:
                result[name] = self.build(wants, (*path, name))
            except DeadEnd:
                bound = name in shape.required or extra.wants or any(want.route for want in wants)
                if bound or not inside(len(chosen) - 1, shape.size):
                    raise
        if not inside(len(result), shape.size):
            raise DeadEnd("the object cannot have as many properties as it should")
        return result

    def _array(self, shape: Shape, path: Path) -> Json:
        count = self._count(shape)
        placed = self._placed(shape, count)
        items: list[Json] = []
        seen: dict[str, None] = {}
        for index in range(count):
            if index > MANY and not shape.unique and not placed.get(index):
                items.append(copied(items[-1]))
                continue
            wants = [*self._item_wants(shape, index), *placed.get(index, ())]
            item = self._item(wants, (*path, index), seen if shape.unique else {})
            if item is None and shape.force:
                item = (copied(items[-1]),)
            if item is None:
                if index < shape.count[0] or placed:
                    raise DeadEnd("there are too few different items")
                break
            items.append(item[0])
            seen[identity(item[0])] = None
        if shape.repeated:
            self._repeat(shape, items)
        return items

    def _item(self, wants: list[Want], path: Path, seen: dict[str, None]) -> tuple[Json] | None:
        for _ in range(20 if seen else 1):
            item = self.build(wants, path)
            if identity(item) not in seen:
                return (item,)
        return None

    def _count(self, shape: Shape) -> int:
        low, high = shape.count
        asked = sum(rule.low for rule in shape.contains)
        least = max(low, min(asked, high) if high is not None else asked)
        if shape.repeated:
            lead = max([0, *(len(rule.leading) for rule in shape.item_rules)])
            least = max(least, min(lead + 2, high) if high is not None else lead + 2)
        closed = [rule for rule in shape.contains if rule.high is not None and rule.high < rule.low]
        if closed:
            raise DeadEnd("more items must match than may")
        if shape.deep:
            return least
        if high is not None and high <= least + 60 and self.dice.chance(0.25):
            return high
        more = self.dice.below(3 if self.dice.chance(0.3 + self.chance) else 1)
        return least + more if high is None else min(least + more, high)

    def _item_wants(self, shape: Shape, index: int) -> list[Want]:
        wants: list[Want] = []
        for rule in shape.item_rules:
            want = rule.want(index)
            if want is not None:
                wants.append(want if index <= len(rule.leading) else want.plain)
        return wants or list(shape.late_items)

    def _placed(self, shape: Shape, count: int) -> dict[int, list[Want]]:
        placed: dict[int, list[Want]] = {}
        for index, want in shape.item_wants:
            placed.setdefault(index, []).append(want)
        taken: list[int] = []
        for rule in shape.contains:
            free = [index for index in range(count) if index not in taken] or list(range(count))
            chosen = self.dice.shuffled(free)[: rule.low]
            taken.extend(chosen)
            for index in range(count):
                if index in chosen:
                    placed.setdefault(index, []).append(Want(rule.pointer))
                elif rule.high is not None and (rule.high < count):
                    placed.setdefault(index, []).append(Want(rule.pointer, negative=True))
        return placed

    def _repeat(self, shape: Shape, items: list[Json]) -> None:
        lead = max([0, *(len(rule.leading) for rule in shape.item_rules)])
        first = lead if lead + 1 < len(items) else 0
        items[first + 1] = copied(items[first])

"""Turns schemas into constraints: what must hold narrows a shape, alternatives are chosen, the aim is broken."""

from __future__ import annotations

from mcp_lockstep.schema.instances.deny import FLIPS, Flip
from mcp_lockstep.schema.instances.document import Schemas
from mcp_lockstep.schema.instances.keywords import DOMAINS, HANDLED_BROKEN, READERS, Here, positions_of
from mcp_lockstep.schema.instances.shape import Force, Route, Shape, Union, Want
from mcp_lockstep.schema.instances.values import DeadEnd, Dice

MAX_NESTING = 80
MOST_CHOICES = 400
MOST_READS = 1_500
EASY = ("type", "const", "enum", "required", "$ref")


class Reader:
    """Adds schemas to shapes; `strict` denies the alternatives not chosen instead of hoping that they fail."""

    def __init__(self, schemas: Schemas, dice: Dice, *, strict: bool) -> None:
        self.schemas = schemas
        self.dice = dice
        self.strict = strict
        self._nesting = 0
        self._left = MOST_READS

    def start(self) -> None:
        """Begin with another part of the instance: what may be read for one part is limited."""
        self._left = MOST_READS

    def add(self, shape: Shape, want: Want) -> None:
        """Narrow `shape` to what `want` allows; DeadEnd if that is nothing."""
        self._nesting += 1
        try:
            self._left -= 1
            if self._left < 0:
                raise DeadEnd("too many alternatives")
            if self._nesting > MAX_NESTING:
                raise DeadEnd("the schema refers to itself without end")
            if want.negative:
                shape.denials.append(want.pointer)
            else:
                self._add(shape, want.pointer, want.route)
        finally:
            self._nesting -= 1

    def _add(self, shape: Shape, pointer: str, route: Route | None) -> None:
        if self.schemas.at(pointer) is False:
            raise DeadEnd("nothing is allowed here")
        aim = route.aim if route and not route.steps else None
        broken, entry = "", 0
        if aim:
            shape.aims.append(aim)
            if aim.mode == "meet" and aim.position.keyword in DOMAINS:
                shape.only(DOMAINS[aim.position.keyword])
            if aim.mode == "break":
                shape.breaks.append((pointer, aim))
                broken, entry = "not" if aim.position.keyword == "false" else aim.position.keyword, aim.entry
        fields = self.schemas.fields(pointer)
        for keyword, value in fields.items():
            here = Here(pointer, fields, keyword, value, route, broken, entry)
            if keyword == broken and keyword not in HANDLED_BROKEN:
                continue
            if keyword in READERS:
                READERS[keyword](self, shape, here)
            shape.met.extend(positions_of(pointer, keyword, value))
        if pointer in self.schemas.false and not broken:
            raise DeadEnd("nothing is allowed here")

    def settle(self, shape: Shape) -> None:
        """Choose among alternatives, deny what must not hold, and break what is aimed at."""
        self._choose_all(shape)
        if not any(aim.force is not Force.NOT for _, aim in shape.breaks):
            self._deny_all(shape)
        # What is broken by force comes first, so that denials do not end at the siblings that give way to it.
        self._break_all(shape)
        self._deny_all(shape)

    def _choose_all(self, shape: Shape) -> None:
        for _ in range(MOST_CHOICES):
            if not shape.unions:
                return
            self._choose(shape, shape.unions.pop(0))
        raise DeadEnd("too many alternatives")

    def _deny_all(self, shape: Shape) -> None:
        for _ in range(MOST_CHOICES):
            self._choose_all(shape)
            if not shape.denials:
                return
            pointer = shape.denials.pop(0)
            try:
                self.deny(shape, pointer)
            except DeadEnd:
                if not shape.lenient:
                    raise
        raise DeadEnd("too many alternatives")

    def _break_all(self, shape: Shape) -> None:
        breaks, shape.breaks = shape.breaks, []
        for pointer, aim in breaks:
            shape.force = aim.force is not Force.NOT
            self._break(shape, pointer, aim.position.keyword, aim.entry, aim.variant)
            if aim.force is Force.BREAK:
                shape.force, shape.lenient = False, True

    def _break(self, shape: Shape, pointer: str, keyword: str, entry: int, variant: int) -> None:
        if keyword == "false":
            return
        fields = self.schemas.fields(pointer)
        FLIPS[keyword](self, shape, Flip(pointer, fields, keyword, fields[keyword], entry, variant))

    def _choose(self, shape: Shape, union: Union) -> None:
        order = list(range(len(union.options)))
        if shape.deep:
            heights = [max([0, *(self.schemas.height(w.pointer) for w in wants)]) for wants in union.options]
            order.sort(key=lambda index: heights[index])
        else:
            order = self.dice.shuffled(order)
        dead = DeadEnd("no alternative is left")
        for index in order:
            trial = shape.copy()
            try:
                for want in union.options[index]:
                    self.add(trial, want)
            except DeadEnd as reason:
                dead = reason
                continue
            trial.denials.extend(union.denied[index])
            shape.become(trial)
            return
        raise dead

    def deny(self, shape: Shape, pointer: str) -> None:
        """Narrow `shape` to what the schema at `pointer` rejects; DeadEnd if that is nothing."""
        if self.schemas.at(pointer) is False or pointer in self.schemas.false:
            return
        fields = self.schemas.fields(pointer)
        options = self.dice.shuffled([keyword for keyword in fields if keyword in FLIPS])
        if self.dice.chance(0.6):
            options.sort(key=lambda keyword: EASY.index(keyword) if keyword in EASY else len(EASY))
        for keyword in options:
            trial = shape.copy()
            try:
                flip = Flip(pointer, fields, keyword, fields[keyword], None, None)
                FLIPS[keyword](self, trial, flip)
            except DeadEnd:
                continue
            shape.become(trial)
            return
        raise DeadEnd("a schema that must not hold holds for every value left")

"""JSON values, the words of the maker of instances, and a die that falls alike on every Python."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import Json

Path: TypeAlias = "tuple[str | int, ...]"
Kind = Literal["null", "boolean", "integer", "fraction", "string", "array", "object"]

KINDS: tuple[Kind, ...] = ("null", "boolean", "integer", "fraction", "string", "array", "object")
NUMERIC: tuple[Kind, ...] = ("integer", "fraction")
TYPE_KINDS: dict[str, tuple[Kind, ...]] = {
    "null": ("null",),
    "boolean": ("boolean",),
    "integer": ("integer",),
    "number": NUMERIC,
    "string": ("string",),
    "array": ("array",),
    "object": ("object",),
}
"""What each JSON Schema type admits; `fraction` is a number with a fractional part."""

T = TypeVar("T")


class DeadEnd(Exception):
    """No instance lies on the road taken; another choice may still find one. The text is the reason."""


class Position(NamedTuple):
    """One keyword of a schema: its JSON pointer in the root document and its name.

    Lists of names count entry by entry, so `required` at `/required/0` is the first required name. A `false`
    schema is the keyword `false` at its own pointer.
    """

    pointer: str
    keyword: str

    def __str__(self) -> str:
        return f"{self.pointer} ({self.keyword})"


class Instance(NamedTuple):
    """A value that the schema accepts, and the keywords that applied to it or to a part of it."""

    value: Json
    meets: tuple[Position, ...]


class Broken(NamedTuple):
    """A value that the schema rejects because of one keyword.

    `instance_path` leads to the part at fault. `implied` lists keywords that fail at the same part because no
    value found breaks the first one without them (`enum` beside a broken `type`); it is mostly empty.
    """

    value: Json
    pointer_of_keyword: str
    keyword: str
    instance_path: Path
    implied: tuple[Position, ...] = ()

    @property
    def position(self) -> Position:
        return Position(self.pointer_of_keyword, self.keyword)


class Dice:
    """Choices from a seed, the same on every Python version and under every hash seed."""

    def __init__(self, *seed: object) -> None:
        digest = hashlib.sha256("\x1f".join(map(str, seed)).encode()).digest()
        # Only `random()` is promised to give the same sequence in every version.
        self._roll = random.Random(int.from_bytes(digest[:8], "big")).random

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        return int(self._roll() * limit)

    def chance(self, probability: float) -> bool:
        """True in `probability` of all throws."""
        return self._roll() < probability

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`, which must not be empty."""
        return options[self.below(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All of `options` in another order."""
        mixed = list(options)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


def kind_of(value: Json) -> Kind:
    """The kind of a value; a float without a fractional part is an integer, as JSON Schema counts it."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "fraction"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"


def copied(value: Json) -> Json:
    """The same value in new lists and dictionaries."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value

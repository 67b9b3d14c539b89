"""What a step asks for: changes of single values, and the words that go with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from mcp_lockstep.findings import Code, Severity
from mcp_lockstep.migrate.codes import ASSUMED, CONVERTED, DROPPED, MOVED
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import At, JsonObject


class Rename(NamedTuple):
    """Call the member at `pointer` by another `key`; its value and its place among its neighbours stay.

    `source` is where the value stood, if that is not `pointer`: what the member held is replaced by a part of it.
    """

    pointer: str
    key: str
    source: str = ""


class Write(NamedTuple):
    """Put `value` in the place of the one at `pointer`."""

    pointer: str
    value: object


class Quote(NamedTuple):
    """Make a text of the number, `true` or `false` at `pointer`, digits as they stand in the file."""

    pointer: str


class Add(NamedTuple):
    """Add a member that is not there; `first` puts it before all others of the file.

    `source` is where the value stood before (empty: nowhere).
    """

    pointer: str
    value: object
    first: bool = False
    source: str = ""


class Drop(NamedTuple):
    """Take the member at `pointer` out."""

    pointer: str


Change: TypeAlias = Rename | Write | Quote | Add | Drop


class Move(NamedTuple):
    """One thing that a step does, and says about the value at `pointer`.

    For `DROPPED` the message is the reason, as the end of a sentence; what the value was is added by the pipeline,
    which knows which values are secret. `have` and `want` are for programs.
    """

    code: Code
    pointer: str
    message: str
    changes: tuple[Change, ...] = ()
    have: str | None = None
    want: str | None = None
    hint: str = ""
    level: Severity | None = None


Step: TypeAlias = "Callable[[JsonObject, str], Iterator[Move]]"
"""A pure function of a parsed server.json and the revision it is moved to.

Every pointer that it gives is one of the data it was called with. A step never renames a member and drops or adds
something inside of it: that is for the next one.
"""


def renamed(at: At, old: str, new: str) -> Move:
    """The member `old` of `at` is called `new`."""
    change = Rename(at.to(old), new)
    return Move(MOVED, at.to(old), f"`{old}` is called `{new}` now.", (change,), have=old, want=new)


def renames(at: At, names: Mapping[str, str]) -> Iterator[Move]:
    """Every member of `at` with an old name gets the new one; where that is taken, the old member goes."""
    taken = set(at.data)
    for old, new in names.items():
        if old in at.data and new not in taken:
            taken.add(new)
            yield renamed(at, old, new)
        elif old in at.data:
            yield superseded(at, old, new)


def superseded(at: At, old: str, new: str) -> Move:
    """The member `old` of `at` goes, because the one that is called `new` stays."""
    same = old in at.data and at.data[old] == at.data.get(new)
    reason = f"is the former name of `{new}`, which stands there too" + (
        " with the same value" if same else ""
    )
    hint = "" if same else f"Look at `{new}`: it is what stays."
    return dropped(at.to(old), reason, hint, "note" if same else None)


def dropped(pointer: str, reason: str, hint: str = "", level: Severity | None = None) -> Move:
    """The value at `pointer` is taken out; `reason` is the end of a sentence."""
    return Move(DROPPED, pointer, reason, (Drop(pointer),), hint=hint, level=level)


def written(pointer: str, value: str, message: str, have: str) -> Move:
    """The text at `pointer` becomes `value`."""
    return Move(CONVERTED, pointer, message, (Write(pointer, value),), have=have, want=value)


def assumed(pointer: str, value: object, message: str, want: str, hint: str) -> Move:
    """`value` is added at `pointer`, and somebody should look at it."""
    return Move(ASSUMED, pointer, message, (Add(pointer, value),), want=want, hint=hint)

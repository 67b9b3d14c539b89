"""Where two parsed server.json differ, value by value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from mcp_lockstep.documents.data import JsonObject, as_array, as_object
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.records import NamedTuple

_LONGEST = 80


class Difference(NamedTuple):
    """One value that is not the same: as JSON, shortened; None where it is absent."""

    pointer: str
    have: str | None
    want: str | None


def differences(have: object, want: object, pointer: str = "") -> Iterator[Difference]:
    """Every value that differs, in the order of `want`; numbers are equal as JSON writes them."""
    ours, theirs = as_object(have), as_object(want)
    if ours is not None and theirs is not None:
        for key in dict.fromkeys((*theirs, *ours)):
            yield from _at(ours, theirs, key, f"{pointer}/{escape_part(key)}")
        return
    here, there = as_array(have), as_array(want)
    if here is not None and there is not None:
        mine, others = _numbered(here), _numbered(there)
        for index in {**mine, **others}:
            yield from _at(mine, others, index, f"{pointer}/{index}")
        return
    if _text(have) != _text(want):
        yield Difference(pointer, short(have), short(want))


def _numbered(items: Sequence[object]) -> JsonObject:
    return {str(index): item for index, item in enumerate(items)}


def _at(ours: JsonObject, theirs: JsonObject, key: str, pointer: str) -> Iterator[Difference]:
    if key not in ours:
        yield Difference(pointer, None, short(theirs[key]))
    elif key not in theirs:
        yield Difference(pointer, short(ours[key]), None)
    else:
        yield from differences(ours[key], theirs[key], pointer)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def short(value: object) -> str:
    """`value` as a message shows it: text as it is, all else as JSON, the rest cut off."""
    text = value if isinstance(value, str) else _text(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

"""JSON pointers (RFC 6901): the address of a value in JSON and TOML files alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast


def make_pointer(parts: Iterable[str | int]) -> str:
    """The pointer to the value that is reached by `parts`, keys and indices from the root down."""
    return "".join([f"/{escape_part(str(part))}" for part in parts])


def escape_part(part: str) -> str:
    """One key as it stands in a pointer."""
    return part.replace("~", "~0").replace("/", "~1") if "~" in part or "/" in part else part


def unescape_part(part: str) -> str:
    """The key that one part of a pointer stands for."""
    return part.replace("~1", "/").replace("~0", "~")


def pointer_parts(pointer: str) -> tuple[str, ...]:
    """The keys and indices of `pointer` as strings. ValueError when it does not begin with a slash."""
    if not pointer:
        return ()
    if pointer[0] != "/":
        raise ValueError(f"not a JSON pointer: {pointer!r}")
    return tuple([unescape_part(part) for part in pointer[1:].split("/")])


def split_pointer(pointer: str) -> tuple[str, str]:
    """The pointer to the container, and the key or index in it. ValueError for the root."""
    parts = pointer_parts(pointer)
    if not parts:
        raise ValueError("the root stands in no container")
    return make_pointer(parts[:-1]), parts[-1]


def array_index(part: str, length: int) -> int | None:
    """`part` as the index of one of `length` items; None when it is none (`01`, `-1`, `-` are none)."""
    if not part.isascii() or not part.isdigit() or len(part) > 9 or (part[0] == "0" and part != "0"):
        return None
    index = int(part)
    return index if index < length else None


def value_at(data: object, pointer: str) -> object:
    """The value in `data` at `pointer`. KeyError when there is none."""
    for part in pointer_parts(pointer):
        if isinstance(data, dict) and part in data:
            data = cast("dict[str, object]", data)[part]
            continue
        items = cast("list[object]", data) if isinstance(data, list) else []
        index = array_index(part, len(items))
        if index is None:
            raise KeyError(pointer)
        data = items[index]
    return data

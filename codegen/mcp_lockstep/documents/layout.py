"""Items between brackets, in JSON objects and arrays, TOML arrays and inline tables: adding, removing."""

from __future__ import annotations

import re

from mcp_lockstep.documents.document import Edit, cut
from mcp_lockstep.documents.spans import Span
from mcp_lockstep.records import NamedTuple

_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*+")
_REST = re.compile(r"[ \t]*+(?:#[^\r\n]*+)?")


class Items(NamedTuple):
    """The text between two brackets: `start` after the opening one, `end` before the closing one.

    `spans` are the items in order, keys included.
    """

    path: str
    text: str
    start: int
    end: int
    spans: tuple[Span, ...]


class Fill(NamedTuple):
    """How to write into empty brackets: what stands before, between and after items."""

    before: str
    between: str
    after: str


def lead(items: Items, index: int) -> str:
    """The line end and indent before an item that begins its line; empty for one that does not."""
    start = items.spans[index][0]
    line_start = items.text.rfind("\n", items.start, start) + 1
    if not line_start or items.text[line_start:start].strip():
        return ""
    first = line_start - (2 if items.text[line_start - 2] == "\r" else 1)
    return items.text[first:start]


def between(items: Items, fill: Fill) -> str:
    """What separates two items, after the comma: that of the last two, else what the file does elsewhere."""
    last = len(items.spans) - 1
    if own := lead(items, last):
        return own
    if last > 0:
        gap = items.text[items.spans[last - 1][1] : items.spans[last][0]].partition(",")[2]
        if not gap.strip(" \t"):
            return gap
    return fill.between if "\n" not in fill.between else " "


def add_item(items: Items, index: int, item: str, fill: Fill) -> Edit:
    """The edit that makes `item` the one at `index`; `index` may be the number of items."""
    if not items.spans:
        return _fill(items, item, fill)
    separator = between(items, fill)
    if index < len(items.spans):
        at = items.spans[index][0]
        return Edit(items.path, at, at, f"{item},{lead(items, index) or separator}")
    end = items.spans[-1][1]
    comma = _comma_after(items, index - 1)
    if comma is None:
        rest = _line_rest(items, end)
        return Edit(items.path, end, rest, f",{items.text[end:rest]}{separator}{item}")
    rest = _line_rest(items, comma + 1) if "\n" in separator else comma + 1
    return Edit(items.path, rest, rest, f"{separator}{item},")


def _fill(items: Items, item: str, fill: Fill) -> Edit:
    inner = items.text[items.start : items.end]
    kept = inner.rstrip(" \t\r\n")
    if kept:
        at = items.start + len(kept)
        comment = kept.rpartition("\n")[2]
        indent = comment[: len(comment) - len(comment.lstrip(" \t"))]
        newline = "\r\n" if items.text.startswith("\r", at) else "\n"
        return Edit(items.path, at, at, f"{newline}{indent}{item}")
    return Edit(items.path, items.start, items.end, f"{fill.before}{item}{fill.after}")


def remove_items(items: Items, doomed: frozenset[int]) -> Edit:
    """The edit that removes the items whose indices are `doomed`, with commas and same-line comments."""
    inner = items.text[items.start : items.end]
    if len(doomed) == len(items.spans) and "#" not in _outside(items, inner):
        return Edit(items.path, items.start, items.end, "")
    pieces = [piece for index in sorted(doomed) for piece in _item_pieces(items, index, doomed)]
    last = len(items.spans) - 1
    survivor = max((i for i in range(last + 1) if i not in doomed), default=None)
    if last in doomed and survivor is not None and _comma_after(items, last) is None:
        comma = _comma_after(items, survivor)
        if comma is not None:
            pieces.append((comma, comma + 1))
    return cut(items.path, items.text, pieces)


def _outside(items: Items, inner: str) -> str:
    """The text between the items."""
    parts: list[str] = []
    done = 0
    for start, end in items.spans:
        parts.append(inner[done : start - items.start])
        done = end - items.start
    return "".join([*parts, inner[done:]])


def _item_pieces(items: Items, index: int, doomed: frozenset[int]) -> list[Span]:
    start, end = items.spans[index]
    comma = _comma_after(items, index)
    past = end if comma is None else comma + 1
    own = lead(items, index)
    rest = _line_rest(items, past)
    if own and items.text.startswith(("\n", "\r\n"), rest) and rest < items.end:
        return [(start - len(own), rest)]
    if index + 1 < len(items.spans):
        following = items.spans[index + 1][0]
        gap = items.text[past:following]
        return [(start, past + len(gap) - len(gap.lstrip(" \t")))]
    before = max((i for i in range(index) if i not in doomed), default=None)
    if before is None:
        return [(start, past)]
    blank = items.text[items.spans[before][1] : start]
    kept = len(blank.rstrip(" \t\r\n")) if "#" not in blank else len(blank)
    return [(items.spans[before][1] + kept, past)]


def _comma_after(items: Items, index: int) -> int | None:
    """The offset of the comma behind an item, if it has one."""
    gap = _GAP.match(items.text, items.spans[index][1], items.end)
    at = gap.end() if gap is not None else items.end
    return at if at < items.end and items.text[at] == "," else None


def _line_rest(items: Items, offset: int) -> int:
    """Where the comment behind `offset` on the same line ends; `offset` where there is none."""
    rest = _REST.match(items.text, offset, items.end)
    at = rest.end() if rest is not None else offset
    return at if items.text.startswith(("\n", "\r\n"), at) else offset

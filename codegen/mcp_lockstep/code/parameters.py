"""A parameter list as text between its parentheses: take items out and put items in, comments in their places."""

from __future__ import annotations

import re

from mcp_lockstep.records import NamedTuple

_NEWLINE = re.compile(r"\r\n|\n|\r")


class Item(NamedTuple):
    """One item of the list: a parameter, `*`, `/`, `*args` or `**kwargs`.

    `core` is its text, `glue` what stands before its comma, `gap` the blanks and comments up to the next item
    or the closing parenthesis.
    """

    name: str
    core: str
    glue: str = ""
    gap: str = ""


class ParameterList:
    """`lead` is the text before the first item; `trailing`: the last item has a comma."""

    def __init__(self, lead: str, items: list[Item], *, trailing: bool) -> None:
        self.lead = lead
        self.items = items
        self.trailing = trailing

    def __str__(self) -> str:
        last = len(self.items) - 1
        parts = [self.lead]
        for index, item in enumerate(self.items):
            comma = f"{item.glue}," if index < last or self.trailing else ""
            parts.append(f"{item.core}{comma}{item.gap}")
        return "".join(parts)

    def index(self, name: str) -> int:
        """Where the item `name` stands; -1 when it does not."""
        return next((index for index, item in enumerate(self.items) if item.name == name), -1)

    def remove(self, index: int) -> None:
        """Take an item out, and with it the comment on its line unless a kept item shares that line."""
        before, after = self._gap_before(index), self.items[index].gap
        last = index == len(self.items) - 1
        del self.items[index]
        if not self.items:
            gap = _joined(before, _without_comment(after))
            self.lead, self.trailing = gap if "#" in gap else "", False
        elif last and not _NEWLINE.search(after):
            self._set_before(index, before if "#" in before else after)
        elif last and not _NEWLINE.search(before):
            self._set_before(index, after)
        elif index == 0 and not _NEWLINE.search(before):
            self._set_before(index, _without_comment(after) if _NEWLINE.search(after) else before)
        else:
            self._set_before(index, _joined(before, after))

    def insert(self, index: int, name: str, core: str) -> None:
        """Put an item before the one at `index`, or at the end; on a line of its own where the others are."""
        if index < len(self.items):
            self._insert(index, name, core)
        elif not self.items:
            self.items.append(Item(name, core))
            self.lead = self.lead if "#" in self.lead else ""
        else:
            self._append(name, core)

    def _insert(self, index: int, name: str, core: str) -> None:
        first, rest = _split(self._gap_before(index))
        if rest:
            self._set_before(index, first + _line(rest))
        self.items.insert(index, Item(name, core, gap=rest or " "))

    def _append(self, name: str, core: str) -> None:
        last = self.items[-1]
        style = _split(self._gap_before(len(self.items) - 1))[1]
        first, rest = _split(last.gap)
        if style:
            self.items[-1] = last._replace(gap=first + _line(style))
            self.items.append(Item(name, core, gap=rest))
        else:
            self.items[-1] = last._replace(gap=" ")
            self.items.append(Item(name, core, gap=last.gap))

    def _gap_before(self, index: int) -> str:
        return self.items[index - 1].gap if index else self.lead

    def _set_before(self, index: int, gap: str) -> None:
        if index:
            self.items[index - 1] = self.items[index - 1]._replace(gap=gap)
        else:
            self.lead = gap


def _split(gap: str) -> tuple[str, str]:
    """What is on the item's own line, and the rest from the line end on (empty: the line goes on)."""
    found = _NEWLINE.search(gap)
    return (gap, "") if found is None else (gap[: found.start()], gap[found.start() :])


def _line(rest: str) -> str:
    """The line end that `rest` begins with and the indentation that it ends with."""
    found = _NEWLINE.match(rest)
    *_, indent = _NEWLINE.split(rest)
    return (found.group() if found else "") + indent


def _without_comment(gap: str) -> str:
    return _split(gap)[1]


def _joined(before: str, after: str) -> str:
    """The gap that is left between the neighbours of an item that stood between `before` and `after`."""
    rest = _split(after)[1]
    ends = [*_NEWLINE.finditer(before)]
    if not ends:
        return after if rest else before
    if not rest:
        return before
    first = _NEWLINE.match(rest)
    return before[: ends[-1].end()] + rest[first.end() if first else 0 :]

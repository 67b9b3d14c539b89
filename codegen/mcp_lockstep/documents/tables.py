"""Tables of Markdown: cells, lines, and lines like those that stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import TypeAlias
from unicodedata import east_asian_width

from mcp_lockstep.documents.spans import Span
from mcp_lockstep.records import NamedTuple

_RULE = re.compile(r":?-+:?")
_NO_TEXT = r"(?:[-+]|\d+[.)])? "
"""What begins a list, or an empty cell: where a line starts with it, a table without outer bars ends."""


class Row(NamedTuple):
    """One line of a table: where it stands without its line end, its text, and its cells as they are written."""

    span: Span
    line: str
    cells: tuple[str, ...]


Line: TypeAlias = "Row | Sequence[str]"
"""A line to write: one that stands there and stays as it is, or the cells of a new one."""


class Table(NamedTuple):
    """A head, the rule below it, and the rows."""

    head: Row
    rule: Row
    rows: tuple[Row, ...]

    @property
    def span(self) -> Span:
        """From the first character of the head to the last one of the last line."""
        return self.head.span[0], (self.rows or (self.rule,))[-1].span[1]

    @property
    def is_aligned(self) -> bool:
        """Whether somebody, or a formatter, filled up the cells until all lines had one width."""
        lines = [row.line.strip() for row in (self.head, self.rule, *self.rows)]
        return len(set(map(_width, lines))) == 1 and any(
            re.search(r"\S {2,}(?:\||$)", line) for line in lines
        )

    def lines(self, rows: Sequence[Line]) -> list[str]:
        """The lines of this table with other rows; aligned where it is."""
        if not self.is_aligned:
            new = (row.line if isinstance(row, Row) else self._line(row) for row in rows)
            return [self.head.line, self.rule.line, *new]
        cells = [self.head.cells, *(row.cells if isinstance(row, Row) else row for row in rows)]
        widths = [max(3, *map(_width, column)) for column in zip_longest(*cells, fillvalue="")]
        head, *body = (self._line(_padded(row, widths)) for row in cells)
        return [head, self._rule(widths), *body]

    def _rule(self, widths: Sequence[int]) -> str:
        """The line below the head, its dashes as wide as the columns, with spaces around them where there are some."""
        spaced = " " in self.rule.line.strip()
        dashes = (
            _dashes(cell, w if spaced else w + 2) for cell, w in zip(self.rule.cells, widths, strict=False)
        )
        line = self._line([*dashes])
        return line if spaced else re.sub(r" ?\| ?", "|", line)

    def _line(self, cells: Sequence[str]) -> str:
        line = self.head.line
        indent = line[: len(line) - len(line.lstrip())]
        inner = " | ".join(cells)
        framed = line.lstrip().startswith("|") or re.match(_NO_TEXT, inner)
        return f"{indent}| {inner} |" if framed else f"{indent}{inner}".rstrip()


def table_in(text: str, span: Span) -> Table | None:
    """The first table in that part of `text`."""
    rows = [*_rows(text, span)]
    for index, (head, rule) in enumerate(pairwise(rows)):
        if head.cells and len(head.cells) == len(rule.cells) and all(map(_RULE.fullmatch, rule.cells)):
            rest = rows[index + 2 :]
            end = next((at for at, row in enumerate(rest) if not row.cells), len(rest))
            return Table(head, rule, tuple(rest[:end]))
    return None


def _rows(text: str, span: Span) -> Iterator[Row]:
    at, end = span
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = text[at:stop].removesuffix("\r")
        yield Row((at, at + len(line)), line, _cells(line))
        at = stop + 1


def _cells(line: str) -> tuple[str, ...]:
    """The cells of a line; none where it has no bar."""
    inner = line.strip()
    bars = [found.start() for found in re.finditer(r"\\.|\|", inner) if found[0] == "|"]
    if not bars:
        return ()
    edges = (*([-1] if bars[0] else []), *bars, *([len(inner)] if bars[-1] < len(inner) - 1 else []))
    return tuple(inner[start + 1 : end].strip() for start, end in pairwise(edges))


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=False)]


def _dashes(cell: str, width: int) -> str:
    """`cell` of a rule with as many dashes as `width` takes beside its colons."""
    left, right = ":" * cell.startswith(":"), ":" * cell.endswith(":")
    return f"{left}{'-' * (width - len(left) - len(right))}{right}"


def _width(text: str) -> int:
    """The columns that `text` takes where every character has one or two."""
    return len(text) + sum(east_asian_width(c) in "WF" for c in text if not c.isascii())

"""The text of one Python file and where its syntax stands, in code points."""

from __future__ import annotations

import ast
import warnings
from typing import TypeAlias

from mcp_lockstep.code.codes import NOT_PARSED, NOT_UTF8
from mcp_lockstep.documents.spans import Span
from mcp_lockstep.findings import Finding, Place, Position
from mcp_lockstep.records import NamedTuple

BOM = "\ufeff"
WRAPPERS = frozenset({"Annotated", "Optional", "Union"})
"""What stands around the types that an annotation takes."""

Spanned: TypeAlias = "ast.expr | ast.stmt | ast.arg | ast.alias | ast.excepthandler"
"""The nodes that carry a position."""


class Source:
    """One file: `text` is `raw.decode("utf-8")` with the byte order mark kept as its first character.

    `ast` counts columns in UTF-8 bytes from the start of a line and does not count the byte order mark;
    `span` and `position` turn that into code points of `text`.
    """

    __slots__ = ("_lines", "_starts", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._starts: list[int] | None = None
        self._lines: list[str] = []

    @property
    def lines(self) -> list[str]:
        """The lines with their ends, split where Python splits them (never at a form feed)."""
        if self._starts is None:
            self._index()
        return self._lines

    def offset(self, line: int, column: int) -> int:
        """The code point at `line` (from 1) and `column` (UTF-8 bytes from 0), as `ast` counts."""
        mark = 1 if line == 1 and self.text.startswith(BOM) else 0
        return self._start(line) + self._column(line, column) + mark

    def span(self, node: Spanned) -> Span:
        """Start and end (exclusive) of `node`."""
        line, column = _end_of(node)
        return self.offset(node.lineno, node.col_offset), self.offset(line, column)

    def position(self, node: Spanned) -> Position:
        """The position of `node` for a finding; a byte order mark has no column."""
        line, column = _end_of(node)
        start = self._column(node.lineno, node.col_offset) + 1
        return Position(node.lineno, start, line, self._column(line, column) + 1)

    def between(self, start: int, end: int) -> Position:
        """The position of the code points `start` to `end`."""
        from bisect import bisect_right

        self._start(1)
        starts = self._starts or [0]
        first, last = bisect_right(starts, start), bisect_right(starts, end)
        mark = 1 if self.text.startswith(BOM) else 0
        column = start - starts[first - 1] + 1 - (mark if first == 1 else 0)
        return Position(first, column, last, end - starts[last - 1] + 1 - (mark if last == 1 else 0))

    def _start(self, line: int) -> int:
        if self._starts is None:
            self._index()
        starts = self._starts or [0]
        return starts[min(line, len(starts)) - 1]

    def _column(self, line: int, column: int) -> int:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if text.isascii():
            return column
        return len(text.removeprefix(BOM).encode("utf-8")[:column].decode("utf-8", "replace"))

    def _index(self) -> None:
        raw = self.text.encode("utf-8").splitlines(keepends=True)
        self._lines = [line.decode("utf-8") for line in raw]
        starts = [0]
        for line in self._lines:
            starts.append(starts[-1] + len(line))
        self._starts = starts


class Parsed(NamedTuple):
    """A file and its syntax tree."""

    source: Source
    tree: ast.Module


def parse(path: str, raw: bytes) -> Parsed | Finding:
    """The syntax of `raw`, or the finding that says why it cannot be read."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return Finding(
            NOT_UTF8,
            Place(path),
            f"{path} is not UTF-8 (byte {error.start}); what it registers is unknown",
            hint="Save the file as UTF-8.",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.removeprefix(BOM))
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        where = Position(max(line, 1), max(column, 1), max(line, 1), max(column, 1))
        return _unparsed(path, error.msg, where)
    except (ValueError, RecursionError, MemoryError) as error:
        return _unparsed(path, str(error) or "nested too deeply", Position())
    return Parsed(Source(path, text), tree)


def too_deep(path: str) -> Finding:
    """The finding for a file whose expressions are nested too deeply to be read."""
    return _unparsed(path, "nested too deeply", Position())


def _unparsed(path: str, reason: str, where: Position) -> Finding:
    import sys

    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Finding(
        NOT_PARSED,
        Place(path),
        f"{path} does not parse as Python {running} ({reason}); what it registers is unknown",
        where,
        hint="Mend the syntax, or run mcp-lockstep with the Python version that the file is written for.",
    )


def _end_of(node: Spanned) -> tuple[int, int]:
    """Line (from 1) and column (UTF-8 bytes from 0) of the end of `node`; its start where no end is known."""
    line = node.lineno if node.end_lineno is None else node.end_lineno
    return line, node.col_offset if node.end_col_offset is None else node.end_col_offset


def callee(node: ast.expr) -> ast.expr:
    """What `node` calls; `node` itself where it is no call, as a decorator may be."""
    return node.func if isinstance(node, ast.Call) else node


def dotted(node: ast.AST | None) -> str:
    """`a.b.c` for a name or an attribute chain of names, empty for everything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


def is_none(node: ast.expr) -> bool:
    """Whether `node` is the literal `None`."""
    return isinstance(node, ast.Constant) and node.value is None


def takes_none(annotation: ast.expr | None) -> bool:
    """Whether one of the types in `annotation` is `None`."""
    return any(map(is_none, members(annotation)))


def members(annotation: ast.expr | None) -> list[ast.expr]:
    """The types in `annotation`: those of a union each, out of quotes and `Annotated`; `None` of an `Optional`, too."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return [*members(annotation.left), *members(annotation.right)]
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return members(_expression(annotation.value))
    if isinstance(annotation, ast.Subscript) and (kind := last_name(annotation.value)) in WRAPPERS:
        parts = arguments_of(annotation)[: 1 if kind == "Annotated" else None]
        found = [member for part in parts for member in members(part)]
        return [*found, ast.Constant(None)] if kind == "Optional" else found
    return [] if annotation is None else [annotation]


def arguments_of(node: ast.Subscript) -> list[ast.expr]:
    """What stands in the brackets, one by one."""
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def last_name(node: ast.AST | None) -> str:
    """The last word of what `node` names: `Context` for `mcp.Context`, `"Context"` and `Context[X]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Constant(value=str(text)):
            return text.partition("[")[0].strip().rpartition(".")[2]
        case _:
            return ""

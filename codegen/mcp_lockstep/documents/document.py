"""The text of one file, its data, and, only when somebody asks, where each value stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property

from mcp_lockstep.documents import codes
from mcp_lockstep.documents.spans import Node, ScanError, Span, Spans, key_span, node_at, value_span
from mcp_lockstep.findings import Finding, Place, Position, Refused
from mcp_lockstep.records import NamedTuple

BOM = "\ufeff"


class Edit(NamedTuple):
    """Replace the code points `start` to `end` of the file at `path` by `text`; every other byte stays."""

    path: str
    start: int
    end: int
    text: str


class Document:
    """One file: `text` is `raw` decoded, nothing translated; BOM and CRLF stay, so slices are byte-exact.

    Offsets are code points of `text`; `body` is that of the first after a byte order mark. Raises Refused when `raw`
    is not UTF-8.
    """

    def __init__(self, path: str, raw: bytes) -> None:
        self.path = path
        self.raw = raw
        self.text = _decoded(path, raw)
        self.body = 1 if self.text.startswith(BOM) else 0

    @cached_property
    def data(self) -> object:
        """What the file says, parsed when first asked for. Raises Refused when it cannot be parsed."""
        raise NotImplementedError

    @cached_property
    def root(self) -> Node:
        """The spans as a tree. Raises Refused when the file cannot be parsed."""
        raise NotImplementedError

    @cached_property
    def spans(self) -> Mapping[str, Span]:
        """JSON pointer -> span of the value's token; made when first asked for, in one pass."""
        return Spans(self.root, value_span)

    @cached_property
    def key_spans(self) -> Mapping[str, Span]:
        """JSON pointer -> span of the key under which the value stands, quotes included."""
        return Spans(self.root, key_span)

    @cached_property
    def newline(self) -> str:
        """The line end that the file uses first; `\\n` where it has none."""
        return newline_of(self.text)

    def position(self, span: Span) -> Position:
        """Lines and columns of `span`, 1-based, in code points; a byte order mark has no column."""
        return Position(*self._line_column(span[0]), *self._line_column(span[1]))

    def place(self, pointer: str) -> Place:
        """The place of the value at `pointer`, in the spelling of this kind of file."""
        return Place(self.path, "#", pointer) if pointer else Place(self.path)

    def where(self, pointer: str) -> Position:
        """The position of the value at `pointer`; of what it would stand in where it is absent."""
        return self.position(self.nearest(pointer))

    def nearest(self, pointer: str) -> Span:
        """The span of the value at `pointer`, of its key, or of the closest container that has one."""
        while pointer:
            node = node_at(self.root, pointer)
            if node is not None and (span := node.span or node.key) is not None:
                return span
            pointer = pointer[: pointer.rfind("/")]
        return self.root.span or (self.body, self.body)

    def encode(self, value: object, span: Span) -> str:
        """`value` in the style of the token at `span`, which it is to replace.

        Raises Refused for what the format cannot hold, TypeError for a type that it does not know.
        """
        raise NotImplementedError

    def replace(self, pointer: str, value: object) -> Edit:
        """The edit that puts `value` in the place of the one at `pointer`. KeyError when there is none."""
        start, end = span = self.spans[pointer]
        return Edit(self.path, start, end, self.encode(value, span))

    def insert(self, pointer: str, value: object) -> Edit:
        """The edit that adds a key or an array item in the style of its neighbours.

        Missing containers on the way are made; `-` or the length of an array appends, another index
        inserts before it. ValueError when the key is there, or when a scalar stands in the way.
        """
        raise NotImplementedError

    def refused(self, fault: ScanError, reason: str, hint: str = "") -> Refused:
        """The exception for the user that says what `fault` found; `reason` follows the name of the file."""
        place = self.place(fault.pointer)
        subject = f"{place}" if fault.pointer else f"{self.path}{reason}"
        message = f"{subject}: expected {fault.want}, found {fault.have}"
        position = self.position(fault.span)
        return Refused(Finding(fault.code, place, message, position, fault.have, fault.want, hint))

    @cached_property
    def _lines(self) -> list[int]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def _line_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._lines, offset)
        start = max(self._lines[line - 1], self.body) if line == 1 else self._lines[line - 1]
        return line, max(offset - start, 0) + 1


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with every edit done; offsets are those of `text` itself. ValueError when two edits overlap.

    Edits at the same offset that remove nothing go in, in the order given.
    """
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not done <= edit.start <= edit.end <= len(text):
            raise ValueError(f"edits overlap or leave the text: {edit}")
        parts += (text[done : edit.start], edit.text)
        done = edit.end
    return "".join([*parts, text[done:]])


def cut(path: str, text: str, spans: Iterable[Span]) -> Edit:
    """One edit that removes every span and keeps what stands between them. ValueError without a span."""
    removed = sorted(spans)
    if not removed:
        raise ValueError("nothing to cut")
    start = done = removed[0][0]
    kept: list[str] = []
    for first, last in removed:
        kept.append(text[done:first] if first > done else "")
        done = max(done, last)
    return Edit(path, start, done, "".join(kept))


def _decoded(path: str, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start
    else:
        # UTF-16 without a byte order mark is valid UTF-8 as long as it is ASCII.
        if b"\0" not in raw[:4]:
            return text
        start = 0
    line_start = raw.rfind(b"\n", 0, start) + 1
    line = raw.count(b"\n", 0, start) + 1
    column = len(raw[line_start:start].decode("utf-8").removeprefix(BOM)) + 1
    found = _other_encoding(raw) or f"byte 0x{raw[start]:02x}"
    message = f"{path} is not UTF-8: expected UTF-8 text, found {found}"
    hint = "Save the file as UTF-8."
    position = Position(line, column, line, column + 1)
    raise Refused(Finding(codes.NOT_UTF8, Place(path), message, position, found, "UTF-8 text", hint))


def _other_encoding(raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "UTF-32 text"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:4]:
        return "UTF-16 text"
    return ""


def newline_of(text: str) -> str:
    """The line end that `text` has first; `\\n` where it has none."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def change(path: str, start: int, old: str, new: str) -> Edit:
    """The edit that makes `old`, which stands at `start`, read `new`, less what both begin and end with."""
    front = _common(old, new)
    back = _common(old[front:][::-1], new[front:][::-1])
    return Edit(path, start + front, start + len(old) - back, new[front : len(new) - back])


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))

"""One pass over JSON text: where every value stands, or what is wrong first. No recursion, linear time."""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from math import isinf

from mcp_lockstep.documents import codes
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.documents.spans import MAX_DEPTH, Node, ScanError, Span
from mcp_lockstep.records import NamedTuple

_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
_VALUE = re.compile(
    rf'[ \t\r\n]*+(?:({_STRING}")|([\[{{])|'
    r"(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)|(true|false|null))"
)
_KEY = re.compile(rf'[ \t\r\n]*+({_STRING}")[ \t\r\n]*+')
_AFTER = re.compile(r"[ \t\r\n]*+([,}\]])")
_SPACE = re.compile(r"[ \t\r\n]*+")
_PIECE = re.compile(rf"{_STRING}|'[^'\n]*+'|[-+.\w]+|//|/\*|.", re.DOTALL)
_HALVES = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)

_CLOSERS = {dict: "}", list: "]"}


class _Open(NamedTuple):
    """A container whose end is not reached: where it began, under which key, what it holds so far."""

    start: int
    key: Span | None
    name: str
    children: dict[str, Node] | list[Node]


def scan_json(text: str, start: int = 0) -> Node:
    """The tree of spans of `text` from offset `start` on. Raises ScanError when it is not JSON."""
    return _Scanner(text, start).run()


class _Scanner:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.pos = start
        self.key: Span | None = None
        self.name = ""
        self.stack: list[_Open] = []
        self.halves = _HALVES.search(text) is not None

    def run(self) -> Node:
        while True:
            node = self.value()
            while node is not None:
                if not self.stack:
                    self.end()
                    return node
                node = self.after(node)

    def value(self) -> Node | None:
        """The scalar or empty container at the position; None after the opening of a container."""
        match = _VALUE.match(self.text, self.pos)
        if match is None:
            raise self.fault("a value")
        kind = match.lastindex
        if kind == 2:
            return self.open(match[2], match.start(2))
        self.pos = match.end()
        span = match.span(kind or 0)
        if kind == 3:
            self.check_number(match[3], span)
        elif kind == 1 and self.halves and (half := _half(match[1], span[0])) is not None:
            raise self.half(half, self.pointer())
        return Node(span, self.key, None)

    def open(self, bracket: str, start: int) -> Node | None:
        if len(self.stack) >= MAX_DEPTH:
            have, want = f"level {MAX_DEPTH + 1}", f"at most {MAX_DEPTH} levels"
            raise ScanError(codes.NESTED_TOO_DEEP, (start, start + 1), have, want)
        children: dict[str, Node] | list[Node] = {} if bracket == "{" else []
        self.pos = start + 1
        match = _AFTER.match(self.text, self.pos)
        if match is not None and match[1] == _CLOSERS[type(children)]:
            self.pos = match.end()
            return Node((start, self.pos), self.key, children)
        self.stack.append(_Open(start, self.key, self.name, children))
        self.key = None
        if bracket == "{":
            self.member('a key in double quotes or "}"')
        return None

    def member(self, want: str) -> None:
        """Reads a key and its colon."""
        match = _KEY.match(self.text, self.pos)
        if match is None:
            raise self.fault(want)
        self.key = match.span(1)
        token = match[1]
        if self.halves and (half := _half(token, self.key[0])) is not None:
            raise self.half(half, make_pointer(self.holder()))
        self.name = json.loads(token) if "\\" in token else token[1:-1]
        if self.name in self.stack[-1].children:
            raise ScanError(codes.DUPLICATE_KEY, self.key, f"{token} again", "each key once", self.pointer())
        self.pos = match.end()
        if not self.text.startswith(":", self.pos):
            raise self.fault('":"')
        self.pos += 1

    def after(self, node: Node) -> Node | None:
        """Puts `node` into its container; the container itself if that ends here, else None."""
        top = self.stack[-1]
        if isinstance(top.children, dict):
            top.children[self.name] = node
        else:
            top.children.append(node)
        match = _AFTER.match(self.text, self.pos)
        closer = _CLOSERS[type(top.children)]
        if match is None or match[1] not in {",", closer}:
            raise self.fault(f'"," or "{closer}"')
        self.pos = match.end()
        if match[1] == ",":
            if closer == "}":
                self.member("a key in double quotes")
            return None
        self.stack.pop()
        self.key, self.name = top.key, top.name
        return Node((top.start, self.pos), top.key, top.children)

    def end(self) -> None:
        match = _SPACE.match(self.text, self.pos)
        if match is not None and match.end() != len(self.text):
            raise self.fault("the end of the file")

    def check_number(self, token: str, span: Span) -> None:
        if len(token) < 300 and "e" not in token and "E" not in token:
            return
        digits = token.removeprefix("-")
        limit = sys.get_int_max_str_digits()
        if digits.isdigit():
            if 0 < limit < len(digits):
                have, want = f"an integer of {len(digits)} digits", f"at most {limit} digits"
                raise ScanError(codes.NUMBER_OUT_OF_RANGE, span, have, want, self.pointer())
        elif isinf(float(token)):
            have = token if len(token) <= 40 else "a float beyond 1.8e308"
            raise ScanError(codes.NUMBER_OUT_OF_RANGE, span, have, "a finite number", self.pointer())

    def half(self, span: Span, pointer: str) -> ScanError:
        return ScanError(codes.LONE_SURROGATE, span, self.text[slice(*span)], "a whole character", pointer)

    def pointer(self) -> str:
        """Where the value or key at the position stands; only faults ask."""
        return make_pointer([*self.holder(), *[_part(top, self.name) for top in self.stack[-1:]]])

    def holder(self) -> list[str | int]:
        """The way to the container at the position."""
        return [_part(outer, inner.name) for outer, inner in pairwise(self.stack)]

    def fault(self, want: str) -> ScanError:
        """What stands at the position instead of `want`."""
        space = _SPACE.match(self.text, self.pos)
        start = space.end() if space is not None else self.pos
        match = _PIECE.match(self.text, start)
        if match is None:
            return ScanError(codes.NOT_JSON, (start, start), "the end of the file", want)
        span, token = match.span(), match[0]
        if token[0] == '"':
            return self.string_fault(span, want)
        if token.lstrip("+-") in {"NaN", "Infinity"} and want == "a value":
            return ScanError(codes.NUMBER_NOT_JSON, span, token, "a finite number or null", self.pointer())
        return ScanError(codes.NOT_JSON, span, _shown(token), want)

    def string_fault(self, span: Span, want: str) -> ScanError:
        """What is wrong with a string, which may only be that it stands there."""
        end = span[1]
        here = self.text[end : end + 1]
        if here == '"':
            return ScanError(codes.NOT_JSON, (span[0], end + 1), _shown(self.text[span[0] : end + 1]), want)
        if not here:
            return ScanError(
                codes.NOT_JSON, (end, end), "the end of the file", "the closing quote of a string"
            )
        if here == "\\":
            escape = self.text[end : end + (6 if self.text[end + 1 : end + 2] == "u" else 2)]
            return ScanError(codes.NOT_JSON, (end, end + 1), _shown(escape), "an escape that JSON has")
        want = "the closing quote of a string" if here in "\r\n" else "an escape such as \\t"
        return ScanError(codes.NOT_JSON, (end, end + 1), _shown(here), want)


def _part(container: _Open, name: str) -> str | int:
    return name if isinstance(container.children, dict) else len(container.children)


def _half(token: str, start: int) -> Span | None:
    """The span of the first escape in a string that is half of a surrogate pair."""
    for match in _ESCAPE.finditer(token):
        if match[1]:
            return start + match.start(), start + match.end()
    return None


def _shown(token: str) -> str:
    """A piece of the file, short and on one line."""
    names = {"\n": "a line end", "\r": "a line end", "\t": "a tab"}
    if token in names:
        return names[token]
    short = token if len(token) <= 40 else f"{token[:39]}…"
    return short if short.isprintable() else ascii(short)[1:-1]

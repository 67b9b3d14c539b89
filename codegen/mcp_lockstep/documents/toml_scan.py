"""One pass over TOML text: where every key, value and table stands. tomli judges; this only locates."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mcp_lockstep.documents import codes
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.documents.spans import MAX_DEPTH, Node, ScanError, Span
from mcp_lockstep.documents.toml_text import KEY_PART, toml_unquoted
from mcp_lockstep.records import NamedTuple

_BASIC = r'"(?:[^"\\\r\n]++|\\.)*+"'
_LITERAL = r"'[^'\r\n]*+'"
_PART = re.compile(KEY_PART)
_DOT = re.compile(r"[ \t]*+\.[ \t]*+")
_BLANK = re.compile(r"[ \t]*+")
_GAP = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_EQUALS = re.compile(r"[ \t]*+=[ \t]*+")
_SCALAR = re.compile(
    r'"""(?:[^"\\]++|\\.|(?!""")")*+"{3,5}'
    r"|'''(?:[^']++|(?!''')')*+'{3,5}"
    rf"|{_BASIC}|{_LITERAL}"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[-+:.0-9Zz]++"
    r"|[^\s,\]\[{}#=\"']++",
    re.DOTALL,
)


class Statement(NamedTuple):
    """One `key = value` line: the whole path from the root, the span of the key as written, the value."""

    path: tuple[str, ...]
    key: Span
    value: Span


class Section(NamedTuple):
    """A header with its lines; `path` holds the indices of arrays of tables. The first one has no header."""

    path: tuple[str, ...]
    header: Span
    statements: list[Statement]


class Scan(NamedTuple):
    """The tree of spans and the sections in the order of the file."""

    root: Node
    sections: list[Section]


class _Open(NamedTuple):
    """A container whose end is not reached: where it began, its node, its path from the root."""

    start: int
    node: Node
    path: tuple[str, ...]


def scan_toml(text: str, start: int = 0) -> Scan:
    """Where everything in `text` stands from offset `start` on. Raises ScanError for what is not TOML."""
    return _Scanner(text, start).run()


class _Scanner:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.pos = start
        self.root = Node(None, None, {})
        self.table = self.root
        self.sections = [Section((), (start, start), [])]
        self.headers: set[tuple[str, ...]] = set()
        self.stack: list[_Open] = []

    def run(self) -> Scan:
        while True:
            self.skip(_GAP)
            if self.pos >= len(self.text):
                return Scan(self.root, self.sections)
            if self.text.startswith("[", self.pos):
                self.header()
            else:
                self.statement()

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.pos)
        if match is not None:
            self.pos = match.end()

    def header(self) -> None:
        start = self.pos
        brackets = "[[" if self.text.startswith("[[", start) else "["
        self.pos += len(brackets)
        self.skip(_BLANK)
        keys = self.keys()
        self.skip(_BLANK)
        self.want("]" * len(brackets))
        path: list[str] = []
        node = self.root
        for name, span in keys[:-1]:
            path.append(name)
            node = self.inside(node, name, span)
            if isinstance(node.children, list):
                node = self.last(node, path, span)
        node = self.opened(node, path, keys[-1], brackets)
        self.table = node
        self.sections.append(Section(tuple(path), (start, self.pos), []))

    def last(self, node: Node, path: list[str], span: Span) -> Node:
        if not isinstance(node.children, list) or not node.children or node.span is not None:
            raise ScanError(codes.NOT_TOML, span, "a key of a value", "a table")
        path.append(str(len(node.children) - 1))
        return node.children[-1]

    def opened(self, node: Node, path: list[str], key: tuple[str, Span], brackets: str) -> Node:
        """The table of a header, which is the last of `path` then."""
        name, span = key
        path.append(name)
        if brackets == "[":
            if tuple(path) in self.headers:
                raise self.twice(span, path)
            self.headers.add(tuple(path))
            return self.inside(node, name, span)
        array = self.member(node, name)
        if array is None:
            array = self.put(node, name, Node(None, span, []))
        if not isinstance(array.children, list) or array.span is not None:
            raise self.twice(span, path)
        path.append(str(len(array.children)))
        array.children.append(Node(None, span, {}))
        return array.children[-1]

    def statement(self) -> None:
        section = self.sections[-1]
        keys = self.keys()
        self.skip_equals()
        node = self.value(self.table, keys)
        path = (*section.path, *[name for name, _ in keys])
        section.statements.append(Statement(path, node.key or (0, 0), node.span or (0, 0)))
        self.skip(_BLANK)
        if self.pos < len(self.text) and self.text[self.pos] not in "#\r\n":
            raise ScanError(
                codes.NOT_TOML, (self.pos, self.pos + 1), self.text[self.pos], "the end of the line"
            )

    def skip_equals(self) -> None:
        match = _EQUALS.match(self.text, self.pos)
        if match is None:
            raise ScanError(codes.NOT_TOML, (self.pos, self.pos), self.text[self.pos : self.pos + 1], '"="')
        self.pos = match.end()

    def keys(self) -> tuple[tuple[str, Span], ...]:
        found: list[tuple[str, Span]] = []
        while True:
            match = _PART.match(self.text, self.pos)
            if match is None:
                raise ScanError(
                    codes.NOT_TOML, (self.pos, self.pos), self.text[self.pos : self.pos + 1], "a key"
                )
            found.append((toml_unquoted(match[0]), match.span()))
            self.pos = match.end()
            dot = _DOT.match(self.text, self.pos)
            if dot is None:
                return tuple(found)
            if len(found) >= MAX_DEPTH:
                raise _too_deep(match.span())
            self.pos = dot.end()

    def want(self, token: str) -> None:
        if not self.text.startswith(token, self.pos):
            here = self.text[self.pos : self.pos + 1]
            raise ScanError(codes.NOT_TOML, (self.pos, self.pos + len(here)), here, f'"{token}"')
        self.pos += len(token)

    def inside(self, node: Node, name: str, span: Span) -> Node:
        """The table `name` in `node`, made where it is only implied."""
        child = self.member(node, name)
        return child if child is not None else self.put(node, name, Node(None, span, {}))

    def member(self, node: Node, name: str) -> Node | None:
        return node.children.get(name) if isinstance(node.children, dict) else None

    def put(self, node: Node, name: str, child: Node) -> Node:
        if not isinstance(node.children, dict):
            span = child.key or (0, 0)
            raise ScanError(codes.NOT_TOML, span, "a key of a value", "a key of a table")
        node.children[name] = child
        return child

    def value(self, table: Node, keys: tuple[tuple[str, Span], ...]) -> Node:
        """Reads the value of `keys` in `table`, whatever it holds, without recursion."""
        done = self.scalar_or_open(table, keys)
        while done is None or self.stack:
            if done is not None:
                self.skip(_GAP)
                if self.text.startswith(",", self.pos):
                    self.pos += 1
            done = self.next_item()
        return done

    def next_item(self) -> Node | None:
        """The next scalar in the open container, or the container when it ends; None when one opens."""
        self.skip(_GAP)
        top = self.stack[-1]
        closer = "]" if isinstance(top.node.children, list) else "}"
        if self.text.startswith(closer, self.pos):
            self.pos += 1
            self.stack.pop()
            top.node.span = (top.start, self.pos)
            return top.node
        if closer == "]":
            return self.scalar_or_open(top.node, ())
        keys = self.keys()
        self.skip_equals()
        return self.scalar_or_open(top.node, keys)

    def scalar_or_open(self, holder: Node, keys: tuple[tuple[str, Span], ...]) -> Node | None:
        start = self.pos
        bracket = self.text[start : start + 1]
        if bracket in {"[", "{"}:
            if len(self.stack) >= MAX_DEPTH:
                raise _too_deep((start, start + 1))
            self.pos += 1
            node = self.attach(holder, keys, Node((start, start + 1), None, [] if bracket == "[" else {}))
            self.stack.append(_Open(start, node, self.way(keys)))
            return None
        match = _SCALAR.match(self.text, start)
        if match is None:
            raise ScanError(codes.NOT_TOML, (start, start + len(bracket)), bracket, "a value")
        self.pos = match.end()
        return self.attach(holder, keys, Node(match.span(), None, None))

    def attach(self, holder: Node, keys: tuple[tuple[str, Span], ...], node: Node) -> Node:
        """Puts `node` under its keys, or at the end of an array where it has none."""
        if isinstance(holder.children, list):
            holder.children.append(node)
            return node
        for name, span in keys[:-1]:
            holder = self.inside(holder, name, span)
        name, span = keys[-1]
        node.key = (keys[0][1][0], span[1])
        if self.member(holder, name) is not None:
            raise self.twice(node.key, self.way(keys))
        return self.put(holder, name, node)

    def way(self, keys: tuple[tuple[str, Span], ...]) -> tuple[str, ...]:
        """The path from the root to what stands under `keys` at the position; only containers need it."""
        outer = self.stack[-1].path if self.stack else self.sections[-1].path
        if not keys:
            return (*outer, str(len(self.stack[-1].node.children or ()) - 1))
        return (*outer, *[name for name, _ in keys])

    def twice(self, span: Span, path: Iterable[str]) -> ScanError:
        have = f"{self.text[slice(*span)]} again"
        return ScanError(codes.DUPLICATE_KEY, span, have, "each key once", make_pointer(path))


def _too_deep(span: Span) -> ScanError:
    have, want = f"level {MAX_DEPTH + 1}", f"at most {MAX_DEPTH} levels"
    return ScanError(codes.NESTED_TOO_DEEP, span, have, want)

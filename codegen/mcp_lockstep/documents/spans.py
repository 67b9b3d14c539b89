"""Where the values of a JSON or TOML file stand: a tree of nodes, looked at through JSON pointers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from mcp_lockstep.documents.pointer import array_index, escape_part, pointer_parts
from mcp_lockstep.findings import Code

Span = tuple[int, int]
"""Start and end (exclusive) in code points of `Document.text`."""

MAX_DEPTH = 200
"""Arrays and objects inside of each other; deeper input is refused, so that code may recurse over data."""


class Node:
    """One value: the span of its token (None: a TOML table has none), of its key, and what it holds."""

    __slots__ = ("children", "key", "span")

    def __init__(
        self, span: Span | None, key: Span | None, children: dict[str, Node] | list[Node] | None
    ) -> None:
        self.span = span
        self.key = key
        self.children = children

    @property
    def extent(self) -> Span:
        """From the key, if there is one, to the end of the value."""
        first, last = self.key or self.span or (0, 0), self.span or self.key or (0, 0)
        return first[0], last[1]

    def child(self, part: str) -> Node | None:
        """The node under one key or index."""
        if isinstance(self.children, dict):
            return self.children.get(part)
        if self.children is None:
            return None
        index = array_index(part, len(self.children))
        return None if index is None else self.children[index]

    def items(self) -> Iterator[tuple[str, Node]]:
        """Every child with its key or index, in the order of the file."""
        if isinstance(self.children, dict):
            yield from self.children.items()
        elif self.children is not None:
            yield from ((str(index), node) for index, node in enumerate(self.children))

    def leaves(self) -> Iterator[Node]:
        """The nodes with a token of their own: itself, or those below where it is only implied by keys."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            if node.span is not None:
                yield node
            else:
                stack += reversed([child for _, child in node.items()])


class ScanError(Exception):
    """The first thing wrong with a text: of what kind, where, what is there, what is wanted."""

    def __init__(self, code: Code, span: Span, have: str, want: str, pointer: str = "") -> None:
        super().__init__(have)
        self.code = code
        self.span = span
        self.have = have
        self.want = want
        self.pointer = pointer


def node_at(root: Node, pointer: str) -> Node | None:
    """The node at `pointer`, if the file has it."""
    node: Node | None = root
    for part in pointer_parts(pointer):
        node = node.child(part) if node is not None else None
    return node


def new_index(node: Node, part: str) -> int | None:
    """Where a new item called `part` goes in an array (`-`: at the end); None when it cannot go there."""
    if not isinstance(node.children, list):
        return None
    return len(node.children) if part == "-" else array_index(part, len(node.children) + 1)


def present(root: Node, parts: tuple[str, ...]) -> int:
    """How many of `parts`, from the root down, the file has."""
    node = root
    for depth, part in enumerate(parts):
        child = node.child(part)
        if child is None:
            return depth
        node = child
    return len(parts)


class Spans(Mapping[str, Span]):
    """Pointer -> span, read off a tree of nodes: a long key with many children costs nothing extra."""

    def __init__(self, root: Node, pick: Callable[[Node], Span | None]) -> None:
        self._root = root
        self._pick = pick

    def __getitem__(self, pointer: str) -> Span:
        node = node_at(self._root, pointer)
        span = self._pick(node) if node is not None else None
        if span is None:
            raise KeyError(pointer)
        return span

    def __iter__(self) -> Iterator[str]:
        stack: list[tuple[str, Node]] = [("", self._root)]
        while stack:
            pointer, node = stack.pop()
            if self._pick(node) is not None:
                yield pointer
            stack += reversed([(f"{pointer}/{escape_part(part)}", child) for part, child in node.items()])

    def __len__(self) -> int:
        return sum(1 for _ in self)


def value_span(node: Node) -> Span | None:
    """Where the value stands."""
    return node.span


def key_span(node: Node) -> Span | None:
    """Where its key stands."""
    return node.key


def deeper_than(data: object, limit: int) -> bool:
    """Whether containers are nested deeper than `limit`; level by level, so no input makes it recurse."""
    level = [data]
    for _ in range(limit):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, _CONTAINERS)]
        if not level:
            return False
    return isinstance(data, _CONTAINERS)


_CONTAINERS = (dict, list)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()

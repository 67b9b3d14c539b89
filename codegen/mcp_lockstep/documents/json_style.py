"""JSON text in the style of what stands around it: indent, line ends, spacing, escapes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import cast

from mcp_lockstep.documents import codes
from mcp_lockstep.documents.document import Document
from mcp_lockstep.documents.layout import Fill
from mcp_lockstep.documents.spans import Node, Span
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.records import NamedTuple

_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[01])[0-9a-fA-F]{4}")
_BEFORE_VALUE = re.compile(r'[ \t]*+(?:"(?:[^"\\]|\\.)*+"[ \t]*+:[ \t]*+)?')
_LINE_INDENT = re.compile(r"[ \t]*+")


class Habits(NamedTuple):
    """How a file writes: `indent` of one level (empty: everything on one line), colon and comma with their
    spaces, `newline`, whether arrays of scalars stay on one line, whether non-ASCII and `/` are escaped."""

    indent: str
    colon: str
    comma: str
    newline: str
    short_arrays: bool
    escapes: bool
    slashes: bool


def habits_of(document: Document) -> Habits:
    """The habits of a whole file, read off the first spots that show them."""
    text = document.text
    nodes = [*_containers(document.root)]
    indent = next((found for node in nodes if (found := _indent_step(text, node))), "")
    if not indent and not any(node.children for node in nodes):
        indent = "  "
    colon = next((found for node in nodes if (found := _colon(text, node))), ": ")
    spaced = "," + colon[colon.find(":") + 1 :]
    comma = next((found for node in nodes if (found := _comma(text, node))), spaced)
    short = any(_is_short_array(text, node) for node in nodes)
    escapes = text.isascii() and _ESCAPED.search(text) is not None
    return Habits(indent, colon, comma, document.newline, short, escapes, "\\/" in text)


def _containers(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.children is not None:
            yield node
            stack += reversed([child for _, child in node.items() if child.children is not None])


def _first(node: Node) -> Node | None:
    return next((child for _, child in node.items()), None)


def _start(node: Node) -> int:
    return node.extent[0]


def _line_indent(text: str, offset: int) -> str:
    """The white space that begins the line of `offset`."""
    match = _LINE_INDENT.match(text, text.rfind("\n", 0, offset) + 1)
    return match[0] if match is not None else ""


def _indent_step(text: str, node: Node) -> str:
    """How much further in the first item of a container stands; empty when it does not begin its line."""
    child = _first(node)
    if child is None:
        return ""
    start, outside = _start(child), node.span[0] if node.span is not None else 0
    line_start = text.rfind("\n", outside, start) + 1
    if not line_start:
        return ""
    own, outer = text[line_start:start], _line_indent(text, _start(node))
    return own.removeprefix(outer) if not own.strip() and own.startswith(outer) else ""


def _colon(text: str, node: Node) -> str:
    child = _first(node)
    if child is None or child.key is None or child.span is None:
        return ""
    colon = text[child.key[1] : child.span[0]]
    return colon if "\n" not in colon else ""


def _comma(text: str, node: Node) -> str:
    two = [child for _, child in zip(range(2), (child for _, child in node.items()), strict=False)]
    if len(two) < 2 or two[0].span is None:
        return ""
    gap = text[two[0].span[1] : _start(two[1])]
    return "," + gap.partition(",")[2] if "\n" not in gap else ""


def _is_short_array(text: str, node: Node) -> bool:
    if not isinstance(node.children, list) or not node.children or node.span is None:
        return False
    return all(child.children is None for child in node.children) and "\n" not in text[slice(*node.span)]


def encode_like(document: Document, habits: Habits, value: object, span: Span) -> str:
    """`value` in the style of the token at `span`."""
    token = document.text[slice(*span)]
    filled = token[:1] in {"{", "["} and token[1:-1].strip() != ""
    before = document.text[document.text.rfind("\n", 0, span[0]) + 1 : span[0]]
    one_line = "\n" not in token if filled else _BEFORE_VALUE.fullmatch(before) is None
    style = habits._replace(
        indent="" if one_line else habits.indent,
        short_arrays=habits.short_arrays and not (filled and token[0] == "["),
        escapes=token.isascii() and (habits.escapes or _ESCAPED.search(token) is not None),
        slashes="\\/" in token or (habits.slashes and "/" not in token),
    )
    return _Writer(document.path, style).write(value, _line_indent(document.text, span[0]))


def item_text(document: Document, habits: Habits, node: Node, key: str, value: object) -> str:
    """A new item of the container `node`: the value, in an object behind its key."""
    text = document.text
    siblings = [child for _, child in node.items()]
    own_line = not siblings or _begins_line(text, siblings[-1])
    style = habits if own_line else habits._replace(indent="")
    if siblings and own_line and (like := _alike(text, siblings, value)) is not None:
        short = style.short_arrays and not _is_list(value)
        style = style._replace(indent="" if like else style.indent, short_arrays=short)
    indent = _line_indent(text, _start(siblings[-1]) if siblings else _start(node))
    if not siblings:
        indent += habits.indent
    writer = _Writer(document.path, style)
    written = writer.write(value, indent)
    if isinstance(node.children, list):
        return written
    colon = (_colon_of(text, siblings[-1]) if siblings else "") or habits.colon
    return f"{writer.string(key)}{colon}{written}"


def _begins_line(text: str, node: Node) -> bool:
    start = _start(node)
    line_start = text.rfind("\n", 0, start) + 1
    return line_start > 0 and not text[line_start:start].strip()


def _colon_of(text: str, node: Node) -> str:
    colon = text[node.key[1] : node.span[0]] if node.key is not None and node.span is not None else ""
    return colon if "\n" not in colon else ""


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _alike(text: str, siblings: list[Node], value: object) -> bool | None:
    """Whether the last filled sibling of the same kind stands on one line; None without one."""
    for node in reversed(siblings):
        if node.children and node.span is not None and isinstance(value, type(node.children)):
            return "\n" not in text[slice(*node.span)]
    return None


def fill_for(document: Document, habits: Habits, node: Node) -> Fill:
    """How to write into the brackets of `node` while they are empty."""
    if not habits.indent:
        return Fill("", habits.comma[1:], "")
    outer = _line_indent(document.text, _start(node))
    line = f"{habits.newline}{outer}"
    return Fill(line + habits.indent, habits.comma[1:], line)


class _Writer:
    """Values as JSON text in one style."""

    def __init__(self, path: str, habits: Habits) -> None:
        self.path = path
        self.habits = habits

    def write(self, value: object, indent: str) -> str:
        deeper = indent + self.habits.indent
        if isinstance(value, dict):
            members = cast("dict[object, object]", value).items()
            items = [f"{self.string(key)}{self.habits.colon}{self.write(v, deeper)}" for key, v in members]
            return self._brackets("{}", items, indent, self.habits.indent == "")
        if isinstance(value, list | tuple):
            values = cast("list[object]", value)
            flat = self.habits.short_arrays and not any(isinstance(v, dict | list | tuple) for v in values)
            items = [self.write(v, deeper) for v in values]
            return self._brackets("[]", items, indent, flat or self.habits.indent == "")
        return self._scalar(value)

    def string(self, value: object) -> str:
        if not isinstance(value, str):
            raise TypeError(f"a JSON key is a string, not {value!r}")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise self._refused(codes.LONE_SURROGATE, ascii(value), "whole characters")
        text = json.dumps(value, ensure_ascii=self.habits.escapes)
        return text.replace("/", "\\/") if self.habits.slashes else text

    def _scalar(self, value: object) -> str:
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, float) and not isfinite(value):
            raise self._refused(codes.NUMBER_NOT_JSON, str(value), "a finite number")
        return json.dumps(value)

    def _brackets(self, pair: str, items: list[str], indent: str, one_line: bool) -> str:
        if one_line or not items:
            return f"{pair[0]}{self.habits.comma.join(items)}{pair[1]}"
        line = self.habits.newline + indent
        inner = f",{line}{self.habits.indent}".join(items)
        return f"{pair[0]}{line}{self.habits.indent}{inner}{line}{pair[1]}"

    def _refused(self, code: Code, have: str, want: str) -> Refused:
        message = f"{self.path}: {have} cannot be written as JSON, {want} is wanted"
        return Refused(Finding(code, Place(self.path), message, have=have, want=want))

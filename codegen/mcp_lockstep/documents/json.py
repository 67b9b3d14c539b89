"""JSON files: data by the C scanner, spans on demand, edits that leave every other byte alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING

from mcp_lockstep.documents import codes
from mcp_lockstep.documents.document import Document, Edit
from mcp_lockstep.documents.pointer import make_pointer, pointer_parts, split_pointer
from mcp_lockstep.documents.spans import (
    MAX_DEPTH,
    Node,
    ScanError,
    Span,
    deeper_than,
    new_index,
    node_at,
    present,
)
from mcp_lockstep.findings import Refused

if TYPE_CHECKING:
    from mcp_lockstep.documents.json_style import Habits
    from mcp_lockstep.documents.layout import Items


class JsonDocument(Document):
    """A JSON file. Duplicate keys, NaN, infinite numbers, half surrogate pairs, great depth are refused."""

    @cached_property
    def data(self) -> object:
        text = self.text[self.body :] if self.body else self.text
        try:
            data: object = _DECODER.decode(text)
        except (ValueError, RecursionError) as error:
            raise self._diagnosed(error) from None
        if _may_hold_half_a_pair(text):
            self._scanned()
        if text.count("[") + text.count("{") > MAX_DEPTH and deeper_than(data, MAX_DEPTH):
            self._scanned()
        return data

    @cached_property
    def root(self) -> Node:
        return self._scanned()

    @cached_property
    def habits(self) -> Habits:
        """How this file writes JSON."""
        from mcp_lockstep.documents.json_style import habits_of

        return habits_of(self)

    def encode(self, value: object, span: Span) -> str:
        from mcp_lockstep.documents.json_style import encode_like

        return encode_like(self, self.habits, value, span)

    def insert(self, pointer: str, value: object) -> Edit:
        from mcp_lockstep.documents.json_style import fill_for, item_text
        from mcp_lockstep.documents.layout import add_item

        parent, key, value = self._slot(pointer, value)
        node = node_at(self.root, parent)
        if node is None or node.children is None:
            raise ValueError(f"{self.path}#{parent} holds no values")
        index = len(node.children) if isinstance(node.children, dict) else new_index(node, key)
        if index is None:
            raise ValueError(f"{self.path}#{parent} has no place for {key!r}")
        text = item_text(self, self.habits, node, key, value)
        return add_item(self.items(node), index, text, fill_for(self, self.habits, node))

    def delete(self, pointers: Iterable[str]) -> list[Edit]:
        """The edits that remove keys and items with their separators, one for each object or array.

        KeyError when one is not there, ValueError for the document itself.
        """
        from mcp_lockstep.documents.layout import remove_items

        doomed: dict[str, set[int]] = {}
        for pointer in pointers:
            parent, _ = split_pointer(pointer)
            target, node = node_at(self.root, pointer), node_at(self.root, parent)
            if target is None or node is None:
                raise KeyError(pointer)
            siblings = [child for _, child in node.items()]
            doomed.setdefault(parent, set()).add(siblings.index(target))
        holders = ((node_at(self.root, parent), indices) for parent, indices in doomed.items())
        return [remove_items(self.items(node), frozenset(gone)) for node, gone in holders if node is not None]

    def items(self, node: Node) -> Items:
        """What stands between the brackets of an object or array."""
        from mcp_lockstep.documents.layout import Items

        start, end = node.span or (0, 0)
        return Items(self.path, self.text, start + 1, end - 1, tuple([c.extent for _, c in node.items()]))

    def _slot(self, pointer: str, value: object) -> tuple[str, str, object]:
        """The container that exists, the key in it, and `value` inside of the objects that are missing."""
        parts = pointer_parts(pointer)
        depth = present(self.root, parts)
        if depth == len(parts):
            if not parts or not isinstance(self._parent(parts).children, list):
                raise ValueError(f"{self.path}#{pointer} is there already")
            depth -= 1
        for part in reversed(parts[depth + 1 :]):
            value = {part: value}
        return make_pointer(parts[:depth]), parts[depth], value

    def _parent(self, parts: tuple[str, ...]) -> Node:
        return node_at(self.root, make_pointer(parts[:-1])) or self.root

    def _scanned(self) -> Node:
        from mcp_lockstep.documents.json_scan import scan_json

        try:
            return scan_json(self.text, self.body)
        except ScanError as fault:
            raise self._refused(fault) from None

    def _diagnosed(self, error: Exception) -> Refused:
        """What the fast reader stumbled over, with its place."""
        try:
            self._scanned()
        except Refused as refused:
            return refused
        code = codes.NESTED_TOO_DEEP if isinstance(error, RecursionError) else codes.NOT_JSON
        return self._refused(ScanError(code, (self.body, self.body), str(error), "JSON"))

    def _refused(self, fault: ScanError) -> Refused:
        return self.refused(fault, " is not JSON" if fault.code is codes.NOT_JSON else "", _hint(fault))


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("duplicate key")
    return read


def _float(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError("not finite")
    return value


def _constant(name: str) -> object:
    raise ValueError(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)


def _may_hold_half_a_pair(text: str) -> bool:
    return "\\u" in text and ("\\ud" in text or "\\uD" in text)


def _hint(fault: ScanError) -> str:
    if fault.code is codes.DUPLICATE_KEY:
        return "Remove one of the two."
    if fault.code is not codes.NOT_JSON:
        return ""
    starts = {
        "'": "JSON strings stand in double quotes.",
        "//": "JSON has no comments.",
        "/*": "JSON has no comments.",
        "#": "JSON has no comments.",
        "True": "JSON writes true.",
        "False": "JSON writes false.",
        "None": "JSON writes null.",
    }
    if fault.have in {"}", "]"} and fault.want in {"a value", "a key in double quotes"}:
        return "Remove the comma before it."
    return next((hint for start, hint in starts.items() if fault.have.startswith(start)), "")

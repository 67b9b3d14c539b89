"""TOML files: data by tomli, spans on demand, edits that keep comments, order and every other byte."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING

from mcp_lockstep.documents import codes
from mcp_lockstep.documents.document import Document, Edit
from mcp_lockstep.documents.pointer import make_pointer, pointer_parts
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
from mcp_lockstep.documents.toml_text import (
    as_list,
    as_table,
    toml_address,
    toml_entry,
    toml_key,
    toml_literal_like,
    toml_tables,
    toml_value,
)
from mcp_lockstep.findings import Finding, Place, Position, Refused

if TYPE_CHECKING:
    from tomli import TOMLDecodeError

    from mcp_lockstep.documents.layout import Items
    from mcp_lockstep.documents.toml_scan import Scan, Section


class TomlDocument(Document):
    """A TOML file. Pointers go through tables and arrays of tables alike: `/tool/x/0/y`.

    A table that has only headers has no value span; its key span is the key in the first header.
    """

    @cached_property
    def data(self) -> object:
        import tomli

        text = self.text[self.body :]
        try:
            data: dict[str, object] = tomli.loads(text, parse_float=_float)
        except tomli.TOMLDecodeError as error:
            raise self._not_toml(error) from None
        except (ValueError, RecursionError) as error:
            raise self._diagnosed(error) from None
        if deeper_than(data, MAX_DEPTH):
            raise self._diagnosed(RecursionError())
        return data

    @cached_property
    def scan(self) -> Scan:
        """Spans and sections. Raises Refused when the file is not TOML."""
        from mcp_lockstep.documents.toml_scan import scan_toml

        _ = self.data
        try:
            return scan_toml(self.text, self.body)
        except ScanError as fault:
            raise self.refused(fault, " is not TOML") from None

    @cached_property
    def root(self) -> Node:
        return self.scan.root

    def place(self, pointer: str) -> Place:
        return Place(self.path, ":", toml_address(pointer)) if pointer else Place(self.path)

    def encode(self, value: object, span: Span) -> str:
        token = self.text[slice(*span)]
        try:
            if isinstance(value, str):
                return toml_literal_like(token, value, self.newline)
            items = as_list(value)
            if items and token.startswith("[") and "\n" in token:
                return self._tall_array(items, token)
            return toml_value(value)
        except UnicodeError:
            raise self._unwritable() from None

    def insert(self, pointer: str, value: object) -> Edit:
        parts = pointer_parts(pointer)
        depth = present(self.root, parts)
        if depth == len(parts):
            depth = self._existing_item(parts)
        for part in reversed(parts[depth + 1 :]):
            value = {part: value}
        try:
            for upper in range(depth, 0, -1):
                holder = node_at(self.root, make_pointer(parts[:upper]))
                if holder is not None and holder.span is not None:
                    return self._insert_inline(holder, parts[upper : depth + 1], value)
            return self._insert_in_table(parts[:depth], parts[depth], value)
        except UnicodeError:
            raise self._unwritable() from None

    def _existing_item(self, parts: tuple[str, ...]) -> int:
        holder = node_at(self.root, make_pointer(parts[:-1]))
        if not parts or holder is None or holder.span is None or not isinstance(holder.children, list):
            raise ValueError(f"{self.path}:{toml_address(make_pointer(parts))} is there already")
        return len(parts) - 1

    def _insert_inline(self, node: Node, keys: tuple[str, ...], value: object) -> Edit:
        from mcp_lockstep.documents.layout import Fill, add_item

        items = self._items(node)
        if isinstance(node.children, dict):
            text = f"{'.'.join([toml_key(key) for key in keys])} = {toml_value(value)}"
            return add_item(items, len(items.spans), text, Fill(" ", " ", " "))
        index = new_index(node, keys[0])
        if index is None:
            raise ValueError(f"{self.path} has no place for {keys[0]!r} there")
        return add_item(items, index, toml_value(value), Fill("", " ", ""))

    def _insert_in_table(self, path: tuple[str, ...], key: str, value: object) -> Edit:
        node = node_at(self.root, make_pointer(path)) or self.root
        table = as_table(value)
        if isinstance(node.children, list):
            if key not in {"-", str(len(node.children))} or table is None:
                raise ValueError(f"{self.path}:{toml_address(make_pointer(path))} takes tables, at its end")
            return self._insert_section(path, toml_entry(self._names(path), table))
        section = next((found for found in self.scan.sections if found.path == path), None)
        dotted = section is None and self._dotted(path) is not None
        if table is not None and not dotted:
            return self._insert_section(path, toml_tables((*self._names(path), key), table))
        if section is None and not dotted:
            return self._insert_section(path, toml_tables(self._names(path), {key: value}))
        return self._insert_line(section, path, key, value)

    def _names(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """`path` as headers write it: without indices, since a header means the item last begun above it."""
        names: list[str] = []
        node: Node | None = self.root
        for part in path:
            if node is None or isinstance(node.children, dict):
                names.append(part)
            node = node.child(part) if node is not None else None
        return tuple(names)

    def _dotted(self, path: tuple[str, ...]) -> Section | None:
        """The section that makes the table at `path` by dotted keys."""
        for section in self.scan.sections:
            if len(section.path) < len(path) and any(
                statement.path[: len(path)] == path for statement in section.statements
            ):
                return section
        return None

    def _insert_line(self, section: Section | None, path: tuple[str, ...], key: str, value: object) -> Edit:
        home = section or self._dotted(path) or self.scan.sections[0]
        near = [each for each in home.statements if each.path[: len(path)] == path]
        names = [*path[len(home.path) :], key]
        equals = self.text[near[-1].key[1] : near[-1].value[0]] if near else " = "
        equals = equals if equals in {"=", " = "} else " = "
        line = f"{'.'.join([toml_key(name) for name in names])}{equals}{toml_value(value)}"
        if near:
            start = near[-1].key[0]
            indent = self.text[self.text.rfind("\n", 0, start) + 1 : start]
            at = self._line_end(near[-1].value[1])
            return Edit(self.path, at, at, f"{self.newline}{indent.lstrip(chr(0xFEFF))}{line}")
        if home.header[0] < home.header[1]:
            at = self._line_end(home.header[1])
            return Edit(self.path, at, at, f"{self.newline}{line}")
        return self._insert_first(line)

    def _insert_first(self, line: str) -> Edit:
        """The first key of a file that has none outside of tables."""
        if len(self.scan.sections) > 1:
            start = self.scan.sections[1].header[0]
            at = max(self.text.rfind("\n", 0, start) + 1, self.body)
            return Edit(self.path, at, at, f"{line}{self.newline}{self.newline}")
        at = len(self.text)
        before = "" if at == self.body or self.text.endswith("\n") else self.newline
        return Edit(self.path, at, at, f"{before}{line}{self.newline}")

    def _insert_section(self, path: tuple[str, ...], lines: list[str]) -> Edit:
        """New tables behind the last one that begins with `path`, with a blank line between."""
        near = [each for each in self.scan.sections if each.path[: len(path)] == path]
        last = (near or self.scan.sections)[-1]
        text = self.newline.join(lines)
        if not last.statements and last.header[0] == last.header[1]:
            at = len(self.text)
            before = "" if not self.text[self.body :].strip() else self.newline
            before += "" if at == self.body or self.text.endswith("\n") else self.newline
            return Edit(self.path, at, at, f"{before}{text}{self.newline}")
        at = self._line_end(last.statements[-1].value[1] if last.statements else last.header[1])
        return Edit(self.path, at, at, f"{self.newline}{self.newline}{text}")

    def _items(self, node: Node) -> Items:
        from mcp_lockstep.documents.layout import Items

        start, end = node.span or (0, 0)
        leaves = [leaf for _, child in node.items() for leaf in child.leaves()]
        return Items(self.path, self.text, start + 1, end - 1, tuple([leaf.extent for leaf in leaves]))

    def _line_end(self, offset: int) -> int:
        """The end of the line of `offset`, before its line end."""
        end = self.text.find("\n", offset)
        if end < 0:
            return len(self.text)
        return end - 1 if self.text[end - 1] == "\r" and end > offset else end

    def _tall_array(self, values: list[object], token: str) -> str:
        lines = token.splitlines()
        indent = lines[1][: len(lines[1]) - len(lines[1].lstrip(" \t"))] or "    "
        comma = "," if token[:-1].rstrip().endswith(",") else ""
        outer = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip(" \t"))]
        inner = f",{self.newline}{indent}".join([toml_value(value) for value in values])
        return f"[{self.newline}{indent}{inner}{comma}{self.newline}{outer}]"

    def _unwritable(self) -> Refused:
        message = (
            f"{self.path}: half of a surrogate pair cannot be written as TOML, expected whole characters"
        )
        return Refused(Finding(codes.LONE_SURROGATE, Place(self.path), message, want="whole characters"))

    def _not_toml(self, error: TOMLDecodeError) -> Refused:
        from mcp_lockstep.documents.toml_scan import scan_toml

        if error.msg.startswith(("Cannot ", "Duplicate ")):
            try:
                scan_toml(self.text, self.body)
            except ScanError as fault:
                if fault.code is codes.DUPLICATE_KEY:
                    return self.refused(fault, "", "Remove one of the two.")
        here = error.doc[error.pos : error.pos + 1]
        message = f"{self.path} is not TOML: {error.msg[:1].lower()}{error.msg[1:]}"
        code = codes.LONE_SURROGATE if "scalar value" in error.msg else codes.NOT_TOML
        position = Position(error.lineno, error.colno, error.lineno, error.colno + len(here.strip("\n")))
        have = "the end of the file" if not here else "a line end" if here == "\n" else here
        return Refused(Finding(code, Place(self.path), message, position, have=have))

    def _diagnosed(self, error: Exception) -> Refused:
        """What tomli stumbled over without saying where."""
        from mcp_lockstep.documents.toml_scan import scan_toml

        try:
            root = scan_toml(self.text, self.body).root
        except ScanError as fault:
            return self.refused(fault, "" if fault.code is not codes.NOT_TOML else " is not TOML")
        if isinstance(error, RecursionError):
            have, want = f"more than {MAX_DEPTH} levels", f"at most {MAX_DEPTH} levels"
            return self.refused(ScanError(codes.NESTED_TOO_DEEP, (self.body, self.body), have, want), "")
        for pointer, span in self._numbers(root):
            if found := _out_of_range(self.text[slice(*span)]):
                want = "a number that Python reads"
                return self.refused(ScanError(codes.NUMBER_OUT_OF_RANGE, span, found, want, pointer), "")
        return self.refused(
            ScanError(codes.NOT_TOML, (self.body, self.body), str(error), "TOML"), " is not TOML"
        )

    def _numbers(self, root: Node) -> Iterator[tuple[str, Span]]:
        from mcp_lockstep.documents.spans import Spans, value_span

        for pointer, span in Spans(root, value_span).items():
            if self.text[span[0]] in "+-0123456789":
                yield pointer, span


def _float(text: str) -> float:
    value = float(text)
    if isinf(value) and "inf" not in text:
        raise ValueError("not finite")
    return value


def _out_of_range(token: str) -> str:
    """What is wrong with a number; empty for nothing."""
    digits = token.replace("_", "").lstrip("+-")
    limit = sys.get_int_max_str_digits()
    if digits.isdigit():
        return f"an integer of {len(digits)} digits" if 0 < limit < len(digits) else ""
    try:
        return token if isinf(float(digits)) and "inf" not in digits else ""
    except ValueError:
        return ""

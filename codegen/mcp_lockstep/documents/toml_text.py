"""TOML text for keys and values; nothing is parsed here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from math import isinf, isnan
from typing import cast

from mcp_lockstep.documents.pointer import make_pointer, pointer_parts

KEY_PART = r"""[A-Za-z0-9_-]++|"(?:[^"\\\r\n]++|\\.)*+"|'[^'\r\n]*+'"""
"""One part of a key, as a pattern."""

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_LONG = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def toml_string(value: str) -> str:
    """`value` as a basic string of TOML 1.0. UnicodeEncodeError when it holds half of a surrogate pair."""
    return f'"{"".join([_SHORT.get(char) or _escaped(char) for char in value])}"'


def toml_key(key: str) -> str:
    """`key` bare where TOML allows it, else as a basic string."""
    return key if _BARE.fullmatch(key) else toml_string(key)


def toml_unquoted(token: str) -> str:
    """The key that `token` writes, bare or in quotes."""
    if token[:1] == '"' and "\\" in token:
        return _ESCAPE.sub(_unescaped, token[1:-1])
    return token[1:-1] if token[:1] in {'"', "'"} else token


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if not code:
        return _LONG.get(match[4], match[4])
    point = int(code, 16)
    return chr(point) if point <= 0x10FFFF else match[0]


def toml_address(pointer: str) -> str:
    """The dotted key for a JSON pointer: `/project/version` is `project.version`."""
    return ".".join([toml_key(part) for part in pointer_parts(pointer)])


def toml_pointer(address: str) -> str:
    """The JSON pointer for a dotted key with quotes where needed. ValueError when it is none."""
    parts: list[str] = []
    pattern = re.compile(rf"[ \t]*({KEY_PART})[ \t]*(\.|\Z)")
    at = 0
    while at < len(address):
        match = pattern.match(address, at)
        if match is None or (match[2] and match.end() == len(address)):
            raise ValueError(f"not a TOML key: {address!r}")
        parts.append(toml_unquoted(match[1]))
        at = match.end()
    return make_pointer(parts)


def _escaped(char: str) -> str:
    if "\ud800" <= char <= "\udfff":
        char.encode()
    if char < " " or "\x7f" <= char <= "\x9f":
        return f"\\u{ord(char):04X}"
    return char


def as_table(value: object) -> Mapping[str, object] | None:
    """`value` if it is a mapping."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def as_list(value: object) -> list[object] | None:
    """`value` if it is a list or tuple."""
    return cast("list[object]", value) if isinstance(value, list | tuple) else None


def toml_value(value: object) -> str:
    """`value` on one line. UnicodeEncodeError for half a surrogate pair, TypeError for what TOML has not."""
    if isinstance(value, str):
        return toml_string(value)
    if (table := as_table(value)) is not None:
        inner = ", ".join([f"{toml_key(key)} = {toml_value(item)}" for key, item in table.items()])
        return f"{{ {inner} }}" if inner else "{}"
    if (items := as_list(value)) is not None:
        return f"[{', '.join([toml_value(item) for item in items])}]"
    return _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    raise TypeError(f"TOML has no {type(value).__name__}")


def _float(value: float) -> str:
    if isnan(value):
        return "nan"
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def toml_tables(path: tuple[str, ...], value: Mapping[str, object]) -> list[str]:
    """The lines of the table at `path`: header, plain keys, then the tables inside it with a blank line each.

    A list that holds only tables is written as an array of tables; a table that holds only tables has no header.
    """
    body = _body(path, value)
    return body[1:] if body and not body[0] else [f"[{_toml_header(path)}]", *body]


def toml_entry(path: tuple[str, ...], value: Mapping[str, object]) -> list[str]:
    """The lines of one more table in the array of tables at `path`, its header first."""
    return [f"[[{_toml_header(path)}]]", *_body(path, value)]


def _toml_header(path: tuple[str, ...]) -> str:
    """`path` as a header names it, without brackets."""
    return ".".join([toml_key(part) for part in path])


def _body(path: tuple[str, ...], value: Mapping[str, object]) -> list[str]:
    lines: list[str] = []
    tables: list[str] = []
    for key, item in value.items():
        inner = (*path, key)
        if (table := as_table(item)) is not None:
            tables += ["", *toml_tables(inner, table)]
        elif entries := _all_tables(item):
            tables += [line for entry in entries for line in ("", *toml_entry(inner, entry))]
        else:
            lines.append(f"{toml_key(key)} = {toml_value(item)}")
    return [*lines, *tables]


def _all_tables(value: object) -> list[Mapping[str, object]]:
    items = as_list(value) or []
    tables = [table for item in items if (table := as_table(item)) is not None]
    return tables if len(tables) == len(items) else []


def toml_literal_like(old: str, value: str, newline: str) -> str:
    """`value` in the quotes of the token `old`, if they can hold it; else as a basic string."""
    literal = _printable(value) and "'" not in value
    if old.startswith("'''") and "\n" in value and literal:
        return f"'''{newline}{value.replace(chr(10), newline)}'''"
    if old.startswith(("'''", '"""')) and "\n" in value:
        lines = [toml_string(line)[1:-1] for line in value.split("\n")]
        return f'"""{newline}{newline.join(lines)}"""'
    if old.startswith("'") and literal and "\n" not in value:
        return f"'{value}'"
    return toml_string(value)


def _printable(value: str) -> bool:
    return all(char.isprintable() or char in "\t\n" for char in value)

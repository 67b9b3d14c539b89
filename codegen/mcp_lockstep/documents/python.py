"""Python files as text, and a string literal rewritten in its own style."""

from __future__ import annotations

import re
from functools import cached_property

from mcp_lockstep.documents.text import TextDocument

_LITERAL = (
    r"([a-zA-Z]{0,2})"
    r"(?:('''|\"\"\")(?:[^\\]|\\.)*?\2|(\"|')(?:(?!\3)[^\\\r\n]|\\\r\n|\\.)*\3)"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


class PythonDocument(TextDocument):
    """A Python file."""

    @cached_property
    def source(self) -> str:
        """The text to parse: without a byte order mark, which `ast.parse` refuses in a string."""
        return self.text[self.body :]


def literal_like(old: str, value: str, newline: str = "\n") -> str | None:
    """`value` as a Python literal in the style of `old`; None when `old` is no single plain literal."""
    match = re.fullmatch(_LITERAL, old, re.DOTALL)
    prefix = match[1] if match is not None else "?"
    if match is None or prefix.lower() not in {"", "r", "u"}:
        return None
    triple, quote = match[2], match[3] or match[2][0]
    if triple and not _single(old, prefix, triple):
        return None
    if prefix.lower() == "r":
        if _fits_raw(value, quote):
            return f"{prefix}{triple or quote}{value}{triple or quote}"
        prefix = ""
    if triple and "\n" in value:
        return f"{prefix}{triple}{_tall(value, quote, newline)}{triple}"
    return f"{prefix}{triple or quote}{_flat(value, quote)}{triple or quote}"


def _single(old: str, prefix: str, triple: str) -> bool:
    """Whether the first closing quotes are the last thing in `old`."""
    body = re.sub(r"\\.", "__", old[len(prefix) + 3 :], flags=re.DOTALL)
    return body.find(triple) == len(body) - 3


def _fits_raw(value: str, quote: str) -> bool:
    return value.isprintable() and quote not in value and not value.endswith("\\")


def _flat(value: str, quote: str) -> str:
    return "".join([f"\\{char}" if char == quote else _escaped(char) for char in value])


def _tall(value: str, quote: str, newline: str) -> str:
    return newline.join([_flat(line, quote) for line in value.split("\n")])


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    point = ord(char)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"

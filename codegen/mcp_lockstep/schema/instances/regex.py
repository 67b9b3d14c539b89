"""Reads ECMA-262 regular expressions as JSON Schema uses them, and writes them for Python's `re`."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import Literal, TypeAlias

from mcp_lockstep.records import NamedTuple

TOP = 0x10FFFF
Ranges: TypeAlias = "tuple[tuple[int, int], ...]"

DIGIT: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
NEWLINE: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
CLASSES: dict[str, Ranges] = {"d": DIGIT, "w": WORD, "s": SPACE}
CONTROLS: dict[str, int] = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}
MAX_NESTING = 60


class UnreadableRegex(ValueError):
    """A regular expression outside what is read here. The text says which part."""


class Chars(NamedTuple):
    """One character out of sorted, inclusive ranges of code points."""

    ranges: Ranges


class Repeat(NamedTuple):
    """`body`, `low` to `high` times (None: without limit)."""

    body: Node
    low: int
    high: int | None


class Run(NamedTuple):
    """Parts one after the other."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """One of several options."""

    options: tuple[Node, ...]


class Group(NamedTuple):
    """A capturing group; numbers start at 1."""

    body: Node
    number: int


class Back(NamedTuple):
    """What group `number` captured."""

    number: int


class Anchor(NamedTuple):
    """An assertion without width: start, end, word boundary or none."""

    sign: Literal["^", "$", "b", "B"]


class Look(NamedTuple):
    """A lookahead or lookbehind."""

    body: Node
    ahead: bool
    negative: bool


Node: TypeAlias = "Chars | Repeat | Run | Choice | Group | Back | Anchor | Look"


def inverted(ranges: Ranges) -> Ranges:
    """Every code point outside `ranges`."""
    result: list[tuple[int, int]] = []
    start = 0
    for low, high in merged(ranges):
        if low > start:
            result.append((start, low - 1))
        start = high + 1
    if start <= TOP:
        result.append((start, TOP))
    return tuple(result)


def merged(ranges: Ranges) -> Ranges:
    """The same code points, sorted, without overlaps."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return tuple(result)


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.groups = 0
        self.names: dict[str, int] = {}
        self.nesting = 0

    def peek(self, text: str) -> bool:
        return self.source.startswith(text, self.at)

    def eat(self, text: str) -> bool:
        if self.peek(text):
            self.at += len(text)
            return True
        return False

    def match(self, pattern: str) -> re.Match[str] | None:
        found = re.compile(pattern, re.ASCII).match(self.source, self.at)
        if found:
            self.at = found.end()
        return found

    def next(self) -> str:
        if self.at >= len(self.source):
            raise UnreadableRegex("it ends too early")
        self.at += 1
        return self.source[self.at - 1]

    def choice(self) -> Node:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise UnreadableRegex("it is nested too deeply")
        options = [self.run()]
        while self.eat("|"):
            options.append(self.run())
        self.nesting -= 1
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def run(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.source) and not self.peek("|") and not self.peek(")"):
            parts.append(self.repeated(self.atom()))
        return parts[0] if len(parts) == 1 else Run(tuple(parts))

    def repeated(self, body: Node) -> Node:
        found = self.match(r"([*+?])|\{(\d+)(,?)(\d*)\}")
        if not found:
            return body
        self.eat("?")
        sign = found[1]
        if sign:
            return Repeat(body, 1 if sign == "+" else 0, 1 if sign == "?" else None)
        low = int(found[2])
        if not found[3]:
            return Repeat(body, low, low)
        high = int(found[4]) if found[4] else None
        if high is not None and high < low:
            raise UnreadableRegex("a repetition ends before it starts")
        return Repeat(body, low, high)

    def atom(self) -> Node:
        sign = self.next()
        match sign:
            case "^" | "$":
                return Anchor(sign)
            case ".":
                return Chars(inverted(NEWLINE))
            case "(":
                return self.group()
            case "[":
                return self.char_set()
            case "\\":
                return self.escape()
            case "*" | "+" | "?":
                raise UnreadableRegex(f"nothing stands before {sign!r}")
            case _:
                return Chars(((ord(sign), ord(sign)),))

    def group(self) -> Node:
        look = self.match(r"\?(<?)([=!])")
        if look:
            return Look(self.closed(), not look[1], look[2] == "!")
        if self.eat("?:"):
            return self.closed()
        named = self.match(r"\?P?<([A-Za-z_$][\w$]*)>")
        if not named and self.peek("?"):
            raise UnreadableRegex(f"group {self.source[self.at - 1 : self.at + 3]!r} is not ECMA-262")
        self.groups += 1
        number = self.groups
        if named:
            self.names[named[1]] = number
        return Group(self.closed(), number)

    def closed(self) -> Node:
        body = self.choice()
        if not self.eat(")"):
            raise UnreadableRegex("a group is not closed")
        return body

    def escape(self) -> Node:
        if self.eat("b"):
            return Anchor("b")
        if self.eat("B"):
            return Anchor("B")
        named = self.match(r"k<([\w$]+)>")
        if named:
            return Back(self.names.get(named[1], 0))
        numbered = self.match(r"[1-9]\d?")
        if numbered:
            return Back(int(numbered[0]))
        return Chars(self.escaped_ranges())

    def escaped_ranges(self) -> Ranges:
        code = self.match(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}")
        if code:
            point = int(code[1] or code[2] or code[3], 16)
            return ((point, point),)
        control = self.match(r"c([A-Za-z])")
        if control:
            return ((ord(control[1]) % 32, ord(control[1]) % 32),)
        sign = self.next()
        if sign.lower() in CLASSES:
            ranges = CLASSES[sign.lower()]
            return ranges if sign.islower() else inverted(ranges)
        if sign in CONTROLS:
            return ((CONTROLS[sign], CONTROLS[sign]),)
        if sign.isalnum():
            raise UnreadableRegex(f"escape \\{sign} is not known here")
        return ((ord(sign), ord(sign)),)

    def char_set(self) -> Node:
        negative = self.eat("^")
        ranges: list[tuple[int, int]] = []
        while not self.eat("]"):
            low = self.member()
            if len(low) == 1 and low[0][0] == low[0][1] and self.peek("-") and not self.peek("-]"):
                self.at += 1
                high = self.member()
                if len(high) != 1 or high[0][0] != high[0][1] or high[0][0] < low[0][0]:
                    raise UnreadableRegex("a range of characters ends before it starts")
                ranges.append((low[0][0], high[0][0]))
            else:
                ranges.extend(low)
        found = merged(tuple(ranges))
        return Chars(inverted(found) if negative else found)

    def member(self) -> Ranges:
        sign = self.next()
        if sign != "\\":
            return ((ord(sign), ord(sign)),)
        if self.eat("b"):
            return ((8, 8),)
        return self.escaped_ranges()


@lru_cache(maxsize=4096)
def read_regex(source: str) -> Node:
    """The tree of an expression; UnreadableRegex where it leaves ECMA-262 or needs Unicode tables (`\\p`)."""
    reader = _Reader(source)
    tree = reader.choice()
    if reader.at < len(source):
        raise UnreadableRegex("a group is closed that was not opened")
    return tree


def python_source(tree: Node) -> str:
    """The same language in the syntax of Python's `re`: ASCII classes, `$` only at the very end."""
    match tree:
        case Chars(ranges):
            return _python_set(ranges)
        case Repeat(body, low, high):
            return f"(?:{python_source(body)}){{{low},{'' if high is None else high}}}"
        case Run(parts):
            return "".join(map(python_source, parts))
        case Choice(options):
            return "(?:" + "|".join(map(python_source, options)) + ")"
        case Group(body, _):
            return f"({python_source(body)})"
        case Back(number):
            return f"(?:\\{number})"
        case Anchor(sign):
            return {"^": r"\A", "$": r"\Z", "b": r"(?a:\b)", "B": r"(?a:\B)"}[sign]
        case Look(body, ahead, negative):
            return f"(?{'' if ahead else '<'}{'!' if negative else '='}{python_source(body)})"


def _python_set(ranges: Ranges) -> str:
    if not ranges:
        return "(?!)"
    inner = "".join(f"\\U{low:08x}" if low == high else f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)
    return f"[{inner}]"


def compiled(source: str) -> re.Pattern[str] | None:
    """The expression in Python's `re`, None where that cannot read it or warns that it may read it otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return re.compile(source)
        except (re.error, RecursionError, OverflowError, Warning):
            return None


class Regex:
    """An expression with two readings: ECMA-262, which JSON Schema means, and Python, which validators use."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.stock = compiled(source)
        self.tree: Node | None = None
        self.exact: re.Pattern[str] | None = None
        self.fault = ""
        try:
            self.tree = read_regex(source)
            self.exact = compiled(python_source(self.tree))
        except UnreadableRegex as fault:
            self.fault = str(fault)

    @property
    def usable(self) -> str | None:
        """A source that Python compiles and that means the same; None where there is none."""
        if self.stock:
            return self.source
        return self.exact.pattern if self.exact else None

    def matches(self, text: str) -> bool | None:
        """Whether both readings find a match; None where they disagree or there is no reading."""
        verdicts = {bool(reading.search(text)) for reading in (self.stock, self.exact) if reading}
        return verdicts.pop() if len(verdicts) == 1 else None


@lru_cache(maxsize=4096)
def regex(source: str) -> Regex:
    """The expression, read once."""
    return Regex(source)

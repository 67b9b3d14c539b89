"""Strings that a regular expression matches, of a wanted length, and strings that it does not match."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mcp_lockstep.schema.instances.regex import (
    Anchor,
    Back,
    Chars,
    Choice,
    Group,
    Look,
    Node,
    Regex,
    Repeat,
    Run,
)
from mcp_lockstep.schema.instances.values import Dice

FAVOURITES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
STRANGERS = ("☃", " ", "\n", "!", "-", "_", "0", "a", "A", "é", "/", ".", "%", "😀", "\u202e")
GUESSES = ("a", "abc", "A1", "x-1", "1", "2031-02-03", "")
"""Tried where only Python reads an expression."""
MAX_SAMPLE = 200_000


@lru_cache(maxsize=4096)
def span(tree: Node) -> tuple[int, int | None]:
    """The least and greatest length that a part can match, in code points; None: without limit."""
    match tree:
        case Chars():
            return 1, 1
        case Repeat(body, low, high):
            least, most = span(body)
            return least * low, None if high is None or most is None else most * high
        case Run(parts):
            return _total([span(part) for part in parts])
        case Choice(options):
            spans = [span(option) for option in options]
            mosts = [most for _, most in spans if most is not None]
            return min(least for least, _ in spans), max(mosts) if len(mosts) == len(spans) else None
        case Group(body, _):
            return span(body)
        case Back():
            return 0, None
        case Anchor() | Look():
            return 0, 0


def _total(spans: list[tuple[int, int | None]]) -> tuple[int, int | None]:
    mosts = [most for _, most in spans if most is not None]
    return sum(least for least, _ in spans), sum(mosts) if len(mosts) == len(spans) else None


@lru_cache(maxsize=4096)
def _members(chars: Chars) -> tuple[str, str]:
    # Two pools: plain letters and digits first, then whatever prints, then the ends of the ranges.
    def inside(text: str) -> str:
        return "".join(c for c in text if any(low <= ord(c) <= high for low, high in chars.ranges))

    wide = inside(PRINTABLE) or "".join(
        chr(point) for low, high in chars.ranges for point in (low, high) if not 0xD800 <= point <= 0xDFFF
    )
    return inside(FAVOURITES) or wide, wide


class _Sampler:
    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.captured: dict[int, str] = {}
        self.ahead: list[str] = []

    def sample(self, tree: Node, length: int) -> str:
        match tree:
            case Chars():
                return self.one(tree)
            case Repeat(body, low, high):
                return self.many(body, low, high, length)
            case Run(parts):
                shares = self.shares([span(part) for part in parts], length)
                return "".join(self.sample(part, share) for part, share in zip(parts, shares, strict=True))
            case Choice(options):
                return self.sample(self.option(options, length), length)
            case Group(body, number):
                self.captured[number] = self.sample(body, length)
                return self.captured[number]
            case Back(number):
                return self.captured.get(number, "")
            case Look(body, ahead, negative):
                if ahead and not negative:
                    self.ahead.append(self.sample(body, span(body)[0]))
                return ""
            case Anchor():
                return ""

    def one(self, chars: Chars) -> str:
        plain, wide = _members(chars)
        pool = plain if self.dice.chance(0.8) else wide
        return self.dice.pick(pool) if pool else ""

    def option(self, options: tuple[Node, ...], length: int) -> Node:
        def fits(option: Node) -> bool:
            least, most = span(option)
            return least <= length and (most is None or length <= most)

        fitting = [option for option in options if fits(option)]
        return self.dice.pick(fitting or options)

    def many(self, body: Node, low: int, high: int | None, length: int) -> str:
        least, most = span(body)
        fewest, greatest = low, min(high if high is not None else MAX_SAMPLE, max(low, length))
        if most:
            fewest = max(fewest, -(-length // most))
        if least:
            greatest = min(greatest, max(low, length // least))
        fewest = min(fewest, greatest)
        count = min(fewest + self.dice.below(greatest - fewest + 1), MAX_SAMPLE)
        shares = self.shares([(least, most)] * count, length)
        return "".join(self.sample(body, share) for share in shares)

    def shares(self, spans: list[tuple[int, int | None]], length: int) -> list[int]:
        shares = [least for least, _ in spans]
        left = length - sum(shares)
        for index in self.dice.shuffled(range(len(spans))):
            if left <= 0:
                break
            most = spans[index][1]
            more = left if most is None else min(left, most - shares[index])
            shares[index] += more
            left -= more
        return shares


def matching(pattern: Regex, length: int, dice: Dice) -> Iterator[str]:
    """A few strings that the expression matches in both readings, as near to `length` as it allows."""
    if pattern.tree is None:
        yield from (text for text in GUESSES if pattern.matches(text))
        return
    least, most = span(pattern.tree)
    for attempt in range(12):
        wanted = max(least, length if most is None else min(length, most))
        sampler = _Sampler(dice)
        text = sampler.sample(pattern.tree, min(wanted, MAX_SAMPLE))
        if attempt:
            text = _with_required(text, sampler.ahead, dice)
        if len(text) < length and attempt % 3 == 2:
            # An expression without anchors allows anything around the match.
            text = text + "x" * min(length - len(text), MAX_SAMPLE)
        if pattern.matches(text):
            yield text


def _with_required(text: str, required: list[str], dice: Dice) -> str:
    # A lookahead asks for something that the rest of the expression does not place: put it over other text.
    for part in required:
        at = dice.below(max(1, len(text) - len(part) + 1))
        text = text[:at] + part + text[at + len(part) :]
    return text


def not_matching(pattern: Regex, length: int, dice: Dice) -> Iterator[str]:
    """Strings that the expression does not match in either reading: near misses first, then others."""
    candidates: list[str] = []
    for text in matching(pattern, length, dice):
        at = dice.below(len(text)) if text else 0
        stranger = dice.pick(STRANGERS)
        candidates += [
            text[:at] + stranger + text[at + 1 :],
            text + stranger,
            stranger + text,
            text[:at],
            text[1:],
        ]
        if len(candidates) > 20:
            break
    candidates += [stranger * max(1, length) for stranger in STRANGERS] + [""]
    for text in candidates:
        if pattern.matches(text) is False:
            yield text

"""Numbers and strings that satisfy a shape: near the bounds, spelled in odd ways, or plain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from mcp_lockstep.schema.instances.regex_strings import matching, not_matching
from mcp_lockstep.schema.instances.shape import Limit, Shape, inside
from mcp_lockstep.schema.instances.values import DeadEnd, Dice, kind_of

JSON_TEXTS = ("[1]", "null", "{}", "1", "true", '"x"')
"""Strings that careless servers decode a second time."""
ODD_TEXTS = (
    "",
    " ",
    "é😀",
    "\u202eabc\u202c",
    "line\nbreak",
    "\"'\\`",
    "{{x}}",
    "${x}",
    "../a",
    "%00",
    "NaN",
)
WORDS = ("a", "text", "two words", "x-1", "2.0", "Value")
NUMBERS = (0, 1, -1, 2, 5, 7, 10, 42, 100, 1000, 2**31, -(2**31) - 1, 2**53 + 1, 10**20)
PARTS = (
    Fraction(1, 2),
    Fraction(-1, 2),
    Fraction(13, 4),
    Fraction(1, 10),
    Fraction(1, 10**7),
    Fraction(20001, 2),
)
FORMATS: dict[str, tuple[str, ...]] = {
    "uri": ("https://example.org/a?b=c", "file:///tmp/x"),
    "uri-reference": ("/a/b", "#c"),
    "uri-template": ("file:///{path}",),
    "date-time": ("2031-02-03T04:05:06Z",),
    "date": ("2031-02-03",),
    "time": ("04:05:06Z",),
    "email": ("someone@example.org",),
    "hostname": ("example.org",),
    "ipv4": ("192.0.2.7",),
    "ipv6": ("2001:db8::7",),
    "uuid": ("6d2b53f6-6f8e-4f4b-9a3c-0d6f1f2e3a4b",),
    "byte": ("aGk=",),
    "json-pointer": ("/a/0",),
    "regex": ("^a+$",),
}
LONGEST = 2_000


def number(shape: Shape, dice: Dice, *, whole: bool) -> int | float:
    """A number that the shape admits: an integer if `whole`, else one with a fractional part."""
    if not (shape.low or shape.high or shape.factors or shape.off_factors):
        return _any_number(shape, dice, whole=whole)
    near, far = list(_near(shape, whole=whole)), list(_far(shape, dice, whole=whole))
    first, second = (near, far) if dice.chance(0.6) else (far, near)
    for value in [*dice.shuffled(first), *dice.shuffled(second)]:
        spelled = _spelled(value, dice, whole=whole)
        if spelled is not None and shape.admits(spelled) and (kind_of(spelled) == "integer") == whole:
            return spelled
    raise DeadEnd("no number that satisfies the bounds was found")


def _any_number(shape: Shape, dice: Dice, *, whole: bool) -> int | float:
    for _ in range(20):
        value = Fraction(dice.pick(NUMBERS)) if whole else dice.pick(PARTS)
        if dice.chance(0.3):
            value += dice.below(10**6)
        spelled = _spelled(value, dice, whole=whole)
        if spelled is not None and shape.admits(spelled):
            return spelled
    raise DeadEnd("every number tried is excluded")


def _spelled(value: Fraction, dice: Dice, *, whole: bool) -> int | float | None:
    if value.denominator == 1:
        small = abs(value.numerator) < 2**53
        return float(value) if whole and small and dice.chance(0.12) else value.numerator
    try:
        return float(value)
    except OverflowError:
        return None


def _step(shape: Shape) -> Fraction | None:
    step: Fraction | None = None
    for factor in shape.factors:
        step = factor if step is None else _common(step, factor)
    return step


def _common(one: Fraction, two: Fraction) -> Fraction:
    # The least common multiple of a/b and c/d is lcm(a*d, c*b) / (b*d).
    left, right = one.numerator * two.denominator, two.numerator * one.denominator
    return Fraction(math.lcm(left, right), one.denominator * two.denominator)


def _near(shape: Shape, *, whole: bool) -> Iterator[Fraction]:
    step = _step(shape) or (Fraction(1) if whole else Fraction(1, 2))
    for limit, direction in ((shape.low, 1), (shape.high, -1)):
        if limit is not None:
            yield from _beside(limit, direction, step, whole=whole)
    if shape.low and shape.high and not whole:
        width = shape.high.value - shape.low.value
        yield from (shape.low.value + width * Fraction(part, 7) for part in range(1, 7))
    for factor in shape.off_factors:
        base = shape.low.value if shape.low else shape.high.value - 2 * factor if shape.high else Fraction(0)
        multiple = factor * math.ceil(base / factor)
        yield from (
            multiple + factor / 2,
            multiple + factor + factor / 3,
            multiple + 1,
            multiple - 1,
            multiple + 2,
        )


def _beside(limit: Limit, direction: int, step: Fraction, *, whole: bool) -> Iterator[Fraction]:
    grid = math.ceil(limit.value / step) if direction > 0 else math.floor(limit.value / step)
    for distance in range(4):
        yield step * (grid + direction * distance)
    if not whole:
        yield limit.value
        yield from (limit.value + direction * Fraction(1, 10**power) for power in (1, 3, 6))


def _far(shape: Shape, dice: Dice, *, whole: bool) -> Iterator[Fraction]:
    step = _step(shape)
    if step:
        yield from (step * count for count in (0, 1, -1, 2, 3, 10, 7, 1000))
    low = shape.low.value if shape.low else shape.high.value - 100 if shape.high else Fraction(-20)
    high = shape.high.value if shape.high else low + 100
    for _ in range(4):
        value = low + (high - low) * Fraction(dice.below(1001), 1000)
        yield Fraction(round(value)) if whole else Fraction(round(value * 8), 8)
        if step:
            yield step * round(value / step)
    yield from map(Fraction, NUMBERS) if whole else iter(PARTS)


def text(shape: Shape, dice: Dice) -> str:
    """A string that the shape admits."""
    for value in _texts(shape, dice):
        fitting = value if shape.patterns or shape.off_patterns else _fitted(value, shape.length)
        if _admits_text(shape, fitting):
            return fitting
    raise DeadEnd("no string that satisfies the constraints was found")


def _admits_text(shape: Shape, value: str) -> bool:
    if not shape.admits(value) or not all(pattern.matches(value) for pattern in shape.patterns):
        return False
    return all(pattern.matches(value) is False for pattern in shape.off_patterns)


def _texts(shape: Shape, dice: Dice) -> Iterator[str]:
    targets = _targets(shape.length, dice)
    if shape.patterns:
        for target in targets:
            yield from matching(dice.pick(shape.patterns), target, dice)
    elif shape.off_patterns:
        for target in targets:
            for value in not_matching(dice.pick(shape.off_patterns), target, dice):
                yield value
                yield _fitted(value, shape.length)
    else:
        examples = [example for name in shape.formats for example in FORMATS.get(name, ())]
        if examples and dice.chance(0.6):
            yield dice.pick(examples)
        if dice.chance(0.2):
            yield f"{dice.pick(WORDS)} {dice.below(10**6)}"
        pools: Iterable[tuple[str, ...]] = dice.shuffled((WORDS, JSON_TEXTS, ODD_TEXTS))
        for pool in pools:
            yield from dice.shuffled(pool)
        yield from (f"other{dice.below(10**6)}" for _ in range(20))


def _targets(length: tuple[int, int | None], dice: Dice) -> list[int]:
    low, high = length
    nearest = low + dice.below(8)
    targets = [nearest, low, low + 1, low + 12]
    if high is not None:
        targets = [min(target, high) for target in targets]
        if high <= LONGEST:
            targets.append(high)
    return dice.shuffled(targets)


def _fitted(value: str, length: tuple[int, int | None]) -> str:
    low, high = length
    if high is not None and len(value) > high:
        return value[:high]
    if inside(len(value), length):
        return value
    filler = value or "x"
    return (filler * (low // len(filler) + 1))[:low]

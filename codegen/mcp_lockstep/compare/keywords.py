"""Keywords of numbers, texts and counts: limits, patterns, enumerated values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Certainty, Difference
from mcp_lockstep.compare.nodes import COUNTS, Node
from mcp_lockstep.compare.shapes import Branch, same
from mcp_lockstep.contract.model import shown
from mcp_lockstep.findings import Code

Limit = tuple[float, bool]
"""A number and whether it is outside itself."""

_LONGEST = 60


def differs(
    code: Code, old: Node, new: Node, keyword: str, *, writers: Certainty = "no", readers: Certainty = "no"
) -> Difference:
    """A difference in the value of one keyword."""
    before, after = old.keys.get(keyword), new.keys.get(keyword)
    return Difference(
        code,
        f"{old.at}/{keyword}" if keyword in old.keys else old.at,
        f"{new.at}/{keyword}" if keyword in new.keys else new.at,
        f"{keyword} {shown(before, _LONGEST)}" if keyword in old.keys else None,
        f"{keyword} {shown(after, _LONGEST)}" if keyword in new.keys else None,
        writers,
        readers,
    )


def scalars(old: Branch, new: Branch) -> Iterator[Difference]:
    """What is different in the keywords of numbers, texts and counts."""
    if old.kind == "number":
        yield from _numbers(old, new)
    elif what := COUNTS.get(old.kind):
        yield from _limits(old, new, f"min{what}", f"max{what}")
    if old.kind == "string":
        yield from _pattern(old.node, new.node)


def _numbers(old: Branch, new: Branch) -> Iterator[Difference]:
    yield from _limits(old, new, "minimum", "maximum")
    before, after = _positive(old.node), _positive(new.node)
    if before == after:
        return
    finer = after is not None and not (before is not None and _divides(after, before))
    coarser = before is not None and not (after is not None and _divides(before, after))
    yield differs(
        codes.BOUND_CHANGED,
        old.node,
        new.node,
        "multipleOf",
        writers="yes" if finer else "no",
        readers="yes" if coarser else "no",
    )


def _limits(old: Branch, new: Branch, low: str, high: str) -> Iterator[Difference]:
    for keyword, sign in ((low, 1), (high, -1)):
        before, after = _limit(old, keyword, sign), _limit(new, keyword, sign)
        if before == after:
            continue
        tighter = after > before
        yield differs(
            codes.BOUND_CHANGED,
            old.node,
            new.node,
            _spelled(old.node, new.node, keyword),
            writers="yes" if tighter else "no",
            readers="no" if tighter else "yes",
        )


def _spelled(old: Node, new: Node, keyword: str) -> str:
    """The keyword of the pair (`minimum`, `exclusiveMinimum`) that changed."""
    return _exclusive(keyword) if old.keys.get(keyword) == new.keys.get(keyword) else keyword


def _exclusive(keyword: str) -> str:
    return f"exclusive{keyword[0].upper()}{keyword[1:]}"


def _limit(branch: Branch, keyword: str, sign: int) -> Limit:
    """The limit as one that grows when it gets tighter; below everything where there is none."""
    keys = branch.node.keys
    exclusive = keys.get(_exclusive(keyword))
    plain = _number(keys.get(keyword))
    found: list[Limit] = [] if plain is None else [(sign * plain, exclusive is True)]
    if (strict := _number(exclusive)) is not None:
        found.append((sign * strict, True))
    if branch.integer:
        found = [(math.floor(value) + 1, False) if out else (math.ceil(value), False) for value, out in found]
    nothing: Limit = (0, False) if keyword.startswith("min") and keyword != "minimum" else (-math.inf, False)
    return max([nothing, *found])


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _positive(node: Node) -> float | None:
    found = _number(node.keys.get("multipleOf"))
    return found if found is not None and found > 0 else None


def _divides(step: float, value: float) -> bool:
    from fractions import Fraction

    return (Fraction(str(value)) / Fraction(str(step))).denominator == 1


def _pattern(old: Node, new: Node) -> Iterator[Difference]:
    before, after = old.keys.get("pattern"), new.keys.get("pattern")
    if before == after:
        return
    writers: Certainty = "no" if after is None else "yes" if before is None else "maybe"
    readers: Certainty = "no" if before is None else "yes" if after is None else "maybe"
    yield differs(codes.PATTERN_CHANGED, old, new, "pattern", writers=writers, readers=readers)


def enumerated(old: Branch, new: Branch) -> tuple[Difference, ...] | None:
    """What is different in the allowed values; None where neither side lists them, or both the same."""
    if old.values is None and new.values is None:
        return None
    gone = _missing(old.values, new)
    come = _missing(new.values, old)
    if old.values is None:
        gone = "yes"
    elif new.values is None:
        come = "yes"
    if (gone, come) == ("no", "no"):
        return None
    return (
        Difference(
            codes.VALUES_CHANGED,
            old.node.at,
            new.node.at,
            _list(old.values, new.values),
            _list(new.values, old.values),
            gone,
            come,
        ),
    )


def _list(values: tuple[object, ...] | None, others: tuple[object, ...] | None) -> str:
    """The values that the other side has not, where both list them; else all, shortened."""
    if values is None:
        return "any value"
    own = values if others is None else [v for v in values if not any(same(v, other) for other in others)]
    texts = [shown(value, 30) for value in own]
    more = f" and {len(texts) - 6} more" if len(texts) > 6 else ""
    return (", ".join(texts[:6]) + more) or "none other"


def _missing(values: tuple[object, ...] | None, branch: Branch) -> Certainty:
    """Whether one of the values is refused by `branch`."""
    verdicts = {_fits(value, branch) for value in values or ()}
    return "yes" if "no" in verdicts else "maybe" if "maybe" in verdicts else "no"


def _fits(value: object, branch: Branch) -> Certainty:
    if branch.values is not None:
        return "yes" if any(same(value, other) for other in branch.values) else "no"
    if isinstance(value, list | dict):
        return "maybe" if branch.node.keys.keys() - {"$schema"} or branch.parts else "yes"
    if isinstance(value, str):
        fits = _text_fits(value, branch)
    else:
        fits = _number_fits(value, branch) if isinstance(value, int | float) else "yes"
    return "maybe" if fits == "yes" and branch.parts else fits


def _inside(size: float, branch: Branch, low: str, high: str) -> bool:
    return (size, False) >= _limit(branch, low, 1) and (-size, False) >= _limit(branch, high, -1)


def _text_fits(value: str, branch: Branch) -> Certainty:
    if not _inside(len(value), branch, "minLength", "maxLength"):
        return "no"
    pattern = branch.node.keys.get("pattern")
    if not isinstance(pattern, str):
        return "yes"
    # A hostile pattern must not hold up the comparison: only what cannot backtrack far is tried.
    if len(value) > 64 or re.search(r"[*+}][^|]*[*+}]|\\[1-9]", pattern):
        return "maybe"
    try:
        return "yes" if re.search(pattern, value) else "no"
    except (re.error, OverflowError, RecursionError):
        return "maybe"


def _number_fits(value: float, branch: Branch) -> Certainty:
    step = _positive(branch.node)
    whole = not branch.integer or value == value // 1
    fits = whole and _inside(value, branch, "minimum", "maximum") and (step is None or _divides(step, value))
    return "yes" if fits else "no"

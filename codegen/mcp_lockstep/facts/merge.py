"""The one merge: readings, the last agreement and the owner go in; what is agreed and what is wrong come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from mcp_lockstep.facts.codes import (
    APART,
    BEHIND,
    CHANGED_HERE,
    DISAGREE,
    DRIFT,
    VALUE_NOT_STATIC,
    VERSION_ELSEWHERE,
)
from mcp_lockstep.facts.table import Fact, Home, Reading
from mcp_lockstep.findings import Finding
from mcp_lockstep.records import NamedTuple


class Judged(NamedTuple):
    """One reading and what is wrong with it."""

    reading: Reading
    finding: Finding


class Agreement(NamedTuple):
    """What a fact is after a sync (None: nobody decides it), who decided it, and everything that disagrees."""

    value: str | None
    owner: Reading | None
    judged: tuple[Judged, ...] = ()


TABLE: Mapping[tuple[bool, ...], int] = {
    (True,): 0,
    (False, True): DRIFT,
    (False, False, False, True): BEHIND,
    (False, False, True, False): CHANGED_HERE,
    (False, False, False, False): APART,
}
"""(here = owner, no base, owner = base, here = base) -> verdict; shorter keys where the rest does not matter."""

_REASON: Mapping[int, str] = {
    DRIFT: "{owner} decides and says {want}",
    BEHIND: "{owner} moved on from {base} to {want}",
    CHANGED_HERE: "it was changed here, but {owner} decides and still says {want}",
    APART: "{owner} decides and moved on from {base} to {want}",
}


def verdict(fact: Fact, base: str | None, owner: str, here: str) -> int:
    """The verdict digit on one place: 0 in step, else a digit of `facts.codes`. Values are compared in normal form."""
    normal = fact.normal
    agreed = None if base is None else normal(base)
    key = (normal(here) == normal(owner), base is None, normal(owner) == agreed, normal(here) == agreed)
    return next(TABLE[key[:length]] for length in (1, 2, 4) if key[:length] in TABLE)


def merge(
    fact: Fact,
    base: str | None,
    readings: Sequence[Reading],
    owner: Reading | None,
    apart: Collection[Home] = (),
) -> Agreement:
    """Judge every reading of an identity fact against its owner's. Findings carry no position yet.

    `apart`: homes that may speak of something else, so that they are told of and never changed.
    """
    compared = any(reading.state == "known" for reading in readings)
    unsure = tuple(
        Judged(reading, _not_static(fact, reading))
        for reading in readings
        # What code works out for itself (`__version__ = version("weather")`) cannot be out of step.
        if compared and reading.state in ("dynamic", "stamped") and reading.home != "code"
    )
    if owner is None or owner.value is None:
        return Agreement(base, None, unsure)
    wrong = tuple(
        Judged(
            reading,
            _elsewhere(fact, owner, reading)
            if reading.home in apart
            else _disagreement(fact, base, owner, reading, digit),
        )
        for reading in readings
        if reading.state == "known" and (digit := verdict(fact, base, owner.value, reading.value or ""))
    )
    return Agreement(owner.value, owner, unsure + wrong)


def _elsewhere(fact: Fact, owner: Reading, reading: Reading) -> Finding:
    message = f"{reading.place} is {reading.value}, but {owner.place} says {owner.value}"
    return Finding(
        VERSION_ELSEWHERE, reading.place, message, have=reading.value, want=owner.value, fact=fact.name
    )


def _disagreement(fact: Fact, base: str | None, owner: Reading, reading: Reading, digit: int) -> Finding:
    reason = _REASON[digit].format(owner=owner.place, want=owner.value, base=base)
    return Finding(
        DISAGREE[fact.name, digit],
        reading.place,
        f"{fact.words} is {reading.value}; {reason}",
        have=reading.value,
        want=owner.value,
        hint=f"`mcp-lockstep sync` writes {owner.value}; to keep {reading.value}: "
        f"`mcp-lockstep sync --accept {reading.place}`",
        fact=fact.name,
        fixable=True,
    )


def _not_static(fact: Fact, reading: Reading) -> Finding:
    made = "stamped by a release" if reading.state == "stamped" else "made when it is built"
    message = f"{fact.words} is {made}: not compared"
    return Finding(VALUE_NOT_STATIC, reading.place, message, have=reading.value, fact=fact.name)

"""Merging facts: no order, no surprise, and one agreement at the end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcp_lockstep.facts.merge import merge, verdict
from mcp_lockstep.facts.table import FACTS, Fact, Home, Reading, State
from mcp_lockstep.findings import Place

IDENTITY = [fact for fact in FACTS.values() if fact.kind == "identity"]
VALUES = st.sampled_from(
    [
        "1.2.0",
        "1.2",
        "v1.2.0",
        "1.2.0-rc.1",
        "1.2.0rc1",
        "a-b",
        "A_b",
        "2025-12-11",
        "",
        " ",
        "\u202e",
        "x" * 50,
    ]
)
HOMES: st.SearchStrategy[Home] = st.sampled_from(("config", "manifest", "pyproject", "readme", "code", "own"))
STATES: st.SearchStrategy[State] = st.sampled_from(
    ("known", "known", "known", "dynamic", "stamped", "absent")
)


@st.composite
def readings(draw: st.DrawFn, fact: Fact) -> list[Reading]:
    """Readings of one fact at places of their own."""
    count = draw(st.integers(1, 6))
    return [
        Reading(
            fact.name,
            draw(HOMES),
            Place(f"file{index}", "#", "/v"),
            draw(VALUES),
            draw(STATES) if index else "known",
        )
        for index in range(count)
    ]


@st.composite
def situations(draw: st.DrawFn) -> tuple[Fact, str | None, list[Reading]]:
    fact = draw(st.sampled_from(IDENTITY))
    return fact, draw(st.none() | VALUES), draw(readings(fact))


@given(situations(), st.data())
def test_order_means_nothing(situation: tuple[Fact, str | None, list[Reading]], data: st.DataObject) -> None:
    fact, base, mine = situation
    owner = mine[0]
    shuffled = data.draw(st.permutations(mine))
    one, other = merge(fact, base, mine, owner), merge(fact, base, shuffled, owner)
    assert (one.value, one.owner) == (other.value, other.owner)
    assert sorted(one.judged) == sorted(other.judged)


@given(situations())
def test_following_the_owner_ends_all_disagreement(
    situation: tuple[Fact, str | None, list[Reading]],
) -> None:
    fact, base, mine = situation
    owner = mine[0]
    agreement = merge(fact, base, mine, owner)
    wrong = {one.reading.place: one.finding.want for one in agreement.judged if one.finding.fixable}
    after = [reading._replace(value=wrong.get(reading.place, reading.value)) for reading in mine]
    for lock in (None, base, agreement.value):
        assert not [one for one in merge(fact, lock, after, owner).judged if one.finding.fixable]


@given(situations())
def test_what_agrees_in_normal_form_is_left_as_it_is_spelt(
    situation: tuple[Fact, str | None, list[Reading]],
) -> None:
    fact, base, mine = situation
    owner = mine[0]
    for one in merge(fact, base, mine, owner).judged:
        if one.finding.fixable:
            assert fact.normal(one.reading.value or "") != fact.normal(owner.value or "")
            assert one.reading.state == "known"


@given(st.sampled_from(IDENTITY), st.none() | VALUES, VALUES, VALUES)
def test_every_situation_has_one_verdict(fact: Fact, base: str | None, owner: str, here: str) -> None:
    digit = verdict(fact, base, owner, here)
    assert digit in range(5)
    assert (digit == 0) == (fact.normal(owner) == fact.normal(here))
    assert verdict(fact, base, owner, owner) == 0

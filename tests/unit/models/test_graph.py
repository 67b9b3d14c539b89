from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcp_lockstep.models.graph import groups, in_passes, recursive

NAMES = st.sampled_from("abcdefgh")
NEEDS = st.dictionaries(NAMES, st.frozensets(NAMES, max_size=3)).map(
    lambda found: {**{name: frozenset[str]() for names in found.values() for name in names}, **found}
)


def passes_one_by_one(needs: dict[str, frozenset[str]]) -> list[str]:
    done: list[str] = []
    while True:
        before = len(done)
        for name in sorted(needs.keys() - {*done}):
            if needs[name] <= {*done}:
                done.append(name)
        if len(done) == before:
            return done


def reached(start: str, needs: dict[str, frozenset[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [*needs[start]]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += needs[name]
    return found


@given(NEEDS)
def test_the_order_is_that_of_passes_by_alphabet(needs: dict[str, frozenset[str]]) -> None:
    assert in_passes(needs) == passes_one_by_one(needs)


@given(NEEDS)
def test_groups_are_what_leads_to_each_other(needs: dict[str, frozenset[str]]) -> None:
    assert recursive(needs) == {name for name in needs if name in reached(name, needs)}
    found = [*groups(needs)]
    assert sorted(name for group in found for name in group) == sorted(needs)
    for place, group in enumerate(found):
        later = {name for other in found[place + 1 :] for name in other}
        for name in group:
            assert not reached(name, needs) & later
            assert {*group} - {name} <= reached(name, needs)


def test_long_chains_do_not_recurse() -> None:
    needs = {f"{place:05}": frozenset([f"{place + 1:05}"]) for place in range(5000)} | {
        "05000": frozenset[str]()
    }
    assert in_passes(needs) == sorted(needs, reverse=True)
    assert recursive({**needs, "05000": frozenset(["00000"])}) == {*needs}

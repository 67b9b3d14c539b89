"""Random projects: after a sync nothing drifts, nothing else has changed, and a second one is empty."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from mcp_lockstep.facts.table import FACTS, Reading
from mcp_lockstep.judge import Accept, judge_tree
from mcp_lockstep.pipeline.sync import Order, prepare
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree
from projects import (
    OTHER_VALUES,
    SOUND_VALUES,
    THIRD_VALUES,
    Files,
    Spot,
    facts_told,
    lock_of,
    put,
    sound,
    spots,
    written,
)

CONFIG = "mcp-lockstep.toml"
SPOTS = spots(CONFIG)
LOCK = "mcp-lockstep.lock"
CHOICES = {fact: (SOUND_VALUES[fact], OTHER_VALUES[fact], THIRD_VALUES[fact]) for fact in SOUND_VALUES}

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def edits(draw: st.DrawFn) -> dict[Spot, str]:
    """A value for some of the places."""
    chosen = draw(st.lists(st.sampled_from(SPOTS), unique=True, max_size=len(SPOTS)))
    return {spot: draw(st.sampled_from(CHOICES[spot.fact])) for spot in chosen}


@st.composite
def locks(draw: st.DrawFn) -> bytes | None:
    if draw(st.booleans()):
        return None
    return lock_of({fact: draw(st.sampled_from(values)) for fact, values in CHOICES.items()}).encode()


def edited(changes: dict[Spot, str], lock: bytes | None) -> Files:
    files = sound(CONFIG)
    for spot, value in changes.items():
        files = put(files, spot, SOUND_VALUES[spot.fact], value)
    return files if lock is None else {**files, LOCK: lock}


def sync(files: Files, order: Order | None = None) -> Files:
    return written(files, prepare(Tree(Memory(files)), order or Order()).plan)


def drifting(files: Files) -> set[str]:
    return facts_told(judge_tree(Project(Tree(Memory(files)))).findings)


def agreed(changes: dict[Spot, str]) -> dict[str, str]:
    """What the owner of each fact says, the first of its places."""
    owners = {spot.fact: spot for spot in reversed(SPOTS)}
    return {fact: changes.get(owner, SOUND_VALUES[fact]) for fact, owner in owners.items()}


@quick
@given(edits(), locks())
def test_a_sync_puts_the_owners_value_everywhere_and_touches_nothing_else(
    changes: dict[Spot, str], lock: bytes | None
) -> None:
    files = edited(changes, lock)
    after = sync(files)
    wanted = sound(CONFIG)
    for spot in SPOTS:
        wanted = put(wanted, spot, SOUND_VALUES[spot.fact], agreed(changes)[spot.fact])
    assert after == {**wanted, LOCK: lock_of(agreed(changes)).encode()}
    assert drifting(after) == set()
    assert sync(after) == after


@quick
@given(edits(), st.lists(st.sampled_from(sorted(CHOICES)), max_size=4))
def test_syncing_fact_by_fact_in_any_order_ends_the_same(changes: dict[Spot, str], facts: list[str]) -> None:
    files = edited(changes, None)
    piecemeal = files
    for fact in facts:
        piecemeal = sync(piecemeal, Order(only=fact))
    assert sync(piecemeal) == sync(files)


@quick
@given(edits(), edits())
def test_edits_in_two_steps_converge(first: dict[Spot, str], second: dict[Spot, str]) -> None:
    """Sync, edit again, sync: what the owners say last is what all places say."""
    once = sync(edited(first, None))
    after = once
    for spot, value in second.items():
        after = put(after, spot, agreed(first)[spot.fact], value)
    wanted = {**agreed(first), **{f: v for f, v in agreed(second).items() if owner_of(f) in second}}
    assert sync(after)[LOCK] == lock_of(wanted).encode()
    assert drifting(sync(after)) == set()


def owner_of(fact: str) -> Spot:
    return next(spot for spot in SPOTS if spot.fact == fact)


@quick
@given(edits(), st.sampled_from(SPOTS))
def test_an_accepted_place_wins_over_its_owner(changes: dict[Spot, str], spot: Spot) -> None:
    files = edited(changes, None)
    place = next(r.place for r in readings(files) if str(r.place) == spot.place)
    after = sync(files, Order(Accept(place)))
    value = changes.get(spot, SOUND_VALUES[spot.fact])
    wanted = {**agreed(changes), spot.fact: value}
    kept = {
        r.fact: r.value for r in readings(after) if str(r.place) in {o.place for o in map(owner_of, CHOICES)}
    }
    assert {fact: normal(fact, text) for fact, text in kept.items()} == {
        fact: normal(fact, text) for fact, text in wanted.items()
    }
    assert drifting(after) == set()


def readings(files: Files) -> list[Reading]:
    judged = judge_tree(Project(Tree(Memory(files))))
    return [reading for one in judged.facts for reading in one.readings]


def normal(fact: str, text: str | None) -> str:
    return FACTS[fact].normal(text or "")


# Values that nobody planned for

hostile = st.text(
    st.characters(blacklist_categories=["Cs"]) | st.sampled_from("\"\\'{}#:=\n\r\t\u202e\ufeff🌊"),
    max_size=12,
)


@quick
@given(hostile, hostile, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(0, 4))
def test_any_text_goes_from_place_to_place(
    here: str, there: str, newline: str, bom: bool, indent: int
) -> None:
    """Whatever the owner says, JSON, TOML and Python hold it after a sync, and nothing but it has changed."""
    name = f"a.b/{here}"
    # What a release job fills in is no name yet, and goes nowhere.
    assume(not is_template(name))
    manifest = json.dumps({"name": name, "x": [there, {}], "packages": []}, indent=indent or None)
    plugin = json.dumps({"a": there, "name": f"c.d/{there}", "z": 1}, indent=indent or None, ensure_ascii=bom)
    files = {
        "server.json": ("\ufeff" * bom + manifest).replace("\n", newline).encode(),
        "plugin.json": ("\ufeff" * bom + plugin).replace("\n", newline).encode(),
        "t.toml": ("\ufeff" * bom + "# c\nname = 'x' # kept\n").replace("\n", newline).encode(),
        "mcp-lockstep.toml": (
            b"registry = 'private'  # the official one takes few characters\n"
            b"[[places]]\nfact = 'name'\nplace = 'plugin.json#/name'\n"
            b"[[places]]\nfact = 'name'\nplace = 't.toml:name'\n"
        ),
    }
    after = sync(files)
    read = {str(r.place): r.value for r in readings(after) if r.fact == "name"}
    assert set(read.values()) == {name}
    assert json.loads(after["plugin.json"].decode("utf-8-sig")) == {"a": there, "name": name, "z": 1}
    assert after["server.json"] == files["server.json"]
    assert after["t.toml"].endswith(f" # kept{newline}".encode())
    assert sync(after) == after

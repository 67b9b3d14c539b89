"""Each fact broken at each place: who is named, what is written, and that nothing else is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from mcp_lockstep.findings import Refused, parse_place
from mcp_lockstep.judge import Accept, judge_tree
from mcp_lockstep.pipeline.sync import Order, Synced, prepare
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

CONFIGS = ("pyproject.toml", "mcp-lockstep.toml")
LOCK = "mcp-lockstep.lock"


def owner_of(spot: Spot, config: str) -> Spot:
    return next(other for other in spots(config) if other.fact == spot.fact)


def others_of(spot: Spot, config: str) -> Iterator[Spot]:
    return (other for other in spots(config) if other.fact == spot.fact and other != spot)


def cases(*, owners: bool, configs: tuple[str, ...] = CONFIGS) -> list[ParameterSet]:
    return [
        pytest.param(config, spot, lock, id=f"{config}-{spot.place}-{'lock' if lock else 'no-lock'}")
        for config in configs
        for spot in spots(config)
        if (owner_of(spot, config) == spot) == owners
        for lock in (False, True)
    ]


def sync(files: Files, order: Order | None = None) -> tuple[Files, Synced]:
    synced = prepare(Tree(Memory(files)), order or Order())
    return written(files, synced.plan), synced


def told(files: Files) -> set[str]:
    return facts_told(judge_tree(Project(Tree(Memory(files)))).findings)


def with_lock(files: Files, **values: str) -> Files:
    return {**files, LOCK: lock_of({**SOUND_VALUES, **values}).encode()}


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("lock", [False, True])
def test_a_sound_project_gets_no_finding_and_no_write_but_its_lock(config: str, lock: bool) -> None:
    files = sound(config, lock=lock)
    assert judge_tree(Project(Tree(Memory(files)))).findings == ()
    after, synced = sync(files)
    assert synced.left == synced.replaced == ()
    assert after == with_lock(files)


@pytest.mark.parametrize(("config", "spot", "lock"), cases(owners=False))
def test_broken_where_it_is_not_owned(config: str, spot: Spot, lock: bool) -> None:
    files = sound(config, lock=lock)
    broken = put(files, spot, SOUND_VALUES[spot.fact], OTHER_VALUES[spot.fact])
    assert told(broken) == {spot.place}
    after, synced = sync(broken)
    assert after == with_lock(files)
    assert [(str(f.place), f.have, f.want) for f in synced.replaced] == [
        (spot.place, OTHER_VALUES[spot.fact], SOUND_VALUES[spot.fact])
    ]
    assert sync(after)[1].plan.changes == ()


@pytest.mark.parametrize(("config", "spot", "lock"), cases(owners=True))
def test_broken_at_its_owner(config: str, spot: Spot, lock: bool) -> None:
    value = OTHER_VALUES[spot.fact]
    broken = put(sound(config, lock=lock), spot, SOUND_VALUES[spot.fact], value)
    others = list(others_of(spot, config))
    assert told(broken) == {other.place for other in others}
    after, synced = sync(broken)
    wanted = broken
    for other in others:
        wanted = put(wanted, other, SOUND_VALUES[spot.fact], value)
    assert after == with_lock(wanted, **{spot.fact: value})
    assert {str(f.place) for f in synced.replaced} == {other.place for other in others}
    assert told(after) == set()
    assert sync(after)[1].plan.changes == ()


@pytest.mark.parametrize(("config", "spot", "lock"), cases(owners=False, configs=CONFIGS[:1]))
def test_changed_at_its_owner_and_to_something_else_at_one_place(config: str, spot: Spot, lock: bool) -> None:
    owner, value = owner_of(spot, config), OTHER_VALUES[spot.fact]
    broken = put(sound(config, lock=lock), owner, SOUND_VALUES[spot.fact], value)
    broken = put(broken, spot, SOUND_VALUES[spot.fact], THIRD_VALUES[spot.fact])
    after, _ = sync(broken)
    assert told(after) == set()
    assert after[LOCK] == lock_of({**SOUND_VALUES, spot.fact: value}).encode()


@pytest.mark.parametrize(
    ("lock", "here", "owner", "code"),
    [
        (None, "1.3.0", "1.2.0", "version-drift"),
        ("1.2.0", "1.2.0", "1.3.0", "version-behind"),
        ("1.2.0", "1.3.0", "1.2.0", "version-changed-here"),
        ("1.2.0", "1.4.0", "1.3.0", "version-apart"),
        ("1.2", "v1.2.0", "1.3.0", "version-behind"),
    ],
)
def test_the_lock_tells_which_side_moved(lock: str | None, here: str, owner: str, code: str) -> None:
    of = {spot.place: spot for spot in spots("pyproject.toml")}
    files = put(sound(), of["VERSION"], "1.2.0", here)
    files = put(files, of["pyproject.toml:project.version"], "1.2.0", owner)
    if lock is not None:
        files[LOCK] = lock_of({**SOUND_VALUES, "version": lock}).encode()
    findings = judge_tree(Project(Tree(Memory(files)))).findings
    assert [f.code.slug for f in findings if f.place.path == "VERSION"] == [code]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("server.json", '"description": "Tells the weather."', '"description": "Says if it rains."'),
        ("server.json", '"title": "Weather"', '"title": "Rain"'),
        ("server.json", "acme.example/weather", "acme.example/rain"),
        ("pyproject.toml", 'description = "Tells', 'description = "Shows'),
        ("pyproject.toml", 'description = "Tells the weather."\n', ""),
        ("README.md", "of version 1.2.0", "of version 1.1.0"),
        ("src/weather/__init__.py", '"""Weather."""', '"""Rain, version 1.1.0."""'),
    ],
)
@pytest.mark.parametrize("lock", [False, True])
def test_prose_is_never_drift(path: str, old: str, new: str, lock: bool) -> None:
    files = sound(lock=lock)
    files[path] = files[path].decode().replace(old, new).encode()
    assert judge_tree(Project(Tree(Memory(files)))).findings == ()
    assert sync(files)[0] == with_lock(files)


@pytest.mark.parametrize(("config", "spot", "lock"), cases(owners=False))
def test_an_accepted_place_decides_for_all_others(config: str, spot: Spot, lock: bool) -> None:
    value = OTHER_VALUES[spot.fact]
    broken = put(sound(config, lock=lock), spot, SOUND_VALUES[spot.fact], value)
    after, synced = sync(broken, Order(Accept(parse_place(spot.place))))
    wanted = broken
    for other in others_of(spot, config):
        wanted = put(wanted, other, SOUND_VALUES[spot.fact], value)
    assert after == with_lock(wanted, **{spot.fact: value})
    assert facts_told(synced.left) == set()
    assert sync(after)[1].plan.changes == ()


@pytest.mark.parametrize(
    ("config", "spot", "lock"),
    [*cases(owners=False, configs=CONFIGS[:1]), *cases(owners=True, configs=CONFIGS[1:])],
)
def test_what_sync_replaced_is_taken_back_by_the_line_that_it_prints(
    config: str, spot: Spot, lock: bool
) -> None:
    broken = put(sound(config, lock=lock), spot, SOUND_VALUES[spot.fact], OTHER_VALUES[spot.fact])
    after, synced = sync(broken)
    replaced = synced.replaced[0]
    back, again = sync(after, Order(Accept(replaced.place, replaced.have)))
    assert facts_told(again.left) == set()
    # Every place of the fact says again what the replaced one said, whoever the owner is.
    wanted = after
    for each in spots(config):
        if each.fact == spot.fact:
            wanted = put(wanted, each, replaced.want or "", replaced.have or "")
    assert back == with_lock(wanted, **{spot.fact: replaced.have or ""})


def test_a_place_that_is_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match=r"server\.json#/nothing is no place of a fact") as caught:
        prepare(Tree(Memory(sound())), Order(Accept(parse_place("server.json#/nothing"))))
    (finding,) = caught.value.findings
    assert finding.code.slug == "no-such-place"
    assert "server.json#/version" in finding.hint


def test_one_fact_alone() -> None:
    of = {spot.place: spot for spot in spots("pyproject.toml")}
    files = put(sound(lock=True), of["VERSION"], "1.2.0", "1.3.0")
    files = put(files, of["README.md#mcp-name"], SOUND_VALUES["name"], OTHER_VALUES["name"])
    after, synced = sync(files, Order(only="version"))
    assert after == {**files, "VERSION": b"1.2.0\n"}
    assert [str(f.place) for f in synced.replaced] == ["VERSION"]
    assert sync(after)[0] == sound(lock=True)

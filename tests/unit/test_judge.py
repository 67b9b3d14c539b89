"""One project judged whole."""

from __future__ import annotations

import pytest

from mcp_lockstep.config import Config
from mcp_lockstep.findings import Code, Finding, Place, Refused, parse_place
from mcp_lockstep.judge import Accept, Judgement, judge, judge_tree, wanted
from mcp_lockstep.lock import LOCK, Lock
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree
from projects import SOUND_VALUES, Files, put, sound, spots

OF = {spot.place: spot for spot in spots("pyproject.toml")}


def project(files: Files) -> Project:
    return Project(Tree(Memory(files)))


def judged(files: Files, accept: str = "", only: str = "") -> Judgement:
    return judge(project(files), Lock(), Accept(parse_place(accept)) if accept else None, only)


def configured(text: str) -> Files:
    files = sound()
    return {**files, "pyproject.toml": files["pyproject.toml"] + text.encode()}


def test_every_fact_has_its_owner_and_its_readings() -> None:
    facts = {one.fact.name: one for one in judged(sound()).facts}
    assert {name: facts[name].value for name in SOUND_VALUES} == dict(SOUND_VALUES)
    for name, one in facts.items():
        places = [str(reading.place) for reading in one.readings]
        assert len(places) == len(set(places))
        assert {spot.place for spot in OF.values() if spot.fact == name} <= {*places}


def test_the_lock_that_then_holds_keeps_what_nobody_decides() -> None:
    base = Lock({"version": "0.1", "gone": "x"}, {"tool": "()"})
    lock = judge(project({"VERSION": b"1"}), base).lock
    assert lock == base
    lock = judge(project(sound()), base).lock
    assert lock == Lock({**SOUND_VALUES, "gone": "x"}, {"tool": "()"})


def test_positions_stand_at_the_value() -> None:
    files = put(sound(), OF["src/weather/app.py::mcp.version"], "1.2.0", "1.3.0")
    (finding,) = judged(files).findings
    assert finding.position == (5, 13, 5, 20)


def test_an_owner_in_the_configuration() -> None:
    owners = '\n[tool.mcp-lockstep.owners]\nversion = "VERSION"\n'
    files = put(configured(owners), OF["VERSION"], "1.2.0", "1.3.0")
    found = judged(files)
    assert {f.place.path for f in found.findings if f.want == "1.3.0"} == {
        spot.path for spot in OF.values() if spot.fact == "version" and spot.place != "VERSION"
    }
    assert len(found.findings) == len(found.edits) == 8


@pytest.mark.parametrize(
    ("owners", "told"),
    [
        ('version = "nowhere"', ["no-such-place"]),
        ('version = "readme"', ["no-such-place"]),
        ('colour = "server.json#/version"', ["no-such-place"]),
        ('version = "manifest"', []),
        ('version = "server.json#/version"', []),
        ('tools = "code"', []),
    ],
)
def test_an_owner_that_is_no_place_is_told(owners: str, told: list[str]) -> None:
    found = judged(configured(f"\n[tool.mcp-lockstep.owners]\n{owners}\n")).findings
    assert [finding.code.slug for finding in found] == told


def test_accept_of_no_place() -> None:
    with pytest.raises(Refused, match="is no place of a fact"):
        judged(sound(), "server.json#/nowhere")


def test_only_one_fact_is_judged() -> None:
    files = put(sound(), OF["VERSION"], "1.2.0", "1.3.0")
    files = put(files, OF["README.md#mcp-name"], SOUND_VALUES["name"], "a.b/c")
    assert {f.fact for f in judged(files).findings} == {"name", "version"}
    assert {f.fact for f in judged(files, only="name").findings} == {"name"}
    assert judged(files, only="description").findings == ()


def test_a_lock_that_cannot_be_used_does_not_hide_the_rest() -> None:
    files = put(sound(), OF["VERSION"], "1.2.0", "1.3.0")
    found = judge_tree(project({**files, LOCK: b"<<<<<<<"})).findings
    assert [finding.code.slug for finding in found] == ["lock-unusable", "version-drift"]


def test_a_broken_file_does_not_hide_the_rest_and_is_told_once() -> None:
    files = put(sound(), OF["VERSION"], "1.2.0", "1.3.0")
    found = judge_tree(project({**files, "plugin.json": b"{", "README.md": b"\xff"})).findings
    slugs = [finding.code.slug for finding in found]
    assert {"not-json", "not-utf8", "version-drift"} <= set(slugs)
    assert slugs.count("not-json") == slugs.count("not-utf8") == 1


def test_two_places_of_one_text_are_one_edit() -> None:
    twice = (
        '\n[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = "VERSION"\n'
        '\n[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = "server.json"\npattern = \'"version": "(.*)",\'\n'
    )
    files = put(configured(twice), OF["VERSION"], "1.2.0", "1.3.0")
    files = put(files, OF["server.json#/version"], "1.2.0", "1.3.0")
    edits = judged(files).edits
    assert sorted(edit.path for edit in edits) == ["VERSION", "server.json"]


# What is left to say

CODE = Code("LS1021", "version-drift", "error", "S.", "E.", registry="registry-word")
FINDING = Finding(CODE, Place("a"), "m")


@pytest.mark.parametrize("word", ["LS1021", "LS10", "LS", "version-drift", "registry-word"])
def test_ignored(word: str) -> None:
    assert wanted((FINDING,), Config(ignore={word: "why"})) == ()
    assert wanted((FINDING,), Config(), (word,)) == ()


@pytest.mark.parametrize("word", ["", "LS2", "drift", "version"])
def test_not_ignored(word: str) -> None:
    assert wanted((FINDING,), Config(ignore={word: "why"}), (word,)) == (FINDING,)


def test_severities() -> None:
    (finding,) = wanted((FINDING,), Config(severity={"LS10": "note", "LS": "warning"}))
    assert finding.severity == "note"
    (finding,) = wanted((FINDING,), Config(severity={"LS2": "note"}))
    assert finding.severity == "error"

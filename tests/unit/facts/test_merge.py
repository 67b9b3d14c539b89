"""The merge as a table: who moved, who is named, and that order means nothing."""

from __future__ import annotations

import itertools

import pytest

from mcp_lockstep.facts.codes import APART, BEHIND, CHANGED_HERE, DISAGREE, DRIFT
from mcp_lockstep.facts.merge import merge, verdict
from mcp_lockstep.facts.table import FACTS, ROWS, Home, Reading, State
from mcp_lockstep.findings import parse_place

VERSION = FACTS["version"]


def reading(place: str, value: str | None, home: Home = "manifest", state: State = "known") -> Reading:
    return Reading("version", home, parse_place(place), value, state)


OWNER = reading("pyproject.toml:project.version", "2", "pyproject")


@pytest.mark.parametrize(
    ("base", "owner", "here", "wanted"),
    [
        (None, "1", "1", 0),
        (None, "1", "2", DRIFT),
        ("1", "1", "1", 0),
        ("1", "2", "1", BEHIND),
        ("1", "1", "2", CHANGED_HERE),
        ("1", "2", "2", 0),
        ("1", "2", "3", APART),
        ("1.0", "2", "v1", BEHIND),
        ("1.0.0", "v1", "2", CHANGED_HERE),
        ("1", "2.0rc1", "2.0.0-rc.1", 0),
        ("", "1", "2", APART),
    ],
)
def test_verdicts(base: str | None, owner: str, here: str, wanted: int) -> None:
    assert verdict(VERSION, base, owner, here) == wanted


@pytest.mark.parametrize(
    ("fact", "one", "other", "same"),
    [
        ("name", "io.github.a/b", "io.github.A/b", False),
        ("identifier", "Weather_Server", "weather.server", True),
        ("identifier", "weather", "weathers", False),
        ("schema", "2025-12-11", "2025-12-1", False),
        ("version", "1.2", "1.2.0", True),
        ("version", "1.2.0-alpha.1", "1.2.0a1", True),
        ("version", "1.2.0", "1.2.1", False),
        ("version", "latest", "latest ", True),
    ],
)
def test_spellings_of_one_value(fact: str, one: str, other: str, same: bool) -> None:
    assert (verdict(FACTS[fact], None, one, other) == 0) == same


def test_only_known_readings_disagree_and_what_is_made_later_is_a_note() -> None:
    readings = (
        OWNER,
        reading("a#/v", "1"),
        reading("b#/v", "{{V}}", state="stamped"),
        reading("c#/v", None, state="dynamic"),
        reading("d#/v", None, state="absent"),
    )
    agreement = merge(VERSION, None, readings, OWNER)
    assert (agreement.value, agreement.owner) == ("2", OWNER)
    assert sorted((str(one.finding.place), one.finding.code.slug) for one in agreement.judged) == [
        ("a#/v", "version-drift"),
        ("b#/v", "value-not-static"),
        ("c#/v", "value-not-static"),
    ]


def test_each_finding_belongs_to_its_reading() -> None:
    """Two places of one spelling (two patterns in one file) stay apart."""
    readings = (OWNER, reading("Dockerfile", "1", "own"), reading("Dockerfile", "3", "own"))
    judged = merge(VERSION, None, readings, OWNER).judged
    assert [(one.reading.value, one.finding.have) for one in judged] == [("1", "1"), ("3", "3")]


@pytest.mark.parametrize("base", [None, "1", "9"])
def test_the_order_of_readings_means_nothing(base: str | None) -> None:
    readings = (
        OWNER,
        reading("a#/v", "1"),
        reading("b#/v", "3"),
        reading("c#/v", "2.0"),
        reading("d#/v", "9"),
    )
    found = {
        frozenset(
            (one.finding.place, one.finding.code.id) for one in merge(VERSION, base, order, OWNER).judged
        )
        for order in itertools.permutations(readings)
    }
    assert len(found) == 1


def test_without_an_owner_the_last_agreement_stays_and_nobody_is_blamed() -> None:
    agreement = merge(VERSION, "1", (reading("a#/v", "1"), reading("b#/v", "2")), None)
    assert agreement == ("1", None, ())


def test_a_home_apart_is_told_and_never_changed() -> None:
    owner = reading("server.json#/version", "2")
    mine = reading("pyproject.toml:project.version", "1", "pyproject")
    apart: tuple[Home, ...] = ("pyproject",)
    (judged,) = merge(VERSION, None, (owner, mine), owner, apart).judged
    assert (judged.finding.code.slug, judged.finding.severity, judged.finding.fixable) == (
        "version-elsewhere",
        "warning",
        False,
    )
    (judged,) = merge(VERSION, None, (owner, mine), owner).judged
    assert (judged.finding.code.slug, judged.finding.fixable) == ("version-drift", True)


def test_every_identity_fact_has_a_code_for_every_verdict() -> None:
    for fact in ROWS:
        for digit in (DRIFT, BEHIND, CHANGED_HERE, APART):
            assert ((fact.name, digit) in DISAGREE) == (fact.kind == "identity")
            if fact.kind == "identity":
                assert DISAGREE[fact.name, digit].id == f"LS1{fact.row:02}{digit}"

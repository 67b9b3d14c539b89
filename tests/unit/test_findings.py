"""Places, codes and exit codes."""

from __future__ import annotations

import itertools

import pytest

from mcp_lockstep.findings import (
    Code,
    Exit,
    Finding,
    Place,
    Refused,
    Severity,
    exit_code,
    nearest,
    parse_place,
)

CODE = Code("LS1021", "version-drift", "error", "S.", "E.", registry="version-mismatch")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("VERSION", Place("VERSION")),
        ("server.json#/packages/0/version", Place("server.json", "#", "/packages/0/version")),
        ("README.md#mcp-name", Place("README.md", "#", "mcp-name")),
        ("pyproject.toml:project.version", Place("pyproject.toml", ":", "project.version")),
        ("src/weather/app.py::mcp.version", Place("src/weather/app.py", "::", "mcp.version")),
        ("x.json#/a:b::c", Place("x.json", "#", "/a:b::c")),
        ("#x", Place("#x")),
        ("", Place("")),
    ],
)
def test_a_place_is_read_as_it_is_written(text: str, place: Place) -> None:
    assert parse_place(text) == place
    assert str(place) == text


@pytest.mark.parametrize("text", ["LS1021", "LS102", "LS1", "LS", "version-drift", "version-mismatch"])
def test_a_code_answers_to_id_prefix_slug_and_registry(text: str) -> None:
    assert CODE.answers(text)


@pytest.mark.parametrize("text", ["", "L", "LS2", "LS10210", "version", "drift", "ls1021", "021"])
def test_a_code_answers_to_nothing_else(text: str) -> None:
    assert not CODE.answers(text)
    assert not CODE._replace(registry="").answers(text)


def finding(code: Exit, severity: Severity, level: Severity | None = None) -> Finding:
    return Finding(CODE._replace(exit=code, severity=severity), Place("a"), "m", level=level)


@pytest.mark.parametrize(
    ("exits", "code"), [((), 0), ((1,), 1), ((1, 3), 3), ((1, 3, 2), 2), ((3, 2, 4, 1), 4), ((3,), 3)]
)
def test_the_worst_exit_wins(exits: tuple[Exit, ...], code: int) -> None:
    for order in itertools.permutations(exits):
        assert exit_code(tuple(finding(one, "error") for one in order)) == code


def test_what_is_no_error_makes_no_exit() -> None:
    assert exit_code((finding(2, "warning"), finding(3, "note"))) == 0
    assert exit_code((finding(2, "warning"), finding(3, "note")), strict=True) == 1
    assert exit_code((finding(3, "note"),), strict=True) == 0
    assert exit_code((finding(3, "warning", level="error"),)) == 3
    assert exit_code((finding(3, "error", level="note"),)) == 0


def test_refused_carries_what_it_says() -> None:
    refused = Refused(finding(2, "error"), finding(1, "error"))
    assert str(refused) == "m; m"
    assert [f.code.exit for f in refused.findings] == [2, 1]


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("verion", ("version", "versions", "name"), "version"),
        ("nothing", ("version",), ""),
        ("x", (), ""),
        ("", ("", "a"), ""),
    ],
)
def test_what_was_probably_meant(word: str, known: tuple[str, ...], meant: str) -> None:
    assert nearest(word, iter(known)) == meant


def test_how_alike_it_has_to_be_is_told() -> None:
    assert nearest("verse", ["version"], 0.6) == "version"
    assert nearest("verse", ["version"], 0.7) == ""

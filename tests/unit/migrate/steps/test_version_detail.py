"""The step `version_detail`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.version_detail import version_detail
from stepped import JsonObject, said, stepped


def test_the_version_moves_up_and_the_date_is_told_of() -> None:
    data: JsonObject = {
        "name": "a/b",
        "version_detail": {"version": "1.2.0", "release_date": "2025"},
        "id": 7,
    }
    after, moves = stepped(version_detail, data)
    assert after == {"name": "a/b", "version": "1.2.0"}
    assert said(moves) == [
        ("note", "moved", "/version_detail/version"),
        ("note", "dropped", "/version_detail/release_date"),
        ("note", "dropped", "/id"),
    ]


@pytest.mark.parametrize("detail", [{"version": "2.0.0"}, {}, {"version": 2}, "2.0.0", None])
def test_a_version_that_is_there_stays(detail: object) -> None:
    after, moves = stepped(version_detail, {"version": "1.2.0", "version_detail": detail})
    assert after == {"version": "1.2.0"}
    assert said(moves) == [("warning", "dropped", "/version_detail")]


def test_a_file_of_today_is_left_alone() -> None:
    data: JsonObject = {"version": "1.2.0", "packages": [{"id": "x", "version_detail": {}}]}
    assert stepped(version_detail, data) == (data, ())

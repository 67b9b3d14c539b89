"""Where two documents differ, by pointer, with both values."""

from __future__ import annotations

import pytest

from mcp_lockstep.artefact.differences import differences


@pytest.mark.parametrize(
    ("have", "want", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
        ({"a": 1}, {"a": 1.0}, [("/a", "1", "1.0")]),
        ({"a": True}, {"a": 1}, [("/a", "true", "1")]),
        ({"a": "1"}, {"a": 1}, [("/a", "1", "1")]),
        ({"a": None}, {}, [("/a", "null", None)]),
        ({}, {"a/b": {"c": 1}}, [("/a~1b", None, '{"c": 1}')]),
        ({"a": [1, 2]}, {"a": [1, 3, 4]}, [("/a/1", "2", "3"), ("/a/2", None, "4")]),
        ({"a": [1]}, {"a": {}}, [("/a", "[1]", "{}")]),
        ([], {}, [("", "[]", "{}")]),
    ],
)
def test_values_that_differ(
    have: object, want: object, expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert [tuple(one) for one in differences(have, want)] == expected


def test_long_values_are_shortened() -> None:
    (found,) = differences("x" * 1_000, "")
    assert found.have is not None
    assert len(found.have) == 80

"""The step `status`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.status import status
from stepped import said, stepped


@pytest.mark.parametrize(
    ("value", "level"),
    [("active", "note"), ("deprecated", "warning"), ("deleted", "warning"), (1, "warning")],
)
def test_status_goes_and_what_it_said_is_told(value: object, level: str) -> None:
    after, moves = stepped(status, {"status": value, "packages": [{"status": "x"}]})
    assert after == {"packages": [{"status": "x"}]}
    assert said(moves) == [(level, "dropped", "/status")]
    assert ("mcp-publisher status" in moves[0].hint) is (level == "warning")

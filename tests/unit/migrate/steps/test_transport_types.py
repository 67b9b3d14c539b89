"""The step `transport_types`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.transport_types import transport_types
from stepped import JsonObject, in_package, said, stepped


@pytest.mark.parametrize("old", ["streamable", "streamableHttp", "streamable_http"])
def test_a_remote_gets_the_name_of_today(old: str) -> None:
    after, moves = stepped(transport_types, {"remotes": [{"type": old}, {"type": "sse"}]})
    assert after == {"remotes": [{"type": "streamable-http"}, {"type": "sse"}]}
    assert said(moves) == [("note", "converted", "/remotes/0/type")]


def test_a_package_without_transport_gets_the_usual_one_and_a_warning() -> None:
    after, moves = stepped(transport_types, in_package(identifier="weather"))
    assert after == in_package(identifier="weather", transport={"type": "stdio"})
    assert said(moves) == [("warning", "assumed", "/packages/0/transport")]


@pytest.mark.parametrize("data", [{"remotes": {"sse": {}}}, {"remotes": ["sse"]}, {"packages": 7}, {}])
def test_other_shapes_stay_for_the_rules(data: JsonObject) -> None:
    assert stepped(transport_types, data) == (data, ())

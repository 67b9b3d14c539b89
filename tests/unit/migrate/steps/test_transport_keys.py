"""The step `transport_keys`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.transport_keys import transport_keys
from stepped import in_package, said, stepped


@pytest.mark.parametrize("key", ["transport_type", "transportType"])
def test_the_kind_stands_under_type(key: str) -> None:
    after, moves = stepped(transport_keys, {"remotes": [{"url": "https://a", key: "sse"}]})
    assert after == {"remotes": [{"url": "https://a", "type": "sse"}]}
    assert said(moves) == [("note", "moved", f"/remotes/0/{key}")]


def test_a_package_may_have_it_too() -> None:
    after, moves = stepped(transport_keys, in_package(transport={"transport_type": "stdio"}))
    assert after == in_package(transport={"type": "stdio"})
    assert said(moves) == [("note", "moved", "/packages/0/transport/transport_type")]


def test_of_three_names_one_stays() -> None:
    data: dict[str, object] = {"remotes": [{"transport_type": "sse", "transportType": "streamable"}]}
    after, moves = stepped(transport_keys, data)
    assert after == {"remotes": [{"type": "sse"}]}
    assert [kind for _, kind, _ in said(moves)] == ["moved", "dropped"]

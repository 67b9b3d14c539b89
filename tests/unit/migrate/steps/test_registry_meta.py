"""The step `registry_meta`."""

from __future__ import annotations

from mcp_lockstep.migrate.steps.registry_meta import OFFICIAL, registry_meta
from stepped import said, stepped


def test_the_entry_goes_and_others_stay() -> None:
    after, moves = stepped(registry_meta, {"_meta": {"a": 1, OFFICIAL: {"id": "1"}, "b": 2}})
    assert after == {"_meta": {"a": 1, "b": 2}}
    assert said(moves) == [("note", "dropped", "/_meta/io.modelcontextprotocol.registry~1official")]


def test_a_meta_of_nothing_else_goes_with_it() -> None:
    after, moves = stepped(registry_meta, {"name": "a/b", "_meta": {OFFICIAL: {}}})
    assert after == {"name": "a/b"}
    assert said(moves) == [("note", "dropped", "/_meta")]

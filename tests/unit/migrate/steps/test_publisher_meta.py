"""The step `publisher_meta`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.publisher_meta import publisher_meta
from mcp_lockstep.rules.meta import PUBLISHER
from stepped import JsonObject, said, stepped

OWN: JsonObject = {"is_required": True, "n": [1, {"registry_type": None}]}


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"_meta": {"publisher": OWN}}, "/_meta/publisher"),
        ({"x-publisher": OWN}, "/x-publisher"),
        ({"x-publisher": OWN, "_meta": {}}, "/x-publisher"),
    ],
)
def test_the_data_moves_whole(data: JsonObject, pointer: str) -> None:
    after, moves = stepped(publisher_meta, data)
    assert after == {"_meta": {PUBLISHER: OWN}}
    assert said(moves) == [("note", "moved", pointer)]


@pytest.mark.parametrize(
    "data",
    [
        {"_meta": {PUBLISHER: {}, "publisher": OWN}},
        {"x-publisher": "text"},
        {"_meta": "text", "x-publisher": OWN},
        {"_meta": {"publisher": []}},
    ],
)
def test_what_has_no_place_stays_for_the_rules(data: JsonObject) -> None:
    assert stepped(publisher_meta, data) == (data, ())

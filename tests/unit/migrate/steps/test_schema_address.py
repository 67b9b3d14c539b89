"""The step `schema_address`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.schema_address import schema_address
from stepped import said, stepped

NEW = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


@pytest.mark.parametrize(
    ("old", "was"),
    [
        (NEW.replace("2025-12-11", "2025-09-29"), "was 2025-09-29"),
        ("https://modelcontextprotocol.io/schema/2025-10-17/server.json", "named no published revision"),
        (7, "named no published revision"),
        ("", "named no published revision"),
    ],
)
def test_the_address_is_that_of_the_new_revision(old: object, was: str) -> None:
    after, moves = stepped(schema_address, {"name": "a/b", "$schema": old})
    assert after == {"name": "a/b", "$schema": NEW}
    assert said(moves) == [("note", "converted", "/$schema")]
    assert moves[0].message == f"The file keeps to 2025-12-11 now; it {was}."


def test_a_file_without_one_gets_it_first() -> None:
    after, moves = stepped(schema_address, {"name": "a/b"})
    assert isinstance(after, dict)
    assert [*after.items()] == [("$schema", NEW), ("name", "a/b")]
    assert said(moves) == [("note", "assumed", "/$schema")]


def test_an_empty_file_gets_it_too() -> None:
    assert stepped(schema_address, {})[0] == {"$schema": NEW}

from __future__ import annotations

import pytest

from mcp_lockstep.schema.locate import index, located
from mcp_lockstep.schema.values import Node

ROOT: Node = {
    "$id": "https://example.com/a/root.json",
    "properties": {"a/b": {"type": "string"}, "c d": {"type": "null"}},
    "$defs": {"E": {"$id": "e.json", "$defs": {"F": {"$anchor": "f"}}}},
    "prefixItems": [{}, {"title": "second"}],
}


@pytest.mark.parametrize(
    ("at", "target", "wanted"),
    [
        ((), "#", ()),
        ((), "#/properties/a~1b", ("properties", "a/b")),
        ((), "#/properties/c%20d", ("properties", "c d")),
        ((), "#/prefixItems/1", ("prefixItems", "1")),
        ((), "#/prefixItems/2", None),
        ((), "#/properties", ("properties",)),
        ((), "e.json", ("$defs", "E")),
        ((), "https://example.com/a/e.json#f", ("$defs", "E", "$defs", "F")),
        (("$defs", "E"), "#/$defs/F", ("$defs", "E", "$defs", "F")),
        (("$defs", "E"), "root.json#/properties/a~1b", ("properties", "a/b")),
        ((), "#f", None),
        ((), "https://example.com/b.json", None),
        ((), "http://[", None),
    ],
)
def test_references_are_followed_inside_one_schema(
    at: tuple[str, ...], target: str, wanted: tuple[str, ...] | None
) -> None:
    assert located(ROOT, at, target, index(ROOT)) == wanted

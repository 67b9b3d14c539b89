"""The types of the protocol, and what deviates from them."""

from __future__ import annotations

from mcp_lockstep.contract.model import JsonObject
from mcp_lockstep.contract.shapes import Deviation, deviations, type_name


def test_every_kind_of_deviation() -> None:
    tool: JsonObject = {
        "name": 5,
        "title": None,
        "x": 1,
        "annotations": {"readOnlyHint": 1, "title": None, "category": "c"},
        "icons": [{"src": "i", "theme": "blue", "y": 1}, "x"],
    }
    assert list(deviations(tool, "tool")) == [
        Deviation("missing", ("inputSchema",), "an object"),
        Deviation("wrong", ("name",), "a string"),
        Deviation("null", ("title",)),
        Deviation("unknown", ("x",)),
        Deviation("wrong", ("annotations", "readOnlyHint"), "true or false"),
        Deviation("null", ("annotations", "title")),
        Deviation("unknown", ("annotations", "category")),
        Deviation("wrong", ("icons", 0, "theme"), '"dark" or "light"'),
        Deviation("unknown", ("icons", 0, "y")),
        Deviation("wrong", ("icons", 1), "an object"),
    ]


def test_schemas_are_open_but_a_null_at_their_root_is_not_sent() -> None:
    tool: JsonObject = {"name": "a", "inputSchema": {"x": {"y": None}, "default": None, "*": 1}}
    assert list(deviations(tool, "tool")) == [Deviation("null", ("inputSchema", "default"))]


def test_a_key_named_like_the_wildcard_is_an_unknown_key() -> None:
    assert list(deviations({"name": "p", "*": 1}, "prompt")) == [Deviation("unknown", ("*",))]


def test_booleans_are_no_numbers() -> None:
    resource: JsonObject = {"name": "a", "uri": "x:y", "size": True, "annotations": {"priority": True}}
    assert [(d.kind, d.parts) for d in deviations(resource, "resource")] == [
        ("wrong", ("size",)),
        ("wrong", ("annotations", "priority")),
    ]


def test_type_names() -> None:
    assert type_name("icon[]") == "an array"
    assert type_name("icon") == "an object"
    assert type_name("fraction") == "a number from 0 to 1"

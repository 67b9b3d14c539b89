"""msgspec is refused, with the places that it could not decode."""

from __future__ import annotations

from typing import Any, cast

import pytest

from mcp_lockstep.bundled import catalog
from mcp_lockstep.config.styles import Style
from mcp_lockstep.models import ModelOptions, generate_models

STRUCTS = ModelOptions(style=Style(kind="msgspec"))
OBJECT: dict[str, Any] = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}


def told(schema: object) -> list[str]:
    made = generate_models(schema, STRUCTS)
    assert made.source == ""
    assert {(f.code.slug, f.severity) for f in made.findings} == {("msgspec-cannot-decode", "error")}
    return [f.place.address for f in made.findings]


def tagged(tag: str) -> dict[str, Any]:
    return {**OBJECT, "properties": {"type": {"const": tag}}, "required": ["type"]}


@pytest.mark.parametrize(
    ("schema", "places"),
    [
        ({"type": "object", "properties": {"a": {}}}, [""]),
        ({"$defs": {"A": OBJECT}, "anyOf": [{"$ref": "#/$defs/A"}, OBJECT]}, ["/anyOf", ""]),
        ({"anyOf": [tagged("a"), tagged("b")]}, [""]),
        ({"type": "string"}, [""]),
    ],
)
def test_where_it_fails(schema: dict[str, Any], places: list[str]) -> None:
    assert told(schema) == places


def test_the_protocol() -> None:
    places = told(cast("object", catalog.documented("mcp", "2026-07-28")))
    assert "/$defs/ServerResult/anyOf" in places
    assert len(places) > 10

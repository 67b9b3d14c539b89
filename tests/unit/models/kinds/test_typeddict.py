"""TypedDicts: keys as on the wire, in a class where a class can have them."""

from __future__ import annotations

import types
import typing
from typing import Any

import pytest

from generated_modules import loaded
from mcp_lockstep.config.styles import Python, Style
from mcp_lockstep.models import ModelOptions, generate_models

SCHEMA: dict[str, Any] = {
    "$defs": {
        "Plain": {
            "type": "object",
            "description": "Text.",
            "properties": {"a": {"type": "string", "description": "One."}, "b": {"type": "integer"}},
            "required": ["a"],
            "additionalProperties": False,
        },
        "Odd": {
            "type": "object",
            "properties": {
                "a-b": {"type": "string"},
                "'\n": {"type": "string"},
                "class": {"type": "array", "items": {"$ref": "#/$defs/Odd"}},
            },
            "required": ["a-b"],
        },
        "Hiding": {"type": "object", "properties": {"str": {"type": "string"}, "x": {"type": "string"}}},
    }
}


def made(python: Python, schema: dict[str, Any] = SCHEMA) -> str:
    return generate_models(schema, ModelOptions(style=Style(kind="typeddict", python=python))).source


def keys(cls: Any) -> tuple[set[str], set[str]]:
    return set(cls.__required_keys__), set(cls.__optional_keys__)


@pytest.mark.parametrize("python", ["3.10", "3.11"])
def test_keys(python: Python) -> None:
    module = loaded(made(python))
    assert keys(module.Plain) == ({"a"}, {"b"})
    assert keys(module.Odd) == ({"a-b"}, {"'\n", "class"})
    assert keys(module.Hiding) == (set(), {"str", "x"})
    assert module.Plain.__doc__ == "Text."
    hints = typing.get_type_hints(module.Odd)
    assert hints["class"] == types.GenericAlias(list, (module.Odd,))


def test_what_older_python_has_not_got_is_not_used() -> None:
    assert "NotRequired" not in made("3.10")
    assert "b: NotRequired[int]" in made("3.11")
    assert "class Plain(_PlainRequired, _PlainOptional):" in made("3.10")


def test_a_closed_one_is_closed_where_python_can() -> None:
    assert "class Plain(TypedDict, closed=True):" in made("3.15")
    assert "closed" not in made("3.14")


def test_what_it_cannot_say_is_told_where_it_stands() -> None:
    def told(python: Python) -> list[tuple[str, str]]:
        options = ModelOptions(style=Style(kind="typeddict", python=python))
        return [(f.place.address, f.code.slug) for f in generate_models(SCHEMA, options).findings]

    rest = ("", "schema-beyond-kind")
    assert told("3.15") == [rest]
    assert told("3.14") == [("/$defs/Plain/additionalProperties", "schema-beyond-kind"), rest]

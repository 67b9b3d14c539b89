"""Dataclasses: what they hold, what they are called, what they default to."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from generated_modules import loaded
from mcp_lockstep.config.styles import Style
from mcp_lockstep.models import ModelOptions, generate_models

PLAIN = ModelOptions(style=Style(kind="dataclass"))
SNAKE = ModelOptions(style=Style("ergonomic", "dataclass"))
SCHEMA: dict[str, Any] = {
    "title": "Forecast",
    "description": 'Says "hello".\n"""\nimport os',
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where."},
        "dayCount": {"type": "integer", "default": 3},
        "tags": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
        "_meta": {"type": "object", "additionalProperties": {"type": "integer"}},
        "class": {"type": ["string", "null"]},
        "str": {"type": "string"},
        "place": {"$ref": "#/$defs/Place", "default": {"lat": 1}},
        "near": {"type": "array", "items": {"$ref": "#/$defs/Forecast"}},
        "odd": {"$ref": "#/$defs/Place", "default": {"lat": 1, "more": 2}},
    },
    "required": ["city"],
    "$defs": {
        "Place": {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]},
        "Forecast": {"$ref": "#"},
    },
}


def test_fields_defaults_and_names() -> None:
    module = loaded(generate_models(SCHEMA, PLAIN).source)
    forecast = module.Forecast
    made = forecast(city="Oslo")
    assert dataclasses.asdict(made) == {
        "city": "Oslo", "dayCount": 3, "tags": ["a"], "meta_": None, "class_": None, "str_": None,
        "place": {"lat": 1}, "near": None, "odd": None,
    }  # fmt: skip
    assert made.place == module.Place(lat=1)
    assert made.tags is not forecast(city="Oslo").tags
    assert forecast.__doc__ == SCHEMA["description"]
    assert module.WIRE_NAMES == {"Forecast": {"class_": "class", "meta_": "_meta", "str_": "str"}}
    assert "WIRE_NAMES" in module.__all__


def test_types_can_be_asked_for() -> None:
    module = loaded(generate_models(SCHEMA, PLAIN).source)
    hints = typing.get_type_hints(module.Forecast)
    assert hints["city"] is str
    assert hints["dayCount"] is int
    assert hints["near"] == types.GenericAlias(list, (module.Forecast,)) | None
    assert hints["meta_"] == dict[str, int] | None


def test_snake_case() -> None:
    module = loaded(generate_models(SCHEMA, SNAKE).source)
    made = module.Forecast(city="Oslo", day_count=1, meta={"a": 1})
    assert (made.day_count, made.meta) == (1, {"a": 1})
    assert module.WIRE_NAMES["Forecast"]["day_count"] == "dayCount"


def test_what_it_cannot_say_is_told_where_it_stands() -> None:
    made = generate_models(SCHEMA, PLAIN)
    assert {(f.code.slug, f.place.address) for f in made.findings} == {
        ("field-renamed", "/properties/_meta"),
        ("field-renamed", "/properties/class"),
        ("field-renamed", "/properties/str"),
        ("schema-beyond-kind", ""),
    }


def test_aliases_on_newer_python() -> None:
    schema = {
        "$defs": {
            "Tree": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}]}
        }
    }
    source = generate_models(schema, ModelOptions(style=Style(kind="dataclass", python="3.12"))).source
    assert "type Tree = str | list[Tree]" in source
    older = generate_models(schema, PLAIN).source
    assert "Tree: TypeAlias = str | list['Tree']" in older
    assert loaded(older).Tree.__args__[0] is str

"""Parsed data of unknown shape, narrowed: what is not of the wanted shape is empty."""

from __future__ import annotations

from typing import Literal, cast

JsonObject = dict[str, object]
"""A parsed JSON object or TOML table. It is shared: read it, never change it."""

Kind = Literal["null", "boolean", "number", "string", "array", "object"]
"""The type of a JSON value; integers are numbers."""


def kind_of(value: object) -> Kind:
    """The JSON type of a value."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def as_object(value: object) -> JsonObject | None:
    """`value` if it is an object (a table)."""
    return cast("JsonObject", value) if isinstance(value, dict) else None


def as_array(value: object) -> list[object] | None:
    """`value` if it is an array."""
    return cast("list[object]", value) if isinstance(value, list) else None


def objects(value: object) -> tuple[JsonObject, ...]:
    """The objects in an array; none where `value` is something else."""
    return tuple([item for item in map(as_object, as_array(value) or ()) if item is not None])


def table(value: object, *keys: str) -> JsonObject:
    """The object that `keys` lead to from `value`; empty where there is none."""
    for key in keys:
        value = (as_object(value) or {}).get(key)
    return as_object(value) or {}


def text_of(value: object) -> str:
    """`value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""

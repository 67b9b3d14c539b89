"""Schemas of any size, of the kinds that make generators slow or stop them."""

from __future__ import annotations

from collections.abc import Callable

from mcp_lockstep.schema.values import Json, Node


def definitions(count: int) -> Node:
    """So many classes that refer to each other."""
    return {
        "$defs": {
            f"T{place}": {
                "type": "object",
                "properties": {
                    "size": {"type": "integer", "minimum": place},
                    "next": {"$ref": f"#/$defs/T{place // 2}"},
                    "text": {"type": "string", "minLength": 1},
                },
                "required": ["size"],
            }
            for place in range(count)
        }
    }


def union(count: int) -> Node:
    """A union of so many classes, told apart by a constant."""
    members: dict[str, Json] = {
        f"T{place}": {
            "type": "object",
            "properties": {"kind": {"const": f"k{place}"}, "value": {"type": "integer"}},
            "required": ["kind"],
        }
        for place in range(count)
    }
    return {"$defs": {**members, "Choice": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in members]}}}


def nested(count: int) -> Node:
    """Arrays so many levels deep."""
    node: Node = {"type": "string"}
    for _ in range(count):
        node = {"type": "array", "items": node}
    return {"$defs": {"T0": node}}


def chain(count: int, wrap: Callable[[Node], Node]) -> Node:
    """So many definitions, each inside the one before."""
    made: dict[str, Json] = {f"T{place}": wrap({"$ref": f"#/$defs/T{place + 1}"}) for place in range(count)}
    return {"$defs": {**made, f"T{count}": {"type": "string"}}}


WRAPS: dict[str, Callable[[Node], Node]] = {
    "alias": lambda inner: inner,
    "array": lambda inner: {"type": "array", "items": inner},
    "map": lambda inner: {"type": "object", "additionalProperties": inner},
    "class": lambda inner: {"type": "object", "properties": {"next": inner}},
    "further properties": lambda inner: {
        "type": "object",
        "properties": {"a": {}},
        "additionalProperties": inner,
    },
    "optional": lambda inner: {
        "type": "object",
        "properties": {"next": {"anyOf": [inner, {"type": "null"}]}},
    },
    "long array": lambda inner: {
        "type": "object",
        "properties": {"next": {"type": "array", "items": inner, "minItems": 1, "uniqueItems": True}},
    },
}
"""What may stand between one definition of a chain and the next."""

"""Schemas that belong together as one document with a definition for each."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import Json, Node


class Part(NamedTuple):
    """One root schema: the class it becomes, what its own definitions are prefixed with where they clash.

    `is_object`: whether only objects come here (the arguments of a tool), so that it must be one class.
    """

    name: str
    prefix: str
    schema: Node
    is_object: bool = False


def bundle(parts: Iterable[Part], *, reserved: Iterable[str] = (), keep: str = "used") -> Node:
    """The document of all `parts`, as the passes take it; `keep` is `used` or `all` (definitions)."""
    definitions: dict[str, Json] = {}
    prefixes: dict[str, Json] = {}
    objects: list[Json] = []
    for part in parts:
        definitions[part.name] = part.schema
        prefixes[part.name] = part.prefix
        if part.is_object:
            objects.append(part.name)
    return {
        "$defs": definitions,
        "x-resources": prefixes,
        "x-objects": objects,
        "x-reserved": [*reserved],
        "x-keep": keep,
    }

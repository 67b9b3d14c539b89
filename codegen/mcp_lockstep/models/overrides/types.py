"""Types of the user's in place of what a schema says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_lockstep.config.overrides import BUILTIN_TYPES, Overrides, OverrideTrouble
from mcp_lockstep.models.overrides.names import is_pointer, near
from mcp_lockstep.models.overrides.places import Places, Spot, formats, with_format
from mcp_lockstep.models.support import HELPERS
from mcp_lockstep.models.types import OWN_TYPE
from mcp_lockstep.naming import class_name
from mcp_lockstep.schema.values import RULES, Json, Node, as_map, as_node, named, subschemas

_READS_TEXT = frozenset("datetime decimal ipaddress pathlib pydantic uuid".split())
"""Modules whose types are read from text on the wire, which strict models would refuse."""


def typed(
    document: Node, places: Places, overrides: Overrides, troubles: list[OverrideTrouble]
) -> tuple[Node, tuple[str, ...]]:
    """`document` with the types given, and the import lines for them."""
    taken = HELPERS | {*places.pool, *_properties(document)}
    local = {dotted: local_name(dotted, taken) for dotted in sorted({*overrides.types.values()})}
    definitions = {**places.pool}
    for key, dotted in overrides.types.items():
        for spot in map(places.without_null, _spots(key, places, troubles)):
            marker = _own_type(local[dotted], dotted)
            definitions[spot.definition] = as_node(_put(definitions[spot.definition], spot.way, marker))
    imported = tuple(line for dotted, name in local.items() if (line := import_line(dotted, name)))
    return {**document, "$defs": {**definitions}}, imported


def _own_type(name: str, dotted: str) -> Node:
    """The schema that stands for a type of the user's."""
    lenient = dotted.partition(".")[0] in _READS_TEXT
    return {OWN_TYPE: {"name": name, "lenient": lenient}}


def local_name(dotted: str, taken: frozenset[str] | set[str]) -> str:
    """What a type is called in the module: its last part, with its module's name where that is taken."""
    module, _, name = dotted.rpartition(".")
    if not module:
        return name
    if name in taken:
        name = f"{module.rpartition('.')[2]}_{name}".lstrip("_")
    while name in taken:
        name = f"{class_name(module)}_{name}"
    return name


def import_line(dotted: str, name: str) -> str:
    """The statement that brings a type into the module; empty for a builtin."""
    module, _, own = dotted.rpartition(".")
    if dotted in BUILTIN_TYPES:
        return ""
    return f"from {module} import {own}" + (f" as {name}" if name != own else "")


def _spots(key: str, places: Places, troubles: list[OverrideTrouble]) -> Iterator[Spot]:
    """The places that a pointer, `Class.field` or a format means."""
    where = ("types", key)
    if is_pointer(key):
        yield from _at(key, places, where, troubles)
    elif "." in key:
        cls, _, field = key.partition(".")
        properties = as_map(places.pool.get(cls, {}).get("properties"))
        if field in properties:
            yield Spot(cls, ("properties", field))
            return
        message = f"`types.{key}`: there is no field {field} of a class {cls}"
        hint = near(field, properties) or near(cls, places.pool)
        troubles.append(OverrideTrouble(where, message, key, hint=hint))
    else:
        found = [*with_format(places.root, key)]
        if not found:
            known = {name for _, name in formats(places.root)}
            message = f"`types.{key}`: nothing in the schema has the format {key!r}"
            troubles.append(OverrideTrouble(where, message, key, hint=near(key, known)))
        for pointer in found:
            yield from _at(pointer, places, where, troubles)


def _at(
    pointer: str, places: Places, where: tuple[str, ...], troubles: list[OverrideTrouble]
) -> Iterator[Spot]:
    try:
        places.source(pointer)
        spot = places.find(pointer)
    except (KeyError, ValueError, IndexError):
        message = f"`{'.'.join(where)}`: nothing stands at {pointer} in the schema"
        troubles.append(OverrideTrouble(where, message, pointer))
        return
    if spot is None:
        message = f"`{'.'.join(where)}`: what stands at {pointer} became a part of another type"
        troubles.append(OverrideTrouble(where, message, pointer, hint="name the field: `Class.field`"))
        return
    yield spot


def _put(value: Json, way: tuple[str | int, ...], marker: Node) -> Json:
    """`value` with the schema at `way` replaced; its texts, default and rules stay."""
    if not way:
        kept = {key: item for key, item in as_map(value).items() if key in {"description", "default", RULES}}
        return {**kept, **marker}
    step = way[0]
    if isinstance(value, list) and isinstance(step, int):
        return [_put(item, way[1:], marker) if place == step else item for place, item in enumerate(value)]
    inner: Mapping[str, Json] = as_map(value)
    return {**inner, str(step): _put(inner[str(step)], way[1:], marker)}


def _properties(document: Node) -> Iterator[str]:
    """The names of all properties, which could become names of fields, as they are and in snake case."""
    from mcp_lockstep.models.profiles import snake_names

    waiting: list[Json] = [*named(document, "$defs").values()]
    while waiting:
        node = as_map(waiting.pop())
        wires = as_map(node.get("properties"))
        yield from wires
        yield from snake_names(wires).values()
        waiting += [child for _, child in subschemas(node)]

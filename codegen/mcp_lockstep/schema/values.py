"""JSON values and schema nodes as types, and the walks that every pass shares."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A parsed JSON value."""

Node: TypeAlias = dict[str, Json]
"""A schema that is an object (`booleans` turns `true` and `false` into one)."""

Path: TypeAlias = tuple[str, ...]
"""The parts of a JSON pointer, unescaped."""

RULES = "x-rules"
"""Our own keyword: schemas that the raw value must fulfil besides, which no type says. Means `allOf`."""

SINGLE = frozenset(
    "additionalItems additionalProperties contains else if items not propertyNames then "
    "unevaluatedItems unevaluatedProperties".split()
)
"""Keywords whose value is one schema (`items` may be an array of them in older drafts)."""

LISTS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", RULES])
"""Keywords whose value is an array of schemas."""

MAPS = frozenset("$defs definitions dependentSchemas patternProperties properties".split())
"""Keywords whose value is an object of schemas."""

POOLS = ("$defs", "definitions")
"""Those of them that hold definitions."""

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
"""Keywords that refer to a schema elsewhere. The dynamic ones act like `$ref` inside one document."""


def encoded(value: Json) -> str:
    """One text for equal values whatever the order of their keys; `1`, `1.0` and `true` stay apart."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def same(a: Json, b: Json) -> bool:
    """Whether JSON Schema takes two values as equal: `1` is `1.0`, `true` is not `1`."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def identity(value: Json) -> str:
    """One text for values that JSON Schema takes as equal, and for no others: `1` is `1.0`, `true` is not `1`."""
    return encoded(_whole(value))


def _whole(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {key: _whole(item) for key, item in value.items()} if isinstance(value, dict) else value


def as_node(value: Json) -> Node:
    """`value` as a schema: `true` is `{}`, `false` is never. TypeError for anything else."""
    if isinstance(value, dict):
        return value
    if isinstance(value, bool):
        return {} if value else {"not": {}}
    raise TypeError(f"not a schema: {type(value).__name__}")


def as_map(value: Json) -> dict[str, Json]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """`value` where it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def as_texts(value: Json) -> list[str]:
    """The strings in an array."""
    return [item for item in as_list(value) if isinstance(item, str)]


def nodes(node: Node, keyword: str) -> list[Node]:
    """The schemas in the array under `keyword`."""
    return [as_node(item) for item in as_list(node.get(keyword))]


def named(node: Node, keyword: str) -> dict[str, Node]:
    """The schemas in the object under `keyword`."""
    return {name: as_node(item) for name, item in as_map(node.get(keyword)).items()}


def types(node: Node) -> list[str]:
    """The names under `type`; empty where any type will do."""
    given = node.get("type")
    return [given] if isinstance(given, str) else as_texts(given)


def subschemas(node: Node) -> Iterator[tuple[Path, Json]]:
    """Every direct subschema of `node` with its path from there; values of `const` and the like are none."""
    for keyword, value in node.items():
        if keyword in SINGLE and not isinstance(value, list):
            yield (keyword,), value
        elif (keyword in LISTS or keyword in SINGLE) and isinstance(value, list):
            for index, item in enumerate(value):
                yield (keyword, str(index)), item
        elif keyword in MAPS and isinstance(value, dict):
            for name, item in value.items():
                yield (keyword, name), item
        elif keyword == "dependencies" and isinstance(value, dict):
            for name, item in value.items():
                if not isinstance(item, list):
                    yield (keyword, name), item


def rebuilt(node: Node, change: Callable[[Json], Json]) -> Node:
    """A copy of `node` whose direct subschemas are changed."""
    copy: Node = {}
    for keyword, value in node.items():
        if keyword in SINGLE and not isinstance(value, list):
            copy[keyword] = change(value)
        elif (keyword in LISTS or keyword in SINGLE) and isinstance(value, list):
            copy[keyword] = [change(item) for item in value]
        elif keyword in MAPS and isinstance(value, dict):
            copy[keyword] = {name: change(item) for name, item in value.items()}
        elif keyword == "dependencies" and isinstance(value, dict):
            changed = {name: v if isinstance(v, list) else change(v) for name, v in value.items()}
            copy[keyword] = changed
        else:
            copy[keyword] = value
    return copy


def everywhere(node: Node, change: Callable[[Node], Node]) -> Node:
    """`node` with every schema in it, the innermost first, replaced by what `change` makes of it."""

    def deep(value: Json) -> Json:
        return change(rebuilt(value, deep)) if isinstance(value, dict) else value

    return change(rebuilt(node, deep))


def within_definitions(document: Node, change: Callable[[Node], Node]) -> Node:
    """`document` with every schema under `$defs` changed, the innermost first; its own keys stay."""
    definitions = {name: everywhere(node, change) for name, node in named(document, "$defs").items()}
    return {**document, "$defs": {**definitions}}


def reference(node: Node) -> str | None:
    """The name of the definition that `node` refers to (`#/$defs/Name`); None where it does not."""
    target = node.get("$ref")
    return target.removeprefix("#/$defs/") if isinstance(target, str) else None


def refer(name: str) -> Node:
    """A node that refers to the definition `name`."""
    return {"$ref": f"#/$defs/{name}"}

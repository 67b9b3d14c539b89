"""Enumerations: one value is a `const`, alternatives of constants are one `enum`, impossible values go."""

from __future__ import annotations

from mcp_lockstep.schema.merge import TEXTS
from mcp_lockstep.schema.values import Json, Node, as_list, identity, same, types, within_definitions

_KINDS = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object", type(None): "null"}


def constants(document: Node) -> Node:
    """`document` with each enumeration in its shortest form, without values that its own `type` refuses."""
    return within_definitions(document, _shortest)


def _shortest(node: Node) -> Node:
    node = _joined(_joined(node, "oneOf"), "anyOf")
    if "const" not in node and "enum" not in node:
        return node
    values = [node["const"]] if "const" in node else as_list(node["enum"])
    if "const" in node and "enum" in node:
        values = [value for value in values if any(same(value, item) for item in as_list(node["enum"]))]
    kinds = types(node)
    values = [value for value in _distinct(values) if not kinds or _kind(value) & {*kinds}]
    rest = {key: value for key, value in node.items() if key not in {"const", "enum", "type"}}
    return {**rest, **enumeration(values)}


def enumeration(values: list[Json]) -> Node:
    """The schema that exactly `values` fulfil."""
    if not values:
        return {"not": {}}
    if len(values) == 2 and all(isinstance(value, bool) for value in values):
        return {"type": "boolean"}
    if values == [None]:
        return {"type": "null"}
    return {"const": values[0]} if len(values) == 1 else {"enum": values}


def _joined(node: Node, keyword: str) -> Node:
    """Constants under `anyOf` or, where they differ, `oneOf` as one enumeration."""
    branches = as_list(node.get(keyword))
    values: list[Json] = []
    for branch in branches:
        found = _values(branch)
        if found is None:
            return node
        values += found
    unique = _distinct(values)
    if not branches or {"const", "enum"} & node.keys() or (keyword == "oneOf" and len(unique) != len(values)):
        return node
    return {**{key: value for key, value in node.items() if key != keyword}, "enum": unique}


def _values(branch: Json) -> list[Json] | None:
    if not isinstance(branch, dict) or branch.keys() - TEXTS - {"const", "enum"}:
        return None
    return [branch["const"]] if "const" in branch else as_list(branch["enum"]) if "enum" in branch else None


def _distinct(values: list[Json]) -> list[Json]:
    kept: dict[str, Json] = {}
    for value in values:
        kept.setdefault(identity(value), value)
    return [*kept.values()]


def _kind(value: Json) -> frozenset[str]:
    """The names of the JSON types that `value` is of: a whole number is an integer too."""
    if isinstance(value, bool | str | list | dict) or value is None:
        return frozenset([_KINDS[type(value)]])
    whole = isinstance(value, int) or value.is_integer()
    return frozenset(["number", "integer"] if whole else ["number"])

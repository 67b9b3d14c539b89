"""The arguments of a tool are one object, whatever combinators stand at the root of its schema."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.schema.merge import Merger, is_never, without_own_texts
from mcp_lockstep.schema.values import RULES, Json, Node, as_list, as_texts, named, nodes

_INNER = ("if", "then", "else")


def roots(document: Node) -> Node:
    """`document` where each root under `x-objects` is an object with every property that a branch names.

    A property that not all branches describe alike may be anything; the branches themselves become a rule.
    """
    definitions = named(document, "$defs")
    merger = Merger(definitions)
    objects = {name: _object(merger, definitions[name]) for name in as_texts(document.get("x-objects"))}
    return {**document, "$defs": {**definitions, **objects}}


def _object(merger: Merger, root: Node) -> Node:
    root = {**merger.expanded(root), "type": "object"}
    properties: dict[str, Json] = {**named(root, "properties")}
    branches = [merger.expanded(part) for part in nodes(root, "anyOf")]
    if not _closed(root):
        for name in sorted({*_found(merger, root, 0)} - properties.keys()):
            properties[name] = _common(branches, name)
    required = {*as_texts(root.get("required"))}
    if branches:
        required |= set[str].intersection(*({*as_texts(part.get("required"))} for part in branches))
        rest = {key: value for key, value in root.items() if key != "anyOf"}
        root = {**rest, RULES: [*as_list(root.get(RULES)), {"anyOf": root["anyOf"]}]}
    root["properties"] = properties
    return {**root, "required": [*sorted(required)]} if required else root


def _closed(node: Node) -> bool:
    """Whether further properties are refused or all of one kind."""
    rest = node.get("additionalProperties")
    return isinstance(rest, dict) and (is_never(rest) or bool(rest))


def _common(branches: list[Node], name: str) -> Node:
    """What all branches say about a property, where they say the same; else anything."""
    found = [named(part, "properties").get(name) for part in branches]
    if (
        not found
        or found[0] is None
        or any(other is None or without_own_texts(other) != without_own_texts(found[0]) for other in found)
    ):
        return {}
    return found[0]


def _found(merger: Merger, node: Node, depth: int) -> Iterator[str]:
    """The properties that `node`, or a schema that judges the same value, names."""
    if depth > 8:
        return
    node = merger.expanded(node)
    yield from named(node, "properties")
    parts = [part for keyword in ("allOf", "anyOf", "oneOf", RULES) for part in nodes(node, keyword)]
    parts += [part for keyword in _INNER if isinstance(part := node.get(keyword), dict)]
    parts += named(node, "dependentSchemas").values()
    for part in parts:
        yield from _found(merger, part, depth + 1)

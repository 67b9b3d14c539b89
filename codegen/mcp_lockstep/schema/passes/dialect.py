"""The forms of older drafts become those of 2020-12."""

from __future__ import annotations

from mcp_lockstep.schema.dialects import Dialect, dialect_of
from mcp_lockstep.schema.values import Json, Node, as_map, as_node, everywhere, named

_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def dialect(document: Node) -> Node:
    """`document` with each root read in its own draft and written in 2020-12; keywords of other drafts go."""
    roots = {
        name: _modern(node, dialect_of(node.get("$schema")))
        for name, node in named(document, "$defs").items()
    }
    return {**document, "$defs": {**roots}}


def _modern(root: Node, draft: Dialect) -> Node:
    def change(node: Node) -> Node:
        node = _without_siblings(node) if draft.ref_alone else node
        node = {key: value for key, value in node.items() if key in draft.keywords}
        return _bounds(_dependencies(_arrays(node, draft)))

    return everywhere(root, change)


def _without_siblings(node: Node) -> Node:
    """To draft-07 a `$ref` hides what stands beside it; the definitions there can still be referred to."""
    if not isinstance(node.get("$ref"), str):
        return node
    kept = ("$id", "id", "$ref", "$defs", "definitions", "description", "default", "title")
    return {key: node[key] for key in kept if key in node}


def _arrays(node: Node, draft: Dialect) -> Node:
    """`items` as an array is `prefixItems`, and `additionalItems` is then what `items` says now."""
    node = dict(node)
    rest = node.pop("additionalItems", None)
    items = node.get("items")
    if isinstance(items, list):
        node["prefixItems"] = node.pop("items")
        if rest is not None:
            node["items"] = rest
    return node


def _dependencies(node: Node) -> Node:
    if "dependencies" not in node:
        return node
    node = dict(node)
    given = as_map(node.pop("dependencies"))
    required: dict[str, Json] = {name: value for name, value in given.items() if isinstance(value, list)}
    schemas: dict[str, Json] = {name: as_node(v) for name, v in given.items() if not isinstance(v, list)}
    if required:
        node["dependentRequired"] = required
    if schemas:
        node["dependentSchemas"] = schemas
    return node


def _bounds(node: Node) -> Node:
    """Draft-04 says `exclusiveMinimum: true` beside `minimum`."""
    for exclusive, inclusive in _BOUNDS.items():
        flag = node.get(exclusive)
        if isinstance(flag, bool):
            node = {key: value for key, value in node.items() if key != exclusive}
            if flag and inclusive in node:
                node[exclusive] = node.pop(inclusive)
    return node

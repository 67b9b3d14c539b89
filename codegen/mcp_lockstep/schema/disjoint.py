"""Whether two schemas can be told apart, so that at most one of them fits a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from mcp_lockstep.documents.data import kind_of
from mcp_lockstep.schema.merge import Merger, is_never
from mcp_lockstep.schema.values import Json, Node, as_list, as_texts, identity, named, same, types

KINDS = frozenset(["array", "boolean", "null", "number", "object", "string"])
"""What a value can be, as `kind_of` tells it."""

_DEEPEST = 3


def disjoint(a: Node, b: Node, definitions: Mapping[str, Node], depth: int = 0) -> bool:
    """True only where no value fulfils both; False where that is not proved."""
    merger = Merger(definitions)
    a, b = merger.expanded(a), merger.expanded(b)
    if is_never(a) or is_never(b) or not _kinds(a) & _kinds(b):
        return True
    left, right = _values(a), _values(b)
    if left is not None and right is not None:
        return not any(same(value, other) for value in left for other in right)
    if "anyOf" in a and depth < _DEEPEST:
        return all(disjoint(part, b, definitions, depth + 1) for part in _parts(a))
    if "anyOf" in b and depth < _DEEPEST:
        return all(disjoint(a, part, definitions, depth + 1) for part in _parts(b))
    if types(a) == types(b) == ["object"] and depth < _DEEPEST:
        return _objects(a, b, definitions, depth + 1)
    return False


def all_disjoint(parts: Sequence[Node], definitions: Mapping[str, Node]) -> bool:
    """Whether no value fulfils two of `parts`; False where that is not proved."""
    merger = Merger(definitions)
    opened = [merger.expanded(part) for part in parts]
    return _tagged(opened, merger) or all(disjoint(a, b, definitions) for a, b in combinations(parts, 2))


def _tagged(parts: Sequence[Node], merger: Merger) -> bool:
    """Whether all are objects that must have a property with constants, no two of them the same ones."""
    if not parts or any(types(part) != ["object"] for part in parts):
        return False
    names = set[str].intersection(*({*as_texts(part.get("required"))} for part in parts))
    return any(_different([_tags(part, name, merger) for part in parts]) for name in sorted(names))


def _tags(part: Node, name: str, merger: Merger) -> set[str] | None:
    """The values that a property may have, as texts; None where it may be more than constants."""
    values = _values(merger.expanded(named(part, "properties").get(name, {})))
    return None if values is None else {*map(identity, values)}


def _different(found: Sequence[set[str] | None]) -> bool:
    known = [values for values in found if values is not None]
    return len(known) == len(found) and len(set[str]().union(*known)) == sum(map(len, known))


def _parts(node: Node) -> list[Node]:
    return [part for part in as_list(node["anyOf"]) if isinstance(part, dict)]


def _objects(a: Node, b: Node, definitions: Mapping[str, Node], depth: int) -> bool:
    mine, other = named(a, "properties"), named(b, "properties")
    needed, wanted = {*as_texts(a.get("required"))}, {*as_texts(b.get("required"))}
    if (_closed(a) and wanted - mine.keys()) or (_closed(b) and needed - other.keys()):
        return True
    return any(
        disjoint(mine[key], other[key], definitions, depth)
        for key in sorted(needed & wanted & mine.keys() & other.keys())
    )


def _closed(node: Node) -> bool:
    rest = node.get("additionalProperties")
    return isinstance(rest, dict) and is_never(rest) and "patternProperties" not in node


def _values(node: Node) -> list[Json] | None:
    if "const" in node:
        return [node["const"]]
    return as_list(node["enum"]) if "enum" in node else None


def _kinds(node: Node) -> frozenset[str]:
    """The JSON types that a value of `node` may have, `integer` counted as `number`."""
    values = _values(node)
    if values is not None:
        return frozenset(kind_of(value) for value in values)
    if "type" in node:
        return frozenset("number" if kind == "integer" else kind for kind in types(node))
    return KINDS

"""What no Python type says moves to `x-rules`; what is left says no less than a type can."""

from __future__ import annotations

from mcp_lockstep.schema.merge import TEXTS, is_never
from mcp_lockstep.schema.values import RULES, Json, Node, as_list, as_map, as_node, as_texts, named, nodes

_TYPED: dict[str, frozenset[str]] = {
    "string": frozenset(["maxLength", "minLength"]),
    "integer": frozenset(["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"]),
    "number": frozenset(["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"]),
    "array": frozenset(["items", "maxItems", "minItems"]),
    "object": frozenset(["additionalProperties", "properties", "required"]),
    "boolean": frozenset(),
    "null": frozenset(),
}
"""The keywords that the types of a generated module say, by `type`."""

_WHOLE = ("$ref", "anyOf", "const", "enum")
_GROUPS = (
    ("if", "then", "else"),
    ("contains", "minContains", "maxContains"),
    ("prefixItems", "items"),
    ("patternProperties", "properties", "additionalProperties"),
)
_LENGTHS = ("maxItems", "maxLength", "minItems", "minLength")
_LARGEST = 2**31


def rules(document: Node) -> Node:
    """`document` where each schema has typed keywords, texts and `x-rules` only; inside rules nothing changes."""
    return {**document, "$defs": {name: relaxed(node) for name, node in named(document, "$defs").items()}}


def typed_keywords(node: Node) -> frozenset[str]:
    """The keywords of `node` that its Python type says: one that says all, else those that go with its `type`."""
    whole_type = frozenset([key for key in _WHOLE if key in node][:1])
    kind = node.get("type")
    return whole_type or (_TYPED[kind] | {"type"} if isinstance(kind, str) else whole_type)


def relaxed(node: Node) -> Node:
    """`node` as a type and rules; its typed children are relaxed too."""
    node = _lengths(_enumerated(node))
    typed = typed_keywords(node)
    if "prefixItems" in node:
        typed -= {"items"}
    if "patternProperties" in node:
        typed -= {"additionalProperties"}
    if "multipleOf" in node and not isinstance(node["multipleOf"], int):
        typed -= {"multipleOf"}
    found = _moved(node, typed)
    kept = {key: value for key, value in node.items() if key in typed or key in TEXTS}
    kept = _required(_loosened(kept, node), found)
    given = [*nodes(node, RULES), *found]
    return {**_children(kept), RULES: [*given]} if given else _children(kept)


def _moved(node: Node, typed: frozenset[str]) -> list[Node]:
    """One rule for each keyword or group of keywords that `typed` leaves out."""
    out = node.keys() - typed - TEXTS - {RULES}
    found: list[Node] = []
    for first, *others in _GROUPS:
        if first in out:
            group = {key: node[key] for key in (first, *others) if key in node}
            out -= group.keys()
            if first == "patternProperties":
                group = _patterns(group)
            found.append(group)
    return [*found, *({key: node[key]} for key in sorted(out))]


def _patterns(group: Node) -> Node:
    """The names in `properties` only say here what is not additional: the types judge their values."""
    if "additionalProperties" not in group:
        return {"patternProperties": group["patternProperties"]}
    names: dict[str, Json] = {name: {} for name in as_map(group.get("properties"))}
    return {**group, "properties": names} if names else {k: v for k, v in group.items() if k != "properties"}


def _loosened(kept: Node, node: Node) -> Node:
    """`kept` with a type for the values that a rule judges by place or by key."""
    if "prefixItems" in node and kept.get("type") == "array":
        rest = node.get("items")
        closed = isinstance(rest, dict)
        parts = [*nodes(node, "prefixItems"), *([rest] if isinstance(rest, dict) else [])]
        return {**kept, "items": union(parts)} if closed else kept
    if "patternProperties" in node and "properties" not in kept and "additionalProperties" in node:
        rest = as_node(node["additionalProperties"])
        return {**kept, "additionalProperties": union([*named(node, "patternProperties").values(), rest])}
    return kept


def union(parts: list[Node]) -> Node:
    """A schema for what fulfils at least one of `parts`."""
    distinct = [part for index, part in enumerate(parts) if part not in parts[:index] and part != {"not": {}}]
    if len(distinct) == 1:
        return {key: value for key, value in distinct[0].items() if key not in TEXTS}
    return {"anyOf": [*distinct]} if distinct and {} not in distinct else {}


def _required(kept: Node, found: list[Node]) -> Node:
    """Required names without a schema of their own are a rule: there is no field that could be required."""
    names = as_texts(kept.get("required"))
    fields = as_map(kept.get("properties"))
    unknown = [name for name in names if name not in fields]
    if unknown:
        found.append({"required": [*unknown]})
        kept = {**kept, "required": [name for name in names if name in fields]}
    return kept if kept.get("required") else {key: value for key, value in kept.items() if key != "required"}


def _lengths(node: Node) -> Node:
    """Lengths are whole numbers in the range of a machine word; a larger one is left to a rule."""
    lengths: Node = {}
    for key in _LENGTHS:
        value = node.get(key)
        if isinstance(value, int | float):
            lengths[key] = int(value)
    large: Node = {
        key: value for key, value in lengths.items() if isinstance(value, int) and value > _LARGEST
    }
    if not large:
        return {**node, **lengths}
    return {
        **{k: v for k, v in {**node, **lengths}.items() if k not in large},
        RULES: [*nodes(node, RULES), large],
    }


def _enumerated(node: Node) -> Node:
    """`node` with constants that `Literal` can hold; others are a type and a rule."""
    if "const" not in node and "enum" not in node:
        return node
    values = [node["const"]] if "const" in node else as_list(node["enum"])
    parts: list[Node] = []
    literal = [whole(value) for value in values if _is_literal(value)]
    if literal:
        parts.append({"const": literal[0]} if len(literal) == 1 else {"enum": literal})
    for kind, test in (("number", float), ("array", list), ("object", dict)):
        others = [v for v in values if isinstance(v, test) and not _is_literal(v)]
        if others:
            parts.append({"type": kind, RULES: [{"enum": [*others]}]})
    if None in values:
        parts.append({"type": "null"})
    rest = {key: value for key, value in node.items() if key not in {"const", "enum"}}
    if len(parts) == 1:
        rest[RULES] = [*nodes(node, RULES), *nodes(parts[0], RULES)]
        return {key: value for key, value in {**parts[0], **rest}.items() if key != RULES or value}
    return {**rest, "anyOf": [*parts]}


def _is_literal(value: Json) -> bool:
    return isinstance(value, bool | int | str) or (isinstance(value, float) and value.is_integer())


def whole(value: Json) -> Json:
    """`value`, a whole float as the int that it equals."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _children(node: Node) -> Node:
    copy = dict(node)
    if "properties" in copy:
        copy["properties"] = {name: relaxed(part) for name, part in named(node, "properties").items()}
    for key in ("additionalProperties", "items"):
        if key in copy and not (key == "additionalProperties" and is_never(as_node(copy[key]))):
            copy[key] = relaxed(as_node(copy[key]))
    if "anyOf" in copy:
        copy["anyOf"] = [relaxed(part) for part in nodes(node, "anyOf")]
    return copy

"""One type per schema: lists of types become alternatives, each with the keywords that concern it."""

from __future__ import annotations

from mcp_lockstep.schema.values import RULES, Node, types, within_definitions

_KEYWORDS = {
    "string": frozenset(["maxLength", "minLength", "pattern"]),
    "number": frozenset(["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"]),
    "array": frozenset(
        "contains items maxContains maxItems minContains minItems prefixItems unevaluatedItems uniqueItems".split()
    ),
    "object": frozenset(
        "additionalProperties dependentRequired dependentSchemas maxProperties minProperties patternProperties "
        "properties propertyNames required unevaluatedProperties".split()
    ),
}
"""Keywords that say nothing about values of other types."""

_OWN = {**_KEYWORDS, "integer": _KEYWORDS["number"]}
_SHAPES = (
    ("object", "properties"),
    ("object", "additionalProperties"),
    ("array", "items"),
    ("array", "prefixItems"),
)
_LARGE = frozenset[str]().union(*_KEYWORDS.values())


def kinds(document: Node) -> Node:
    """`document` where `type` is one name, and stands wherever a keyword needs it to be a Python type."""
    return within_definitions(document, _one_kind)


def _one_kind(node: Node) -> Node:
    given = [kind for kind in types(node) if kind != "integer" or "number" not in types(node)]
    if "$ref" in node or "const" in node or "enum" in node or "anyOf" in node:
        return node
    if len(given) > 1:
        return _split(node, given)
    if len(given) == 1:
        return _own(node, given[0])
    shapes = sorted({kind for kind, keyword in _SHAPES if keyword in node})
    return _untyped(node, shapes) if shapes else _loose(node)


def _own(node: Node, kind: str) -> Node:
    """`node` of the type `kind`, without keywords that only concern other types."""
    foreign = _LARGE - _OWN.get(kind, frozenset())
    return {**{key: value for key, value in node.items() if key not in foreign}, "type": kind}


def _split(node: Node, given: list[str]) -> Node:
    common = {key: value for key, value in node.items() if key not in _LARGE and key != "type"}
    mine = {key: value for key, value in node.items() if key in _LARGE}
    return {**common, "anyOf": [_own(mine, kind) for kind in given]}


def _untyped(node: Node, shapes: list[str]) -> Node:
    """Without a `type`, `properties` and `items` say nothing about a value that is no object or array."""
    common = {key: value for key, value in node.items() if key not in _LARGE}
    mine = {key: value for key, value in node.items() if key in _LARGE}
    loose = {key: value for key, value in mine.items() if not any(key in _KEYWORDS[kind] for kind in shapes)}
    other: Node = {RULES: [{**loose, "not": {"type": [*shapes]}}]}
    return {**common, "anyOf": [*(_own(mine, kind) for kind in shapes), other]}


def _loose(node: Node) -> Node:
    """Constraints without a type: a rule, for any value may stand there."""
    mine = {key: value for key, value in node.items() if key in _LARGE}
    if not mine:
        return node
    rest = {key: value for key, value in node.items() if key not in _LARGE}
    rules = node.get(RULES)
    return {**rest, RULES: [*(rules if isinstance(rules, list) else []), mine]}

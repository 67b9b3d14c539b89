"""The conjunction of two schemas as one. What cannot be said in one becomes a rule, so the result is exact."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.schema.values import (
    RULES,
    Json,
    Node,
    as_list,
    as_map,
    as_texts,
    encoded,
    named,
    nodes,
    reference,
    same,
    types,
)

TEXTS = frozenset(["default", "description", "title"])
"""What people read. It says nothing about a value."""

_LARGEST = frozenset(["exclusiveMinimum", "minItems", "minLength", "minProperties", "minimum"])
_SMALLEST = frozenset(["exclusiveMaximum", "maxItems", "maxLength", "maxProperties", "maximum"])
_TOGETHER = (
    frozenset(["if", "then", "else"]),
    frozenset(["contains", "maxContains", "minContains"]),
    frozenset(["items", "prefixItems", "unevaluatedItems"]),
)
"""Keywords that mean something only beside each other."""

_OBJECT = frozenset(["additionalProperties", "patternProperties", "properties", "unevaluatedProperties"])
_DEEPEST = 12


def is_never(node: Node) -> bool:
    """Whether nothing fulfils `node`, as far as it says so outright."""
    return node.get("not") == {} and "not" in node


def is_closed(node: Node) -> bool:
    """Whether an object refuses further properties."""
    rest = node.get("additionalProperties")
    return isinstance(rest, dict) and is_never(rest)


def is_class(node: Node) -> bool:
    """Whether a schema after all passes is a class; other objects are `dict[str, ...]`."""
    return node.get("type") == "object" and (bool(node.get("properties")) or is_closed(node))


def asserts(node: Node) -> bool:
    """Whether `node` says anything about a value."""
    return bool(node.keys() - TEXTS)


class Merger:
    """Conjunctions in one document; `definitions` are what its references mean."""

    def __init__(self, definitions: Mapping[str, Node]) -> None:
        self.definitions = definitions

    def both(self, a: Node, b: Node, seen: tuple[str, ...] = ()) -> Node:
        """The schema that says what `a` and what `b` says; the texts of `a` win."""
        texts = {key: value for node in (b, a) for key, value in node.items() if key in TEXTS}
        a, b = without_own_texts(a), without_own_texts(b)
        if not a or not b or a == b:
            return {**(a or b), **texts}
        if is_never(a) or is_never(b):
            return {"not": {}, **texts}
        for name in filter(None, (reference(a), reference(b))):
            if name in seen or len(seen) > _DEEPEST:
                return {**_with_rule(a, b), **texts}
        return {**self._joined(*self._resolved(a, b, seen)), **texts}

    def _resolved(self, a: Node, b: Node, seen: tuple[str, ...]) -> tuple[Node, Node, tuple[str, ...]]:
        names = tuple(filter(None, (reference(a), reference(b))))
        return self.expanded(a, seen), self.expanded(b, seen), seen + names

    def expanded(self, node: Node, seen: tuple[str, ...] = ()) -> Node:
        """`node` with its reference, if any, replaced by what that means (without its texts)."""
        name = reference(node)
        if name is None or name in seen:
            return node
        target = without_own_texts(self.expanded(self.definitions.get(name, {}), (*seen, name)))
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return self.both(rest, target, (*seen, name)) if asserts(rest) else {**target, **rest}

    def _joined(self, a: Node, b: Node, seen: tuple[str, ...]) -> Node:
        a, b = _one_of_each(a, b)
        result: Node = {}
        if _OBJECT & a.keys() and _OBJECT & b.keys():
            result |= self._objects(a, b, seen)
            a = {key: value for key, value in a.items() if key not in _OBJECT}
            b = {key: value for key, value in b.items() if key not in _OBJECT}
        if RULES in result:
            a = {**a, RULES: [*as_list(a.get(RULES)), *as_list(result.pop(RULES))]}
        for keyword in a.keys() | b.keys():
            if keyword not in a or keyword not in b:
                result[keyword] = a[keyword] if keyword in a else b[keyword]
            elif keyword == "items":
                result["items"] = self.both(as_map(a["items"]), as_map(b["items"]), seen)
            else:
                result[keyword] = _stricter(keyword, a[keyword], b[keyword])
        return {"not": {}} if result.get("type") == [] or result.get("enum") == [] else result

    def _objects(self, a: Node, b: Node, seen: tuple[str, ...]) -> Node:
        """The object keywords of both; the second's are a rule where patterns or `unevaluated*` mix them."""
        mine = {key: value for key, value in a.items() if key in _OBJECT}
        other = {key: value for key, value in b.items() if key in _OBJECT}
        if mine == other:
            return mine
        if (mine.keys() | other.keys()) & {"patternProperties", "unevaluatedProperties"}:
            return _with_rule(mine, other)
        left, right = named(a, "properties"), named(b, "properties")
        rest_left, rest_right = _rest(a), _rest(b)
        result: Node = {
            "properties": {
                key: self.both(left.get(key, rest_left or {}), right.get(key, rest_right or {}), seen)
                for key in sorted(left.keys() | right.keys())
            }
        }
        rests = [rest for rest in (rest_left, rest_right) if rest is not None]
        if rests:
            result["additionalProperties"] = self.both(rests[0], rests[-1], seen)
        return result


def _rest(node: Node) -> Node | None:
    return as_map(node["additionalProperties"]) if "additionalProperties" in node else None


def without_own_texts(node: Node) -> Node:
    """`node` without what only people read; the schemas in it keep theirs."""
    return {key: value for key, value in node.items() if key not in TEXTS}


def _with_rule(node: Node, rule: Node) -> Node:
    rules = as_list(node.get(RULES))
    return {**node, RULES: rules if rule in rules else [*rules, rule]}


def _one_of_each(a: Node, b: Node) -> tuple[Node, Node]:
    """`a` and `b` where no keyword that has room for one value is in both: what `b` loses is a rule."""
    moved: set[str] = set()
    for group in _TOGETHER:
        plain = (
            group == _TOGETHER[2]
            and "items" in a
            and "items" in b
            and len(group & (a.keys() | b.keys())) == 1
        )
        if group & a.keys() and group & b.keys() and not plain:
            moved |= group & b.keys()
    for keyword in a.keys() & b.keys():
        if keyword not in _MERGED and encoded(a[keyword]) != encoded(b[keyword]):
            moved.add(keyword)
    rest = {key: value for key, value in b.items() if key not in moved}
    rules = [{key: b[key] for key in sorted(moved & group)} for group in _TOGETHER if moved & group]
    alone = moved.difference(*_TOGETHER)
    rules += [{key: b[key]} for key in sorted(alone)]
    for rule in rules:
        a = _with_rule(a, rule)
    return a, rest


_MERGED = (
    _LARGEST | _SMALLEST | _OBJECT
    | {"enum", "items", "required", "type", "uniqueItems", RULES}
)  # fmt: skip


def _stricter(keyword: str, a: Json, b: Json) -> Json:
    """One value that says what two values of the same keyword say."""
    if keyword == "type":
        return _common_types(a, b)
    if keyword in _LARGEST | _SMALLEST and isinstance(a, int | float) and isinstance(b, int | float):
        return max(a, b) if keyword in _LARGEST else min(a, b)
    if keyword == "required":
        return [*sorted({*as_texts(a), *as_texts(b)})]
    if keyword == RULES:
        return [*as_list(a), *(rule for rule in as_list(b) if rule not in as_list(a))]
    if keyword == "uniqueItems":
        return bool(a) or bool(b)
    if keyword == "enum":
        return [value for value in as_list(a) if any(same(value, other) for other in as_list(b))]
    return a


def _common_types(a: Json, b: Json) -> Json:
    left, right = types({"type": a}), types({"type": b})
    common = {kind for kind in left if kind in right or (kind == "integer" and "number" in right)}
    common |= {kind for kind in right if kind == "integer" and "number" in left}
    if "number" in common:
        common.discard("integer")
    return [*sorted(common)] if len(common) != 1 else common.pop()


def branches(node: Node) -> list[Node]:
    """The alternatives of a schema that is nothing but `anyOf`; else itself."""
    return nodes(node, "anyOf") if (node.keys() - TEXTS) == {"anyOf"} else [node]

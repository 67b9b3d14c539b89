"""The proof that no keyword was lost: each is, where it stood, in a type or in a rule of the result.

Passes merge, split and move schemas, but a keyword goes on speaking about the same part of a value. So the proof
compares statements by place in the value. What it cannot prove becomes a rule as it was written.
"""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.disjoint import all_disjoint
from mcp_lockstep.schema.merge import TEXTS, asserts, is_never
from mcp_lockstep.schema.passes.rules import typed_keywords
from mcp_lockstep.schema.values import (
    RULES,
    Json,
    Node,
    Path,
    as_list,
    as_map,
    as_node,
    as_texts,
    encoded,
    named,
    nodes,
    reference,
    types,
)


class Statement(NamedTuple):
    """One keyword with one value, about the part of a value that `place` leads to."""

    place: Path
    keyword: str
    value: str


_SAME_PLACE = frozenset(["allOf", "anyOf", RULES])
_INNER = {
    "additionalProperties": "{}", "contains": "[contains]", "else": "else", "if": "if", "items": "[]",
    "not": "not", "propertyNames": "{names}", "then": "then", "unevaluatedItems": "[]",
    "unevaluatedProperties": "{}",
}  # fmt: skip
_BOUNDS = frozenset(
    "exclusiveMaximum exclusiveMinimum maxItems maxLength maxProperties maximum minItems minLength minProperties "
    "minimum".split()
)
_CONCERNS = {
    "string": frozenset(["maxLength", "minLength", "pattern"]),
    "number": frozenset("exclusiveMaximum exclusiveMinimum maximum minimum multipleOf".split()),
    "array": frozenset("maxContains maxItems minContains minItems uniqueItems".split()),
    "object": frozenset(
        "dependentRequired maxProperties minProperties pattern-property property required".split()
    ),
}
_STRUCTURE = {"[": "array", "{": "object"}


def unproved(source: Mapping[str, Node], result: Mapping[str, Node]) -> dict[str, tuple[Statement, ...]]:
    """The statements of `source` definitions that `result`, what the passes made of them, does not make."""
    own = frozenset(source)
    said = {name: _Reader(source, own, source).read(node) for name, node in source.items()}
    found: dict[str, tuple[Statement, ...]] = {}
    printed = {name: _printed(node) for name, node in result.items()}
    for name, statements in said.items():
        made = _Reader(printed, own, source).read(printed.get(name, {}))
        missing = tuple(s for s in sorted(statements) if not _implied(s, made, said))
        if missing:
            found[name] = missing
    return found


def repaired(source: Mapping[str, Node], document: Node) -> Node:
    """`document` with a rule for each definition of which something is not proved."""
    result = named(document, "$defs")
    for name in unproved(source, result):
        if name in result:
            result[name] = {**result[name], RULES: [*nodes(result[name], RULES), source[name]]}
    return {**document, "$defs": {**result}}


def _printed(node: Node) -> Node:
    """`node` with what the source of a module says of it: nothing beside types and rules is written there."""
    typed = typed_keywords(node)
    kept = {key: value for key, value in node.items() if key in typed and key not in _INSIDE}
    if "properties" in typed and "properties" in node:
        kept["properties"] = {name: _printed(part) for name, part in named(node, "properties").items()}
    for key in ("additionalProperties", "items"):
        if key in typed and key in node:
            part = as_node(node[key])
            kept[key] = part if is_never(part) else _printed(part)
    if "anyOf" in typed:
        kept["anyOf"] = [_printed(part) for part in nodes(node, "anyOf")]
    return {**kept, RULES: node[RULES]} if RULES in node else kept


_INSIDE = frozenset(["additionalProperties", "anyOf", "items", "properties"])


class _Reader:
    """Reads the statements of one definition; references to `own` definitions are statements themselves."""

    def __init__(
        self, definitions: Mapping[str, Node], own: frozenset[str], source: Mapping[str, Node]
    ) -> None:
        self.definitions, self.own, self.source = definitions, own, source
        self.found: set[Statement] = set()

    def read(self, node: Node) -> set[Statement]:
        """The statements of `node`, which is about the whole value."""
        self._node(node, ())
        return self.found

    def _node(self, node: Node, place: Path) -> None:
        for keyword, value in node.items():
            if keyword not in TEXTS:
                self._keyword(node, keyword, value, place)

    def _keyword(self, node: Node, keyword: str, value: Json, place: Path) -> None:
        if keyword == "$ref":
            self._reference(reference(node) or "", place)
        elif keyword == "oneOf" or keyword in _SAME_PLACE:
            self._parts(node, keyword, place)
        elif keyword in _INNER:
            self._node(as_node(value), (*place, _INNER[keyword]))
        elif keyword == "prefixItems":
            for index, part in enumerate(nodes(node, keyword)):
                self._node(part, (*place, f"[{index}]"))
        elif keyword in {"properties", "patternProperties", "dependentSchemas"}:
            word = {"properties": "property", "patternProperties": "pattern-property"}.get(keyword, "when")
            for name, part in named(node, keyword).items():
                self._say(place, word, name)
                self._node(part, (*place, name if word == "property" else f"{word} {name}"))
        else:
            self._leaf(keyword, value, place)

    def _reference(self, name: str, place: Path) -> None:
        if name in self.own:
            self._say(place, "$ref", name)
        elif len(place) < 200:
            self._node(self.definitions.get(name, {}), place)

    def _parts(self, node: Node, keyword: str, place: Path) -> None:
        parts = nodes(node, keyword)
        if keyword == "anyOf" and not all(map(asserts, parts)):
            return
        if keyword == "oneOf" and not all_disjoint(parts, self.source):
            self._say(place, "oneOf", "")
        for part in parts:
            self._node(part, place)

    def _leaf(self, keyword: str, value: Json, place: Path) -> None:
        if keyword in {"const", "enum"}:
            for item in [value] if keyword == "const" else as_list(value):
                self._say(place, "value", encoded(item))
        elif keyword == "type":
            for kind in types({"type": value}):
                self._say(place, "type", kind)
        elif keyword == "required":
            for name in as_texts(value):
                self._say(place, "required", name)
        elif keyword == "dependentRequired":
            for name, names in as_map(value).items():
                self._say(place, "dependentRequired", encoded([name, names]))
        elif value is not False and not (value == 0 and keyword.startswith("min") and keyword != "minimum"):
            self._say(place, keyword, encoded(value))

    def _say(self, place: Path, keyword: str, value: str) -> None:
        self.found.add(Statement(place, keyword, value))


def _implied(wanted: Statement, made: set[Statement], said: Mapping[str, set[Statement]]) -> bool:
    """Whether `made` says what is `wanted`, the same or more; or nothing at that place can be of that kind."""
    if wanted in made:
        return True
    here = [s for s in made if s.place == wanted.place]
    if wanted.keyword in {"type", "value"}:
        return any(s.keyword in {"type", "value", "property"} for s in here) or _impossible(wanted, made)
    if wanted.keyword in _BOUNDS and any(s.keyword == wanted.keyword for s in here):
        return True
    if wanted.keyword == "$ref":
        inner = (s._replace(place=wanted.place + s.place) for s in said.get(wanted.value, ()))
        return all(s in made or _implied(s, made, {}) for s in inner)
    return _impossible(wanted, made)


def _impossible(wanted: Statement, made: set[Statement]) -> bool:
    """Whether the types at the place of a statement, or on the way there, leave nothing that it concerns."""
    for length in range(len(wanted.place) + 1):
        place = wanted.place[:length]
        kinds = {"number" if s.value == "integer" else s.value for s in made if s[:2] == (place, "type")}
        step = wanted.place[length : length + 1]
        needed = (
            _needed(step[0]) if step else next((k for k, v in _CONCERNS.items() if wanted.keyword in v), "")
        )
        if kinds and needed and needed not in kinds and not any(s[:2] == (place, "value") for s in made):
            return True
    return False


def _needed(step: str) -> str:
    """The type that a value must have for `step` to lead into it; empty for steps that stay where they are."""
    return "" if step in {"not", "if", "then", "else"} else _STRUCTURE.get(step[:1], "object")

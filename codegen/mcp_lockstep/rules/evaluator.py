"""A small JSON Schema evaluator for the bundled manifest schemas: all errors, each with its pointer.

It knows the keywords that those schemas use, with the meaning that draft-07 gives them, and refuses to
compile any other. `format` is an annotation. Texts are measured in code points, `\\d` and `\\s` are ASCII
and `$` is the end of the text, as in the registry's own checker. A schema is compiled once, one closure per
keyword; references are followed when a value first needs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import cast

from mcp_lockstep.documents.pointer import unescape_part
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.alternatives import choose, closest, tags
from mcp_lockstep.rules.violation import Check, Path, Schema, Violation, pointer


class UnsupportedKeywordError(ValueError):
    """A schema uses a keyword that is not known here; judging by the rest would be a false answer."""


class Node(NamedTuple):
    """A compiled schema: `whole` checks any value.

    A value whose class is exactly `kind` is of the right type, and only `rest` (None: nothing) is left to check.
    `kind` is None where no class alone tells that.
    """

    whole: Check
    kind: type | None = None
    rest: Check | None = None


class Evaluator:
    """A compiled schema; `violations` may be called any number of times."""

    def __init__(self, document: Schema) -> None:
        self._document = document
        self._references: dict[str, Node] = {}
        self._root = self.compile(document)

    def violations(self, value: object) -> tuple[Violation, ...]:
        """Everything in `value` that the schema forbids, in the schema's order, nothing twice."""
        found: list[Violation] = []
        self._root.whole(value, None, found)
        if len(found) < 2:
            return tuple(found)
        return tuple({(v.pointer, v.keyword, repr(v.limit)): v for v in found}.values())

    def compile(self, schema: object) -> Node:
        """What `schema`, a part of this document, asks of a value."""
        if isinstance(schema, bool):
            return Node(_anything if schema else _nothing)
        body = cast("Schema", schema)
        if "$ref" in body:
            return self._reference(cast("str", body["$ref"]))
        parts: list[tuple[str, type | None, Check]] = []
        for keyword in body:
            if keyword in _KEYWORDS:
                compiler, applies = _KEYWORDS[keyword]
                parts.append((keyword, applies, compiler(body, self)))
            elif keyword not in _ANNOTATIONS and keyword not in _CONTAINERS:
                raise UnsupportedKeywordError(keyword)
        kind = _CLASSES.get(str(body.get("type")))
        left = [check for keyword, applies, check in parts if keyword != "type" and applies in (None, kind)]
        return Node(_whole([part[1:] for part in parts]), kind, _all(left) if left else None)

    def later(self, schema: object) -> Callable[[], Node]:
        """What gives `compile(schema)`: a reference may lead back here, and is followed when a value needs it."""
        node = cache(partial(self.compile, schema))
        if not _is_reference(schema):
            node()
        return node

    def target(self, schema: object) -> Schema:
        """The schema that `schema` stands for once references are followed."""
        body = cast("Schema", schema)
        while "$ref" in body:
            body = self._resolve(str(body["$ref"]))
        return body

    def _reference(self, reference: str) -> Node:
        if reference not in self._references:
            self._references[reference] = self.compile(self._resolve(reference))
        return self._references[reference]

    def _resolve(self, reference: str) -> Schema:
        node = self._document
        for token in reference.removeprefix("#/").split("/"):
            node = cast("Schema", node[unescape_part(token)])
        return node


def _is_reference(schema: object) -> bool:
    return isinstance(schema, dict) and "$ref" in schema


def ecma(pattern: str) -> re.Pattern[str]:
    """A pattern of a schema as a Python pattern: `$` is the end of the text, classes are ASCII."""
    out: list[str] = []
    in_class = escaped = False
    for char in pattern:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char in "[]":
            in_class = char == "["
        elif char == "$" and not in_class:
            char = r"\Z"
        out.append(char)
    return re.compile("".join(out), re.ASCII)


def same(left: object, right: object) -> bool:
    """Whether two JSON values are equal: 1 equals 1.0, true equals neither, at any depth."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        ours, theirs = cast("list[object]", left), cast("list[object]", right)
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(left, dict) and isinstance(right, dict):
        mine, other = cast("dict[str, object]", left), cast("dict[str, object]", right)
        return mine.keys() == other.keys() and all(same(mine[key], other[key]) for key in mine)
    return left == right


def _integer(value: object) -> bool:
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": _integer,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}

_CLASSES: dict[str, type] = {
    "string": str,
    "object": dict,
    "array": list,
    "boolean": bool,
    "null": type(None),
    "integer": int,
}
"""Values of exactly this class are of the type; those of another may be, too."""

_CONTAINERS = ("definitions", "$defs")
_ANNOTATIONS = frozenset(
    ("$schema", "$id", "$comment", "title", "description", "default", "examples", "example", "format")
)


def _anything(_value: object, _path: Path, _found: list[Violation]) -> None:
    return


def _nothing(value: object, path: Path, found: list[Violation]) -> None:
    found.append(Violation(pointer(path), "false", value, None))


def _whole(parts: Sequence[tuple[type | None, Check]]) -> Check:
    """Every check that applies to a value of its class."""
    if len(parts) == 1 and parts[0][0] is None:
        return parts[0][1]

    def check(value: object, path: Path, found: list[Violation]) -> None:
        for applies, part in parts:
            if applies is None or type(value) is applies:
                part(value, path, found)

    return check


def _all(checks: Sequence[Check]) -> Check:
    if len(checks) == 1:
        return checks[0]

    def check(value: object, path: Path, found: list[Violation]) -> None:
        for part in checks:
            part(value, path, found)

    return check


def _type(schema: Schema, _evaluator: Evaluator) -> Check:
    wanted = schema["type"]
    names = (wanted,) if isinstance(wanted, str) else tuple(cast("list[str]", wanted))
    tests = tuple(_TYPES[name] for name in names)

    def check(value: object, path: Path, found: list[Violation]) -> None:
        for test in tests:
            if test(value):
                return
        found.append(Violation(pointer(path), "type", value, names))

    return check


def _one_of_values(keyword: str, allowed: tuple[object, ...]) -> Check:
    texts = frozenset(choice for choice in allowed if isinstance(choice, str))

    def check(value: object, path: Path, found: list[Violation]) -> None:
        fits = value in texts if isinstance(value, str) else any(same(value, choice) for choice in allowed)
        if not fits:
            found.append(Violation(pointer(path), keyword, value, allowed))

    return check


def _enum(schema: Schema, _evaluator: Evaluator) -> Check:
    return _one_of_values("enum", tuple(cast("list[object]", schema["enum"])))


def _const(schema: Schema, _evaluator: Evaluator) -> Check:
    return _one_of_values("const", (schema["const"],))


def _pattern(schema: Schema, _evaluator: Evaluator) -> Check:
    source = cast("str", schema["pattern"])
    compiled = cache(partial(ecma, source))

    def check(value: str, path: Path, found: list[Violation]) -> None:
        if compiled().search(value) is None:
            found.append(Violation(pointer(path), "pattern", value, source))

    return cast("Check", check)


def _least(keyword: str, schema: Schema, _evaluator: Evaluator) -> Check:
    limit = cast("int", schema[keyword])

    def check(value: str | list[object], path: Path, found: list[Violation]) -> None:
        if len(value) < limit:
            found.append(Violation(pointer(path), keyword, value, limit))

    return cast("Check", check)


def _most(keyword: str, schema: Schema, _evaluator: Evaluator) -> Check:
    limit = cast("int", schema[keyword])

    def check(value: str | list[object], path: Path, found: list[Violation]) -> None:
        if len(value) > limit:
            found.append(Violation(pointer(path), keyword, value, limit))

    return cast("Check", check)


def _required(schema: Schema, _evaluator: Evaluator) -> Check:
    names = cast("list[str]", schema["required"])

    def check(value: dict[str, object], path: Path, found: list[Violation]) -> None:
        for name in names:
            if name not in value:
                found.append(Violation(pointer(path), "required", value, name))

    return cast("Check", check)


def _properties(schema: Schema, evaluator: Evaluator) -> Check:
    fields = cast("Schema", schema["properties"])
    nodes = {name: evaluator.compile(field) for name, field in fields.items() if not _is_reference(field)}

    def check(value: dict[str, object], path: Path, found: list[Violation]) -> None:
        for key, child in value.items():
            node = nodes.get(key)
            if node is None:
                if key not in fields:
                    continue
                node = nodes[key] = evaluator.compile(fields[key])
            whole, kind, rest = node
            if type(child) is not kind:
                whole(child, (path, key), found)
            elif rest is not None:
                rest(child, (path, key), found)

    return cast("Check", check)


def _additional(schema: Schema, evaluator: Evaluator) -> Check:
    known = cast("Schema", schema.get("properties", {}))
    rest = schema["additionalProperties"]
    if rest is True:
        return _anything
    node = evaluator.later(rest)

    def check(value: dict[str, object], path: Path, found: list[Violation]) -> None:
        for key, child in value.items():
            if key in known:
                continue
            if rest is False:
                found.append(Violation(pointer((path, key)), "additionalProperties", child, tuple(known)))
            else:
                node().whole(child, (path, key), found)

    return cast("Check", check)


def _items(schema: Schema, evaluator: Evaluator) -> Check:
    node = evaluator.later(schema["items"])

    def check(value: list[object], path: Path, found: list[Violation]) -> None:
        for index, child in enumerate(value):
            whole, kind, rest = node()
            if type(child) is not kind:
                whole(child, (path, index), found)
            elif rest is not None:
                rest(child, (path, index), found)

    return cast("Check", check)


def _all_of(schema: Schema, evaluator: Evaluator) -> Check:
    nodes = [evaluator.compile(part) for part in cast("list[object]", schema["allOf"])]

    def check(value: object, path: Path, found: list[Violation]) -> None:
        for whole, kind, rest in nodes:
            if type(value) is not kind:
                whole(value, path, found)
            elif rest is not None:
                rest(value, path, found)

    return check


def _not(schema: Schema, evaluator: Evaluator) -> Check:
    node = evaluator.compile(schema["not"])

    def check(value: object, path: Path, found: list[Violation]) -> None:
        inner: list[Violation] = []
        node.whole(value, path, inner)
        if not inner:
            found.append(Violation(pointer(path), "not", value, schema["not"]))

    return check


def _any_of(schema: Schema, evaluator: Evaluator) -> Check:
    branches = cast("list[object]", schema["anyOf"])
    nodes = [evaluator.compile(branch) for branch in branches]
    parts = [node.whole for node in nodes]
    for_objects = [(node.rest or _anything) if node.kind is dict else node.whole for node in nodes]
    tag, by_tag = tags([evaluator.target(branch) for branch in branches], for_objects, evaluator.target)

    def check(value: object, path: Path, found: list[Violation]) -> None:
        if tag and isinstance(value, dict):
            choose(tag, by_tag, cast("dict[str, object]", value), path, found)
            return
        failed: list[list[Violation]] = []
        for part in parts:
            inner: list[Violation] = []
            part(value, path, inner)
            if not inner:
                return
            failed.append(inner)
        found.extend(closest(failed, pointer(path), value))

    return check


_KEYWORDS: dict[str, tuple[Callable[[Schema, Evaluator], Check], type | None]] = {
    "type": (_type, None),
    "enum": (_enum, None),
    "const": (_const, None),
    "pattern": (_pattern, str),
    "minLength": (partial(_least, "minLength"), str),
    "maxLength": (partial(_most, "maxLength"), str),
    "minItems": (partial(_least, "minItems"), list),
    "maxItems": (partial(_most, "maxItems"), list),
    "required": (_required, dict),
    "properties": (_properties, dict),
    "additionalProperties": (_additional, dict),
    "items": (_items, list),
    "allOf": (_all_of, None),
    "anyOf": (_any_of, None),
    "not": (_not, None),
}
"""What compiles each keyword, and the class of the values that it says something about; None: of all."""

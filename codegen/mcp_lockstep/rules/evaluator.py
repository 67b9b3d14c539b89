"""A small JSON Schema evaluator for the bundled manifest schemas: all errors, each with its pointer.

It knows the keywords that those schemas use, with the meaning that draft-07 gives them, and refuses to
compile any other. `format` is an annotation. Texts are measured in code points, `\\d` and `\\s` are ASCII
and `$` is the end of the text, as in the registry's own checker. A schema is compiled once, one closure per
keyword; definitions are compiled when a value first needs them.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import cast

from mcp_lockstep.rules.alternatives import choose, closest, tags
from mcp_lockstep.rules.violation import Check, Path, Schema, Violation, pointer


class UnsupportedKeywordError(ValueError):
    """A schema uses a keyword that is not known here; judging by the rest would be a false answer."""


class Evaluator:
    """A compiled schema; `violations` may be called any number of times."""

    def __init__(self, document: Schema) -> None:
        self._document = document
        self._checks: dict[str, Check] = {}
        self._root = self.compile(document)

    def violations(self, value: object) -> tuple[Violation, ...]:
        """Everything in `value` that the schema forbids, in the schema's order, nothing twice."""
        found: list[Violation] = []
        self._root(value, None, found)
        if len(found) < 2:
            return tuple(found)
        return tuple({(v.pointer, v.keyword, repr(v.limit)): v for v in found}.values())

    def compile(self, schema: object) -> Check:
        """The check that `schema`, a part of this document, makes."""
        if isinstance(schema, bool):
            return _anything if schema else _nothing
        body = cast("Schema", schema)
        if "$ref" in body:
            return self._reference(cast("str", body["$ref"]))
        checks: list[Check] = []
        for keyword in body:
            if keyword in _COMPILERS:
                checks.append(_COMPILERS[keyword](body, self))
            elif keyword not in _ANNOTATIONS and keyword not in _CONTAINERS:
                raise UnsupportedKeywordError(keyword)
        return checks[0] if len(checks) == 1 else _all(checks)

    def target(self, schema: object) -> Schema:
        """The schema that `schema` stands for once references are followed."""
        body = cast("Schema", schema)
        while "$ref" in body:
            body = self._resolve(str(body["$ref"]))
        return body

    def _reference(self, reference: str) -> Check:
        def check(value: object, path: Path, found: list[Violation]) -> None:
            compiled = self._checks.get(reference)
            if compiled is None:
                compiled = self._checks[reference] = self.compile(self._resolve(reference))
            compiled(value, path, found)

        return check

    def _resolve(self, reference: str) -> Schema:
        node = self._document
        for token in reference.removeprefix("#/").split("/"):
            node = cast("Schema", node[token.replace("~1", "/").replace("~0", "~")])
        return node


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

_CONTAINERS = ("definitions", "$defs")
_ANNOTATIONS = frozenset(
    ("$schema", "$id", "$comment", "title", "description", "default", "examples", "example", "format")
)


def _anything(_value: object, _path: Path, _found: list[Violation]) -> None:
    return


def _nothing(value: object, path: Path, found: list[Violation]) -> None:
    found.append(Violation(pointer(path), "false", value, None))


def _all(checks: list[Check]) -> Check:
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
    def check(value: object, path: Path, found: list[Violation]) -> None:
        if not any(same(value, choice) for choice in allowed):
            found.append(Violation(pointer(path), keyword, value, allowed))

    return check


def _enum(schema: Schema, _evaluator: Evaluator) -> Check:
    return _one_of_values("enum", tuple(cast("list[object]", schema["enum"])))


def _const(schema: Schema, _evaluator: Evaluator) -> Check:
    return _one_of_values("const", (schema["const"],))


def _pattern(schema: Schema, _evaluator: Evaluator) -> Check:
    source = cast("str", schema["pattern"])
    compiled: list[re.Pattern[str]] = []

    def check(value: object, path: Path, found: list[Violation]) -> None:
        if isinstance(value, str):
            if not compiled:
                compiled.append(ecma(source))
            if compiled[0].search(value) is None:
                found.append(Violation(pointer(path), "pattern", value, source))

    return check


def _size(
    keyword: str, measure: Callable[[object], int | None], wrong: Callable[[int, int], bool]
) -> Callable[[Schema, Evaluator], Check]:
    def build(schema: Schema, _evaluator: Evaluator) -> Check:
        limit = cast("int", schema[keyword])

        def check(value: object, path: Path, found: list[Violation]) -> None:
            size = measure(value)
            if size is not None and wrong(size, limit):
                found.append(Violation(pointer(path), keyword, value, limit))

        return check

    return build


def _code_points(value: object) -> int | None:
    return len(value) if isinstance(value, str) else None


def _elements(value: object) -> int | None:
    return len(cast("list[object]", value)) if isinstance(value, list) else None


def _required(schema: Schema, _evaluator: Evaluator) -> Check:
    names = cast("list[str]", schema["required"])

    def check(value: object, path: Path, found: list[Violation]) -> None:
        if isinstance(value, dict):
            found.extend(
                Violation(pointer(path), "required", cast("object", value), name)
                for name in names
                if name not in value
            )

    return check


def _properties(schema: Schema, evaluator: Evaluator) -> Check:
    fields = cast("Schema", schema["properties"])
    checks = {name: evaluator.compile(field) for name, field in fields.items()}

    def check(value: object, path: Path, found: list[Violation]) -> None:
        if isinstance(value, dict):
            for key, child in cast("dict[str, object]", value).items():
                part = checks.get(key)
                if part is not None:
                    part(child, (path, key), found)

    return check


def _additional(schema: Schema, evaluator: Evaluator) -> Check:
    known = tuple(cast("Schema", schema.get("properties", {})))
    rest = schema["additionalProperties"]
    part = evaluator.compile(rest)

    def check(value: object, path: Path, found: list[Violation]) -> None:
        if isinstance(value, dict):
            for key, child in cast("dict[str, object]", value).items():
                if key in known:
                    continue
                if rest is False:
                    found.append(Violation(pointer((path, key)), "additionalProperties", child, known))
                else:
                    part(child, (path, key), found)

    return check


def _items(schema: Schema, evaluator: Evaluator) -> Check:
    part = evaluator.compile(schema["items"])

    def check(value: object, path: Path, found: list[Violation]) -> None:
        if isinstance(value, list):
            for index, child in enumerate(cast("list[object]", value)):
                part(child, (path, index), found)

    return check


def _all_of(schema: Schema, evaluator: Evaluator) -> Check:
    return _all([evaluator.compile(part) for part in cast("list[object]", schema["allOf"])])


def _not(schema: Schema, evaluator: Evaluator) -> Check:
    part = evaluator.compile(schema["not"])

    def check(value: object, path: Path, found: list[Violation]) -> None:
        inner: list[Violation] = []
        part(value, path, inner)
        if not inner:
            found.append(Violation(pointer(path), "not", value, schema["not"]))

    return check


def _any_of(schema: Schema, evaluator: Evaluator) -> Check:
    branches = cast("list[object]", schema["anyOf"])
    parts = [evaluator.compile(branch) for branch in branches]
    tag, by_tag = tags([evaluator.target(branch) for branch in branches], parts, evaluator.target)

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


_COMPILERS: dict[str, Callable[[Schema, Evaluator], Check]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minLength": _size("minLength", _code_points, operator.lt),
    "maxLength": _size("maxLength", _code_points, operator.gt),
    "minItems": _size("minItems", _elements, operator.lt),
    "maxItems": _size("maxItems", _elements, operator.gt),
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "allOf": _all_of,
    "anyOf": _any_of,
    "not": _not,
}

"""Type annotations of Python models as JSON Schema, read from the source: nothing is imported.

What is not known becomes a reference that leads out (`python:NAME`): equal as long as it is written alike.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from mcp_lockstep.compare.nodes import COUNTS
from mcp_lockstep.documents.data import JsonObject, text_of

_ALIKE: tuple[tuple[str, JsonObject], ...] = (
    ("str StrictStr", {"type": "string"}),
    ("int StrictInt JsonInt", {"type": "integer"}),
    ("float StrictFloat JsonNumber", {"type": "number"}),
    ("bool StrictBool", {"type": "boolean"}),
    ("None NoneType", {"type": "null"}),
    ("Any object JsonValue", {}),
    ("dict Dict Mapping MutableMapping", {"type": "object"}),
    ("list List Sequence tuple Tuple", {"type": "array"}),
    ("set Set frozenset FrozenSet", {"type": "array", "uniqueItems": True}),
    ("datetime AwareDatetime", {"type": "string", "format": "date-time"}),
    ("date", {"type": "string", "format": "date"}),
    ("UUID", {"type": "string", "format": "uuid"}),
    ("AnyUrl", {"type": "string", "format": "uri"}),
    ("PositiveInt", {"type": "integer", "exclusiveMinimum": 0}),
    ("NonNegativeInt", {"type": "integer", "minimum": 0}),
)
_KNOWN = {name: schema for names, schema in _ALIKE for name in names.split()}
_WRAPPERS = frozenset("Required NotRequired ReadOnly Final Strict".split())
_LIMITS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
    "title": "title",
    "description": "description",
}
ABSENT = frozenset(["MISSING", "UNSET", "UnsetType", "Undefined"])
"""Names that stand for no value at all."""


class Types:
    """What annotations mean in one module; `names` are the definitions that it has."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def schema(self, node: ast.expr) -> JsonObject:
        """The schema of an annotation."""
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._union([node.left, node.right])
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        name = last_name(node)
        if name in self._names:
            return {"$ref": f"#/$defs/{name}"}
        return dict(_KNOWN[name]) if name in _KNOWN else outside(node)

    def _constant(self, node: ast.Constant) -> JsonObject:
        if node.value is None:
            return dict(_KNOWN["None"])
        try:
            return self.schema(ast.parse(text_of(node.value), mode="eval").body)
        except (SyntaxError, ValueError):
            return outside(node)

    def _union(self, members: list[ast.expr]) -> JsonObject:
        kept = [member for member in members if last_name(member) not in ABSENT]
        schemas = [self.schema(member) for member in kept]
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}

    def _subscript(self, node: ast.Subscript) -> JsonObject:
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        name = last_name(node.value)
        known = _KNOWN.get(name)
        if not inner and name not in ("tuple", "Tuple"):
            return outside(node)
        match name:
            case "Optional":
                return {"anyOf": [self.schema(inner[0]), {"type": "null"}]}
            case "Union":
                return self._union(inner)
            case "Literal":
                return self._literal(node, inner)
            case "Annotated":
                return self._annotated(inner)
            case "tuple" | "Tuple":
                return self._tuple(inner)
            case _ if name in _WRAPPERS:
                return self.schema(inner[0])
            case _ if known is not None and known.get("type") == "array":
                return {**known, "items": self.schema(inner[0])}
            case _ if known is not None and known.get("type") == "object" and len(inner) == 2:
                return {**known, "additionalProperties": self.schema(inner[1])}
            case _:
                return outside(node)

    def _literal(self, node: ast.Subscript, inner: list[ast.expr]) -> JsonObject:
        values = [literal(member) for member in inner]
        plain = all(
            value is not None or last_name(node) == "None" for value, node in zip(values, inner, strict=True)
        )
        return {"enum": values} if plain else outside(node)

    def _tuple(self, inner: list[ast.expr]) -> JsonObject:
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
            return {"type": "array", "items": self.schema(inner[0])}
        count = len(inner)
        items = [self.schema(member) for member in inner]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": count}

    def _annotated(self, inner: list[ast.expr]) -> JsonObject:
        found = self.schema(inner[0])
        for extra in inner[1:]:
            found = refined(found, extra)
        return found


def refined(schema: JsonObject, extra: ast.expr) -> JsonObject:
    """A schema with what a piece of metadata says besides: `Field(...)`, rules as literals, or something unknown."""
    if not isinstance(extra, ast.Call):
        return {"allOf": [schema, outside(extra)]}
    name = last_name(extra.func)
    if name in ("Field", "field", "Meta"):
        said = dict(_said(schema, extra))
        return {"allOf": [schema, said]} if "$ref" in schema and said else {**schema, **said}
    rules = [literal(argument) for argument in extra.args]
    if name == "Obeys" and all(isinstance(rule, dict | bool) for rule in rules):
        return {"allOf": [schema, *rules]}
    return {"allOf": [schema, outside(extra)]}


def _said(schema: JsonObject, call: ast.Call) -> Iterator[tuple[str, object]]:
    for keyword in call.keywords:
        value = literal(keyword.value)
        if keyword.arg in _LIMITS and value is not None:
            yield _LIMITS[keyword.arg], value
        elif keyword.arg in ("min_length", "max_length") and value is not None:
            size = COUNTS.get(text_of(schema.get("type")), "Length")
            yield f"{keyword.arg[:3]}{size}", value


def outside(node: ast.expr) -> JsonObject:
    """A reference that leads out, spelled like the expression."""
    return {"$ref": f"python:{ast.unparse(node)}"}


def literal(node: ast.expr) -> object:
    """The JSON value that an expression spells out; None where it does not (or is None)."""
    try:
        found: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if _is_json(found) else None


def _is_json(value: object) -> bool:
    """Whether a Python value is one of JSON."""
    from json import dumps

    try:
        dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return not isinstance(value, tuple)


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name; `None` for the constant; empty for anything else."""
    if isinstance(node, ast.Constant) and node.value is None:
        return "None"
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""

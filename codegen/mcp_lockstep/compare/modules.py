"""A Python module of models (pydantic, dataclasses, TypedDict, enumerations) as a schema with definitions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping

from mcp_lockstep.code.source import callee
from mcp_lockstep.compare.annotations import ABSENT, Types, last_name, literal, outside, refined
from mcp_lockstep.documents.data import JsonObject, text_of
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.findings import Position
from mcp_lockstep.records import NamedTuple

_MODELS = frozenset(["BaseModel", "RootModel", "TypedDict", "Struct"])
_ROOTS = _MODELS | {"object", "Generic", "Protocol"}
_ENUMS = frozenset(["Enum", "StrEnum", "IntEnum"])
_FIELDS = ("Field", "field")
_OWN_NUMBERS = {"JsonInt": "Annotated[int, WholeNumber]", "JsonNumber": "Annotated[float, AnyNumber]"}
"""What generated modules have where they need it, and what is known without: it comes and goes with the schema."""


class Module(NamedTuple):
    """The definitions of a module, and where each of them, and each property, stands."""

    schema: JsonObject
    positions: Mapping[str, Position]


class _Field(NamedTuple):
    name: str
    schema: JsonObject
    required: bool
    position: Position


def read_module(source: str) -> Module:
    """The models of a module. SyntaxError or ValueError for what is no Python."""
    statements = [*_statements(ast.parse(source))]
    classes = {node.name: node for node in _classes(statements)}
    aliases = dict(_aliases(statements))
    reader = _Reader(classes, aliases)
    definitions: dict[str, object] = {}
    positions: dict[str, Position] = {}
    for name, alias in aliases.items():
        definitions[name] = reader.types.schema(alias)
        positions[make_pointer(("$defs", name))] = _position(alias)
    for name, node in classes.items():
        fields = reader.fields(node)
        if reader.is_model(node) or fields:
            definitions[name] = reader.definition(node, fields)
            positions[make_pointer(("$defs", name))] = _position(node)
            for field in fields:
                positions[make_pointer(("$defs", name, "properties", field.name))] = field.position
    return Module({"$defs": definitions}, positions)


def _position(node: ast.expr | ast.stmt) -> Position:
    return Position(node.lineno, node.col_offset + 1, node.lineno, node.col_offset + 1)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module, as type checkers see them."""
    for node in tree.body:
        if isinstance(node, ast.If) and last_name(node.test) == "TYPE_CHECKING":
            yield from node.body
        else:
            yield node


def _classes(statements: Iterable[ast.stmt]) -> Iterator[ast.ClassDef]:
    """The classes of a module, those among them that are written as calls: `X = TypedDict("X", {...})`."""
    for node in statements:
        if isinstance(node, ast.ClassDef):
            yield node
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            call, target = node.value, node.targets[0]
            if last_name(call.func) == "TypedDict" and isinstance(target, ast.Name) and len(call.args) > 1:
                yield _called(target.id, call)


def _called(name: str, call: ast.Call) -> ast.ClassDef:
    """The class that a call of `TypedDict` makes; its keys need not be identifiers."""
    body: list[ast.stmt] = []
    if isinstance(given := call.args[1], ast.Dict):
        for key, value in zip(given.keys, given.values, strict=True):
            if isinstance(key, ast.Constant):
                field = ast.AnnAssign(ast.Name(text_of(key.value)), value, None, 1)
                body.append(ast.copy_location(field, key))
    made = ast.ClassDef(name, [call.func], call.keywords, body, [])
    return ast.copy_location(made, call)


def _aliases(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Names at module level that stand for a type: `X = A | B`, `X: TypeAlias = ...`, `X = TypeAliasType(...)`."""
    for node in statements:
        if sys.version_info >= (3, 12) and isinstance(node, ast.TypeAlias):
            yield node.name.id, node.value
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if not isinstance(target, ast.Name) or value is None or _is_own_number(target.id, value):
            continue
        if isinstance(value, ast.Call) and last_name(value.func) == "TypeAliasType" and len(value.args) > 1:
            yield target.id, value.args[1]
        elif isinstance(node, ast.AnnAssign):
            if last_name(node.annotation) == "TypeAlias":
                yield target.id, value
        elif isinstance(value, ast.Subscript) or (
            isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr)
        ):
            yield target.id, value


def _is_own_number(name: str, value: ast.expr) -> bool:
    return name in _OWN_NUMBERS and ast.unparse(value) == _OWN_NUMBERS[name]


class _Reader:
    def __init__(self, classes: Mapping[str, ast.ClassDef], aliases: Collection[str]) -> None:
        self._classes = classes
        self.types = Types(frozenset([*classes, *aliases]))

    def lineage(
        self, node: ast.ClassDef, seen: frozenset[str] = frozenset()
    ) -> Iterator[ast.expr | ast.ClassDef]:
        """The bases, the farthest first: classes of the module, and expressions for others; the class itself last."""
        for base in node.bases:
            known = self._classes.get(last_name(base))
            if known is None or known.name in seen or known is node:
                yield base
            else:
                yield from self.lineage(known, seen | {node.name})
        yield node

    def is_model(self, node: ast.ClassDef) -> bool:
        """Whether a class is known to describe data."""
        marks = {last_name(callee(mark)) for mark in node.decorator_list}
        names = {last_name(_plain(base)) for base in self.lineage(node) if not isinstance(base, ast.ClassDef)}
        return "dataclass" in marks or bool(names & (_MODELS | _ENUMS))

    def fields(self, node: ast.ClassDef) -> list[_Field]:
        """The fields of a class, inherited ones first; of two with one name the last counts."""
        found: dict[str, _Field] = {}
        keys = any(
            last_name(base) == "TypedDict" for base in self.lineage(node) if isinstance(base, ast.expr)
        )
        for holder in self.lineage(node):
            if isinstance(holder, ast.ClassDef):
                total = not any(k.arg == "total" and literal(k.value) is False for k in holder.keywords)
                for statement, name in _annotated(holder):
                    if keys or _is_field(statement, name):
                        found[name] = self._field(statement, name, total=total)
        return list(found.values())

    def _field(self, node: ast.AnnAssign, name: str, *, total: bool) -> _Field:
        outer = _outer(node.annotation)
        schema = self.types.schema(node.annotation)
        required = node.value is None and total
        if outer in ("Required", "NotRequired"):
            required = outer == "Required"
        calls = [
            call for call in ast.walk(node) if isinstance(call, ast.Call) and last_name(call.func) in _FIELDS
        ]
        for call in calls:
            name = _alias(call) or name
        if isinstance(node.value, ast.Call) and node.value in calls:
            schema = refined(schema, node.value)
            required = not _has_default(node.value)
        default = _default(node.value)
        # Beside a reference a default is an annotation of the place, as everywhere in JSON Schema.
        schema = schema if default is None else {**schema, "default": literal(default)}
        return _Field(name, schema, required, _position(node))

    def definition(self, node: ast.ClassDef, fields: list[_Field]) -> JsonObject:
        """The schema of a class."""
        lineage = list(self.lineage(node))
        bases = [base for base in lineage if not isinstance(base, ast.ClassDef)]
        if any(last_name(base) in _ENUMS for base in bases):
            return _enumeration(node)
        for base in bases:
            if isinstance(base, ast.Subscript) and last_name(base.value) == "RootModel":
                return self.types.schema(base.slice)
        if any(last_name(base) == "RootModel" for base in bases) and fields:
            return fields[0].schema
        found: JsonObject = {"type": "object", "properties": {field.name: field.schema for field in fields}}
        found["required"] = [field.name for field in fields if field.required]
        if _closed([holder for holder in lineage if isinstance(holder, ast.ClassDef)]):
            found["additionalProperties"] = False
        unknown = [outside(base) for base in bases if last_name(_plain(base)) not in _ROOTS]
        if unknown:
            found["allOf"] = unknown
        text = ast.get_docstring(node)
        return {**found, "description": text} if text else found


def _annotated(node: ast.ClassDef) -> Iterator[tuple[ast.AnnAssign, str]]:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement, statement.target.id


def _is_field(node: ast.AnnAssign, name: str) -> bool:
    """Whether what is annotated in a class of attributes is one of its fields."""
    return name != "model_config" and not name.startswith("_") and _outer(node.annotation) != "ClassVar"


def _outer(annotation: ast.expr) -> str:
    return last_name(annotation.value) if isinstance(annotation, ast.Subscript) else ""


def _plain(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _alias(call: ast.Call) -> str:
    names = {keyword.arg: text_of(literal(keyword.value)) for keyword in call.keywords}
    return names.get("alias") or names.get("validation_alias") or ""


def _has_default(call: ast.Call) -> bool:
    given = call.args[:1] + [
        k.value for k in call.keywords if k.arg in ("default", "default_factory", "factory")
    ]
    return any(not (isinstance(node, ast.Constant) and node.value is ...) for node in given)


def _default(node: ast.expr | None) -> ast.expr | None:
    """The default that is written out; None where there is none, or none that is a JSON value other than null."""
    if isinstance(node, ast.Call) and last_name(node.func) in _FIELDS:
        node = next(iter([k.value for k in node.keywords if k.arg == "default"] + node.args[:1]), None)
    # None as a default is how Python says that a value is absent.
    return None if node is None or last_name(node) in ABSENT or literal(node) is None else node


def _enumeration(node: ast.ClassDef) -> JsonObject:
    values = [literal(s.value) for s in node.body if isinstance(s, ast.Assign)]
    return {"enum": values} if values and None not in values else outside(ast.Name(node.name))


def _closed(classes: list[ast.ClassDef]) -> bool:
    """Whether undeclared properties are refused; the class that says so last counts."""
    closed = False
    for node in classes:
        said = {k.arg or "": k.value for k in node.keywords}
        for statement in node.body:
            if isinstance(statement, ast.Assign) and last_name(statement.targets[0]) == "model_config":
                said |= _configured(statement.value)
        if "extra" in said:
            closed = literal(said["extra"]) == "forbid"
        closed = closed or any(
            literal(said[key]) is True for key in ("forbid_unknown_fields", "closed") if key in said
        )
    return closed


def _configured(node: ast.expr) -> dict[str, ast.expr]:
    if isinstance(node, ast.Call):
        return {keyword.arg or "": keyword.value for keyword in node.keywords}
    if isinstance(node, ast.Dict):
        keys = [text_of(literal(key)) if key is not None else "" for key in node.keys]
        return dict(zip(keys, node.values, strict=True))
    return {}

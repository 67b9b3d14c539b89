"""Dataclasses of the standard library: they hold what a schema describes, and check nothing."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from mcp_lockstep.config.styles import Style
from mcp_lockstep.models.judge import Judge
from mcp_lockstep.models.kinds.plain import TYPE_NAMES, Module
from mcp_lockstep.models.kinds.unsaid import renamed, unsaid
from mcp_lockstep.models.overlay import doc_source
from mcp_lockstep.models.plan import ClassPlan, FieldNames, FieldPlan, ModulePlan
from mcp_lockstep.models.profiles import snake
from mcp_lockstep.naming import Identifier, distinct, identifier
from mcp_lockstep.schema.passes.rules import whole
from mcp_lockstep.schema.values import Json, Node, as_node, nodes, reference
from mcp_lockstep.schema.vet import Trouble

_TAKEN: frozenset[str] = TYPE_NAMES | {"dataclass", "field", "self"}
WIRE_NAMES = "WIRE_NAMES: dict[str, dict[str, str]]"


class Dataclasses:
    """Writes dataclasses; their fields are spelled as on the wire, or in snake case."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._names = _snake_names if style.profile == "ergonomic" else _wire_names

    def names(self) -> FieldNames:
        return self._names

    def source(self, planned: ModulePlan) -> str:
        module = Module(planned, self._style)
        if planned.classes:
            module.uses("dataclass")
        return module.source(lambda cls: _Writer(module).source(cls), _wire_table(planned))

    def unsaid(self, root: Node) -> Iterator[Trouble]:
        yield from unsaid(root, closed=True)
        yield from renamed(root, self._names)


def _wire_names(wires: Iterable[str], taken: Container[str] = frozenset()) -> dict[str, Identifier]:
    return distinct(wires, lambda wire: _free(identifier(wire), taken))


def _snake_names(wires: Iterable[str], taken: Container[str] = frozenset()) -> dict[str, Identifier]:
    return distinct(wires, lambda wire: _free(identifier(snake(wire)), taken))


def _free(name: Identifier, taken: Container[str]) -> Identifier:
    while name in taken or name in _TAKEN:
        name = Identifier(f"{name}_")
    return name


def _wire_table(planned: ModulePlan) -> str:
    """The statement that maps each field that had to change to its name on the wire; empty where none had to."""
    tables = {
        cls.name: {str(f.name): f.wire for f in cls.fields if f.name != f.wire} for cls in planned.classes
    }
    rows = "".join(f"    {name!r}: {tables[name]!r},\n" for name in sorted(tables) if tables[name])
    text = '"""The names on the wire of fields that have another name here, by class."""'
    return f"{WIRE_NAMES} = {{\n{rows}}}\n{text}" if rows else ""


class _Writer:
    """Writes the classes of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._classes = {cls.name: cls for cls in module.planned.classes}
        self._judge = Judge(module.planned.all_definitions)

    def source(self, cls: ClassPlan) -> str:
        """The statement for a class."""
        lines = [doc_source(cls.doc), ""] if cls.doc else []
        for field in cls.fields:
            lines.append(self._field(field))
            lines += [doc_source(field.description)] if field.description else []
        body = "\n".join(f"    {line}" if line else "" for line in lines or ["pass"]).rstrip()
        return f"@dataclass(kw_only=True, slots=True)\nclass {cls.name}:\n{body}"

    def _field(self, field: FieldPlan) -> str:
        if field.required:
            return f"{field.name}: {self._module.annotation(field.node, absent=False)}"
        value = self._value(field.node, field.default[0]) if field.default else None
        if value is None:
            return f"{field.name}: {self._module.annotation(field.node, absent=True)} = None"
        annotation = self._module.annotation(field.node, absent=False)
        if value != repr(field.default[0]) or isinstance(field.default[0], dict | list):
            self._module.uses("field")
            return f"{field.name}: {annotation} = field(default_factory=lambda: {value})"
        return f"{field.name}: {annotation} = {value}"

    def _value(self, node: Node, value: Json) -> str | None:
        """The expression for a default; None where a class has no place for a property in it."""
        name = reference(node)
        if name in self._classes:
            return self._instance(self._classes[name], value)
        if name is not None:
            return self._value(self._module.planned.all_definitions[name], value)
        if "anyOf" in node:
            fitting = [part for part in nodes(node, "anyOf") if self._judge.fulfils(part, value)]
            return self._value(fitting[0], value) if fitting else repr(value)
        if isinstance(value, list):
            items = [self._value(as_node(node.get("items", {})), item) for item in value]
            return None if None in items else f"[{', '.join(filter(None, items))}]"
        if isinstance(value, dict):
            rest = as_node(node.get("additionalProperties", {}))
            pairs = {key: self._value(rest, item) for key, item in value.items()}
            inner = ", ".join(f"{key!r}: {text}" for key, text in pairs.items())
            return None if None in pairs.values() else f"{{{inner}}}"
        integral = node.get("type") == "integer" or node.keys() & {"const", "enum"}
        return repr(whole(value) if integral else value)

    def _instance(self, cls: ClassPlan, value: Json) -> str | None:
        fields = {field.wire: field for field in cls.fields}
        if not isinstance(value, dict) or value.keys() - fields.keys():
            return None
        given = {fields[key].name: self._value(fields[key].node, item) for key, item in value.items()}
        inner = ", ".join(f"{name}={text}" for name, text in given.items())
        return None if None in given.values() else f"{cls.name}({inner})"

"""TypedDicts: the JSON values themselves, for a type checker to follow."""

from __future__ import annotations

import keyword
from collections.abc import Container, Iterable, Iterator

from mcp_lockstep.config.styles import Style
from mcp_lockstep.models.kinds.plain import TYPE_NAMES, Module
from mcp_lockstep.models.kinds.unsaid import unsaid
from mcp_lockstep.models.overlay import doc_source
from mcp_lockstep.models.plan import ClassPlan, FieldNames, FieldPlan, ModulePlan, type_references
from mcp_lockstep.naming import Identifier, distinct, identifier
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import Node
from mcp_lockstep.schema.vet import Trouble

_CLOSABLE = (3, 15)
_NOT_REQUIRED = (3, 11)
_TAKEN: frozenset[str] = TYPE_NAMES | {"NotRequired"}


class TypedDicts:
    """Writes TypedDicts; their keys are the names on the wire."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def names(self) -> FieldNames:
        return _names

    def source(self, planned: ModulePlan) -> str:
        module = Module(planned, self._style)
        if planned.classes:
            module.uses("TypedDict")
        return module.source(lambda cls: _class_source(cls, module))

    def unsaid(self, root: Node) -> Iterator[Trouble]:
        yield from unsaid(root, closed=self._style.since >= _CLOSABLE)


def _names(wires: Iterable[str], taken: Container[str] = frozenset()) -> dict[str, Identifier]:
    return distinct(wires, identifier)


class _Part(NamedTuple):
    """Keys that one statement declares. `total`: whether those without `NotRequired` must be there."""

    name: str
    fields: tuple[FieldPlan, ...]
    total: bool


def _class_source(cls: ClassPlan, module: Module) -> str:
    """The statement for a class; two with a class of both before Python 3.11, which has no `NotRequired`."""
    needed = tuple(field for field in cls.fields if field.required)
    others = tuple(field for field in cls.fields if not field.required)
    if module.style.since >= _NOT_REQUIRED or not needed or not others:
        total = module.style.since >= _NOT_REQUIRED or not others
        return _statement(_Part(cls.name, cls.fields, total), cls, module)
    parts = (_Part(f"_{cls.name}Required", needed, True), _Part(f"_{cls.name}Optional", others, False))
    texts = [_statement(part, cls._replace(doc=""), module) for part in parts]
    doc = doc_source(cls.doc) if cls.doc else "pass"
    texts.append(f"class {cls.name}({parts[0].name}, {parts[1].name}):\n    {doc}")
    return "\n\n\n".join(texts)


def _statement(part: _Part, cls: ClassPlan, module: Module) -> str:
    types = {field.wire: _type(field, module) for field in part.fields}
    options = [] if part.total else ["total=False"]
    if cls.extra is None and module.style.since >= _CLOSABLE:
        options.append("closed=True")
    if all(_is_plain(field, cls) for field in part.fields):
        lines = [doc_source(cls.doc), ""] if cls.doc else []
        for field in part.fields:
            lines.append(f"{field.wire}: {types[field.wire]}")
            lines += [doc_source(field.description)] if field.description else []
        body = "\n".join(f"    {line}" if line else "" for line in lines or ["pass"]).rstrip()
        return f"class {part.name}({', '.join(['TypedDict', *options])}):\n{body}"
    rows = "".join(f"    {wire!r}: {text},\n" for wire, text in types.items())
    arguments = ", ".join([f"{{\n{rows}}}", *options])
    doc = f"\n{doc_source(cls.doc)}" if cls.doc else ""
    return f"{part.name} = TypedDict({part.name!r}, {arguments}){doc}"


def _is_plain(field: FieldPlan, cls: ClassPlan) -> bool:
    """Whether the key can stand in a class: an identifier that is not changed there and hides no type."""
    wire = field.wire
    used = {name for other in cls.fields for name in type_references(other.node)}
    odd = not wire.isidentifier() or not wire.isascii() or keyword.iskeyword(wire) or wire.startswith("__")
    return not odd and wire not in used | _TAKEN


def _type(field: FieldPlan, module: Module) -> str:
    text = module.annotation(field.node, absent=False)
    if field.required or module.style.since < _NOT_REQUIRED:
        return text
    module.uses("NotRequired")
    return f"NotRequired[{text}]"

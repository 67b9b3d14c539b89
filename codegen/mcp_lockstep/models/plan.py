"""What a module of models will hold: classes, aliases and the definitions that rules refer to, as data."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TypeAlias

from mcp_lockstep.contract.model import shown
from mcp_lockstep.models.judge import Judge
from mcp_lockstep.naming import Identifier, field_names
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.codes import DEFAULT
from mcp_lockstep.schema.merge import TEXTS, is_class, is_closed
from mcp_lockstep.schema.values import (
    RULES,
    Json,
    Node,
    as_map,
    as_node,
    as_texts,
    everywhere,
    named,
    nodes,
    reference,
    subschemas,
)
from mcp_lockstep.schema.vet import Trouble

ANNOTATION_NAMES = frozenset(
    "Annotated Any ConfigDict Dict Field JsonInt JsonNumber List Literal MISSING ModelWrapValidatorHandler "
    "ONLY_BOOLEANS ONLY_NUMBERS Obeys Self Str StrictBool StrictStr Struct TYPE_CHECKING Union classmethod judged "
    "model_validator without_namesakes".split()
)
"""What class bodies use: no field may have such a name. `list`, `dict` and `str` have second names there."""


FieldNames: TypeAlias = Callable[[Iterable[str], Container[str]], dict[str, Identifier]]
"""Names the fields of a class: the properties, and names that none may have, to a name for each property."""


class FieldPlan(NamedTuple):
    """One property: its Python and wire names, its schema, and its default where that is valid."""

    name: Identifier
    wire: str
    node: Node
    required: bool
    default: tuple[Json, ...] = ()

    @property
    def description(self) -> str:
        return text(self.node)


class ClassPlan(NamedTuple):
    """One class. `extra` is the schema of further properties; None where they are refused.

    `policy` is what an override says of them besides: allow, forbid or ignore.
    """

    name: str
    doc: str
    fields: tuple[FieldPlan, ...]
    extra: Node | None
    rules: tuple[Node, ...]
    policy: str = ""


class AliasPlan(NamedTuple):
    """One name for a type that is no class."""

    name: str
    doc: str
    node: Node


class Custom(NamedTuple):
    """What overrides say of a module: its base class, what it imports, what stands at its end.

    `policy` is what classes do with unknown properties where neither the schema nor an override says it.
    """

    base: str = ""
    imports: tuple[str, ...] = ()
    policy: str = "allow"
    exported: tuple[str, ...] = ()
    appended: str = ""


class Imported(NamedTuple):
    """What a module takes from another one: how it names that, which classes and aliases, which helpers it may use."""

    module: str = ""
    names: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()


class ModulePlan(NamedTuple):
    """All of a module. `definitions` are what `$ref` in rules means."""

    classes: tuple[ClassPlan, ...]
    aliases: tuple[AliasPlan, ...]
    definitions: dict[str, Node]
    all_definitions: dict[str, Node]
    custom: Custom = Custom()
    imported: Imported = Imported()


def plan(document: Node, names: FieldNames = field_names) -> ModulePlan:
    """The module for a document that all passes went over, its fields named by `names`."""
    definitions = named(document, "$defs")
    judge = Judge(definitions)
    always = {*as_texts(document.get("x-objects"))}
    classes: list[ClassPlan] = []
    aliases: list[AliasPlan] = []
    for name, node in definitions.items():
        if is_class(node) or name in always:
            classes.append(_class(name, node, judge, names))
        else:
            aliases.append(AliasPlan(name, text(node), node))
    used = _closure(_rules(definitions.values()), definitions)
    return ModulePlan(tuple(classes), tuple(aliases), used, definitions)


def text(node: Node) -> str:
    """The description of a schema, empty where it has none."""
    found = node.get("description")
    return found if isinstance(found, str) else ""


def _class(name: str, node: Node, judge: Judge, naming: FieldNames) -> ClassPlan:
    required = {*as_texts(node.get("required"))}
    properties = named(node, "properties")
    # In a class body a field hides the class of its name.
    used = {name for part in (*properties.values(), _extra(node) or {}) for name in type_references(part)}
    names = naming(properties, ANNOTATION_NAMES | used)
    fields = tuple(
        FieldPlan(names[wire], wire, part, wire in required, _default(part, judge, required=wire in required))
        for wire, part in properties.items()
    )
    return ClassPlan(name, text(node), fields, _extra(node), tuple(nodes(node, RULES)))


def _extra(node: Node) -> Node | None:
    """The schema of further properties; None where they are refused."""
    return None if is_closed(node) else as_node(node.get("additionalProperties", {}))


def type_references(node: Node) -> Iterator[str]:
    """The definitions that the type of `node` names."""
    name = reference(node)
    if name is not None:
        yield name
    for part in nodes(node, "anyOf"):
        yield from type_references(part)
    for key in ("items", "additionalProperties"):
        if key in node:
            yield from type_references(as_node(node[key]))


def _default(node: Node, judge: Judge, *, required: bool) -> tuple[Json, ...]:
    if required or "default" not in node or not judge.fulfils(node, node["default"]):
        return ()
    return (node["default"],)


def refused_defaults(planned: ModulePlan, name: str, schema: Node) -> Iterator[Trouble]:
    """The properties of the root `schema`, which is the class `name`, whose default is none for themselves."""
    written = as_map(schema.get("properties"))
    for cls in planned.classes:
        for field in cls.fields if cls.name == name else ():
            stated = as_map(written.get(field.wire))
            if "default" in stated and not field.default and not field.required:
                path = ("properties", field.wire, "default")
                have = shown(stated["default"])
                yield Trouble(DEFAULT, path, f"is {have}, which the property itself refuses", have)


def _rules(definitions: Iterable[Node]) -> list[Node]:
    found: list[Node] = []
    waiting: list[Json] = [*definitions]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            found += nodes(node, RULES)
            waiting += [child for step, child in subschemas(node) if step[0] != RULES]
    return found


def _closure(rules: list[Node], definitions: dict[str, Node]) -> dict[str, Node]:
    """The definitions that rules refer to, in turn, without the texts in them."""
    found: dict[str, Node] = {}
    waiting: list[Json] = [*rules]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        name = reference(node)
        if name is not None and name not in found:
            found[name] = without_texts(definitions[name])
            waiting.append(definitions[name])
        waiting += [child for _, child in subschemas(node)]
    return {name: found[name] for name in sorted(found)}


def without_texts(node: Node) -> Node:
    """`node` without descriptions, titles and defaults at every depth."""
    return everywhere(node, lambda part: {key: value for key, value in part.items() if key not in TEXTS})

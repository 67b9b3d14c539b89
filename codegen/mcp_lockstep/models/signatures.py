"""The signature that a class of arguments asks of its function."""

from __future__ import annotations

from mcp_lockstep.code.signature import Parameter
from mcp_lockstep.models.overlay import value_source
from mcp_lockstep.models.plan import ClassPlan, FieldPlan, ModulePlan
from mcp_lockstep.models.types import Renderer
from mcp_lockstep.naming import Identifier, identifier
from mcp_lockstep.schema.values import Json, Node, as_node, nodes, reference


def parameter(field: FieldPlan, planned: ModulePlan) -> Parameter:
    """The parameter for a field: its type without constraints, and a default that can stand in a signature.

    Lists and objects have none: the runtime always passes a value for them.
    """
    annotation = Renderer("plain").text(field.node)
    if field.required:
        return Parameter(field.name, annotation)
    default = field.node.get("default")
    mutable = isinstance(default, list | dict)
    if "default" not in field.node or (mutable and not field.default):
        return Parameter(field.name, f"{annotation} | MISSING", "MISSING")
    if mutable:
        return Parameter(field.name, annotation)
    if field.default:
        return Parameter(field.name, annotation, value_source(field.node, default, planned))
    return Parameter(field.name, _widened(annotation, default), repr(default))


def _widened(annotation: str, default: Json) -> str:
    """An annotation that takes a default which the schema itself refuses."""
    kind = "None" if default is None else type(default).__name__
    return annotation if kind in annotation.split(" | ") else f"{annotation} | {kind}"


def extra_parameters(cls: ClassPlan) -> list[Parameter]:
    """The parameter for properties that the schema allows but does not name, if there can be any."""
    if cls.extra is None:
        return []
    taken = {field.name for field in cls.fields}
    name = identifier("extra")
    while name in taken:
        name = Identifier(f"{name}_")
    return [Parameter(name, f"dict[str, {Renderer('plain').text(cls.extra)}] | MISSING", "MISSING")]


def definitions_named(node: Node) -> list[str]:
    """The definitions that the type of a schema names."""
    name = reference(node)
    found = [name] if name is not None else []
    for part in nodes(node, "anyOf"):
        found += definitions_named(part)
    for key in ("items", "additionalProperties"):
        if key in node:
            found += definitions_named(as_node(node[key]))
    return found

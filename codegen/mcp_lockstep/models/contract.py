"""The models of a contract: one module for all tools, and per tool the signature that its schema asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..code.signature import Parameter, Signature
from ..findings import Finding
from ..naming import ClassName, Identifier, ModuleName, class_name, distinct, function_name, identifier, module_name
from ..schema.bundle import Part, bundle
from ..schema.passes import normalised
from ..schema.values import Json, Node, as_map, as_node, encoded, named, nodes, reference
from .module import module_source
from .plan import ClassPlan, FieldPlan, ModulePlan, plan
from .support import RESERVED
from .types import Renderer


class ToolView(NamedTuple):
    """One tool as code sees it. `imports` are the names of models that its signature uses."""

    name: str
    module: ModuleName
    function: Identifier
    arguments: ClassName
    signature: Signature
    imports: tuple[str, ...]
    description: str


class ContractModels(NamedTuple):
    """The source of `models.py` (without seal), the tools in the order of the contract, and what is wrong."""

    source: str
    tools: tuple[ToolView, ...]
    findings: tuple[Finding, ...]


class _Names(NamedTuple):
    """The class names of one tool."""

    base: ClassName
    arguments: ClassName
    result: ClassName | None


def contract_models(tools: Sequence[Node]) -> ContractModels:
    """The models for `tools`, JSON objects with `name`, `inputSchema` and perhaps `outputSchema`."""
    names = _class_names(tools)
    parts: list[Part] = []
    for tool in tools:
        own = names[str(tool["name"])]
        parts.append(Part(own.arguments, own.base, as_node(tool.get("inputSchema", {})), is_object=True))
        if own.result is not None and all(part.name != own.result for part in parts):
            parts.append(Part(own.result, own.base, as_node(tool["outputSchema"])))
    planned = plan(normalised(bundle(parts, reserved=RESERVED)))
    source = module_source(planned)
    modules = distinct([str(tool["name"]) for tool in tools], module_name)
    functions = distinct([str(tool["name"]) for tool in tools], function_name)
    views = tuple(
        _view(tool, names[name], modules[name], functions[name], planned)
        for tool in tools
        if isinstance(name := tool["name"], str)
    )
    return ContractModels(source, views, ())


def _class_names(tools: Sequence[Node]) -> dict[str, _Names]:
    bases = distinct([str(tool["name"]) for tool in tools], class_name)
    arguments = distinct([*bases.values()], lambda base: class_name(f"{base}Arguments"))
    texts: dict[str, set[str]] = {}
    for tool in tools:
        schema = as_map(tool.get("outputSchema"))
        texts.setdefault(str(schema.get("title")), set()).add(encoded(schema))
    taken = {*arguments.values(), *RESERVED}
    found: dict[str, _Names] = {}
    for tool in tools:
        base = bases[str(tool["name"])]
        result = None
        if "outputSchema" in tool:
            title = str(as_map(tool["outputSchema"]).get("title"))
            good = title == class_name(title) and title.isascii() and len(texts[title]) == 1 and title not in taken
            result = class_name(title if good else f"{base}Result")
        found[str(tool["name"])] = _Names(base, arguments[base], result)
    return found


def _view(tool: Node, names: _Names, module: ModuleName, function: Identifier, planned: ModulePlan) -> ToolView:
    cls = next(cls for cls in planned.classes if cls.name == names.arguments)
    schema = as_map(tool.get("inputSchema"))
    parameters = [_parameter(field) for field in cls.fields]
    if "additionalProperties" in schema or "patternProperties" in schema:
        parameters += _extra(cls)
    returns = _result(names.result, planned)
    used = {name for field in cls.fields for name in _named(field.node)} | ({*_named(cls.extra or {})})
    signature = Signature(tuple(parameters), returns)
    known = {*planned.all_definitions}
    used |= {returns} & known
    description = tool.get("description")
    return ToolView(
        str(tool["name"]), module, function, names.arguments, signature, tuple(sorted(used & known)),
        description if isinstance(description, str) else "",
    )  # fmt: skip


def _result(name: ClassName | None, planned: ModulePlan) -> str:
    """The class of a result; what it refers to where it is nothing but a reference."""
    if name is None:
        return "Content"
    node = planned.all_definitions[name]
    return reference(node) or name


def _parameter(field: FieldPlan) -> Parameter:
    annotation = Renderer("plain").text(field.node)
    if field.required:
        return Parameter(field.name, annotation)
    default = field.node.get("default")
    if "default" not in field.node:
        return Parameter(field.name, f"{annotation} | MISSING", "MISSING")
    if isinstance(default, list | dict):
        return Parameter(field.name, annotation if field.default else f"{annotation} | MISSING", "" if field.default else "MISSING")
    if not field.default:
        annotation = _widened(annotation, default)
    return Parameter(field.name, annotation, repr(default))


def _widened(annotation: str, default: Json) -> str:
    """An annotation that takes a default which the schema itself refuses."""
    kind = "None" if default is None else type(default).__name__
    return annotation if kind in annotation.split(" | ") else f"{annotation} | {kind}"


def _extra(cls: ClassPlan) -> list[Parameter]:
    """The parameter for properties that the schema allows but does not name."""
    if cls.extra is None:
        return []
    taken = {field.name for field in cls.fields}
    name = identifier("extra")
    while name in taken:
        name = Identifier(f"{name}_")
    return [Parameter(name, f"dict[str, {Renderer('plain').text(cls.extra)}] | MISSING", "MISSING")]


def _named(node: Node) -> list[str]:
    name = reference(node)
    found = [name] if name is not None else []
    for part in nodes(node, "anyOf"):
        found += _named(part)
    for key in ("items", "additionalProperties"):
        if key in node:
            found += _named(as_node(node[key]))
    return found

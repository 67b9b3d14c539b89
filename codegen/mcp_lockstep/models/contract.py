"""The models of a contract: one module for all tools, and per tool the signature that its schema asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from mcp_lockstep.code.signature import Parameter, Signature
from mcp_lockstep.contract.origin import Origin
from mcp_lockstep.findings import Finding
from mcp_lockstep.models.module import module_source
from mcp_lockstep.models.plan import ClassPlan, FieldPlan, ModulePlan, plan
from mcp_lockstep.models.single import finding
from mcp_lockstep.models.support import RESERVED
from mcp_lockstep.models.types import Renderer
from mcp_lockstep.naming import (
    ClassName,
    Identifier,
    ModuleName,
    class_name,
    distinct,
    function_name,
    identifier,
    module_name,
)
from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.pipeline import normalised
from mcp_lockstep.schema.values import Json, Node, as_map, as_node, encoded, nodes, reference
from mcp_lockstep.schema.vet import vet


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


def contract_models(tools: Sequence[Mapping[str, object]], origins: Sequence[Origin] = ()) -> ContractModels:
    """The models for `tools`, JSON objects with `name`, `inputSchema` and perhaps `outputSchema`.

    `origins` says where each tool was read, so that findings have positions. With an error among the findings
    there is no source and no tool. The parameters of a signature are in alphabetical order.
    """
    findings = tuple(_findings(tools, origins))
    if any(finding.severity == "error" for finding in findings):
        return ContractModels("", (), findings)
    known = [cast("Node", {**tool}) for tool in tools]
    names = _class_names(known)
    planned = plan(normalised(bundle(_parts(known, names), reserved=RESERVED)))
    modules = distinct([str(tool["name"]) for tool in known], module_name)
    functions = distinct([str(tool["name"]) for tool in known], function_name)
    views = tuple(
        _view(tool, names[name], modules[name], functions[name], planned)
        for tool in known
        if isinstance(name := tool["name"], str)
    )
    return ContractModels(module_source(planned), views, findings)


def _findings(tools: Sequence[Mapping[str, object]], origins: Sequence[Origin]) -> Iterator[Finding]:
    for place, tool in enumerate(tools):
        for key in ("inputSchema", "outputSchema"):
            if key != "inputSchema" and key not in tool:
                continue
            for trouble in vet(tool.get(key)):
                if place < len(origins):
                    yield (
                        origins[place]
                        .below(key, *trouble.path)
                        .finding(
                            trouble.code,
                            trouble.message,
                            have=trouble.have or None,
                            want=trouble.want or None,
                        )
                    )
                else:
                    base = ("tools", str(place), key)
                    yield finding(trouble, "contract.json", base, f"tool {tool.get('name')!r}: ")


def _parts(tools: Sequence[Node], names: Mapping[str, _Names]) -> list[Part]:
    """The root schemas of all tools; results of one name are equal, so one of them is enough."""
    parts: dict[str, Part] = {}
    for tool in tools:
        own = names[str(tool["name"])]
        parts[own.arguments] = Part(own.arguments, own.base, as_node(tool["inputSchema"]), is_object=True)
        if own.result is not None:
            parts.setdefault(own.result, Part(own.result, own.base, as_node(tool["outputSchema"])))
    return [*parts.values()]


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
            good = (
                title == class_name(title)
                and title.isascii()
                and len(texts[title]) == 1
                and title not in taken
            )
            result = class_name(title if good else f"{base}Result")
        found[str(tool["name"])] = _Names(base, arguments[base], result)
    return found


def _view(
    tool: Node, names: _Names, module: ModuleName, function: Identifier, planned: ModulePlan
) -> ToolView:
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
        return Parameter(
            field.name,
            annotation if field.default else f"{annotation} | MISSING",
            "" if field.default else "MISSING",
        )
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

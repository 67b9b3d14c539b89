"""The models of a contract: one module for all tools, and per tool the signature that its schema asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from mcp_lockstep.code.signature import Signature
from mcp_lockstep.contract.origin import Origin
from mcp_lockstep.findings import Finding
from mcp_lockstep.models.depth import too_deep
from mcp_lockstep.models.module import module_source
from mcp_lockstep.models.plan import FieldPlan, ModulePlan, plan, refused_defaults
from mcp_lockstep.models.signatures import definitions_named, extra_parameters, parameter
from mcp_lockstep.models.single import finding
from mcp_lockstep.models.support import RESERVED
from mcp_lockstep.naming import (
    ClassName,
    Identifier,
    ModuleName,
    class_name,
    distinct,
    function_name,
    module_name,
)
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.pipeline import normalised
from mcp_lockstep.schema.values import Node, as_map, as_node, encoded, reference
from mcp_lockstep.schema.vet import Trouble, vet


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
    findings = tuple(_vetted(tools, origins))
    if any(finding.severity == "error" for finding in findings):
        return ContractModels("", (), findings)
    known = [cast("Node", {**tool}) for tool in tools]
    names = _class_names(known)
    planned = _without_detours(plan(normalised(bundle(_parts(known, names), reserved=RESERVED))), names)
    deep = tuple(_deep(planned, known, names, origins))
    if deep:
        return ContractModels("", (), findings + deep)
    modules = distinct([str(tool["name"]) for tool in known], module_name)
    functions = distinct([str(tool["name"]) for tool in known], function_name)
    views = tuple(
        _view(tool, names[name], modules[name], functions[name], planned)
        for tool in known
        if isinstance(name := tool["name"], str)
    )
    notes = tuple(
        _finding(trouble, tool, place, "inputSchema", origins)
        for place, tool in enumerate(known)
        for trouble in refused_defaults(
            planned, names[str(tool["name"])].arguments, as_map(tool["inputSchema"])
        )
    )
    return ContractModels(module_source(planned), views, findings + notes)


def _without_detours(planned: ModulePlan, names: Mapping[str, _Names]) -> ModulePlan:
    """A result that is nothing but a reference goes by the name of what it refers to."""
    results = {own.result for own in names.values()}
    kept = [alias for alias in planned.aliases if alias.name not in results or reference(alias.node) is None]
    return planned._replace(aliases=tuple(kept))


def _vetted(tools: Sequence[Mapping[str, object]], origins: Sequence[Origin]) -> Iterator[Finding]:
    for place, tool in enumerate(tools):
        keys = ("inputSchema", "outputSchema") if "outputSchema" in tool else ("inputSchema",)
        for key in keys:
            for trouble in vet(tool.get(key)):
                yield _finding(trouble, tool, place, key, origins)


def _deep(
    planned: ModulePlan, tools: Sequence[Node], names: Mapping[str, _Names], origins: Sequence[Origin]
) -> Iterator[Finding]:
    """What pydantic could not build: reported where the tool is that leads into it, or else at the first tool."""
    starts = {str(names[str(tool["name"])].arguments): (str(place),) for place, tool in enumerate(tools)}
    for trouble in too_deep(planned, starts):
        place = int(trouble.path[0]) if trouble.path else 0
        yield _finding(trouble._replace(path=()), tools[place], place, "inputSchema", origins)


def _finding(
    trouble: Trouble, tool: Mapping[str, object], place: int, key: str, origins: Sequence[Origin]
) -> Finding:
    if place < len(origins):
        return (
            origins[place]
            .below(key, *trouble.path)
            .finding(trouble.code, trouble.message, have=trouble.have or None, want=trouble.want or None)
        )
    return finding(trouble, "contract.json", ("tools", str(place), key), f"tool {tool.get('name')!r}: ")


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
    used = {str(name): "" for name in [*arguments.values(), *RESERVED]}
    titles = _titles(tools)
    found: dict[str, _Names] = {}
    for tool in tools:
        name = str(tool["name"])
        base, schema = bases[name], tool.get("outputSchema")
        result = None if schema is None else _result_name(base, as_node(schema), titles, used)
        found[name] = _Names(base, arguments[base], result)
    return found


def _titles(tools: Sequence[Node]) -> frozenset[str]:
    """The titles of results that are good class names and mean one schema each."""
    texts: dict[str, set[str]] = {}
    for tool in tools:
        title = as_map(tool.get("outputSchema")).get("title")
        if isinstance(title, str) and title.isascii() and title == class_name(title):
            texts.setdefault(title, set()).add(encoded(tool["outputSchema"]))
    return frozenset(title for title, found in texts.items() if len(found) == 1)


def _result_name(base: str, schema: Node, titles: frozenset[str], used: dict[str, str]) -> ClassName:
    """The title of a result or a name from its tool; `used` has the text of what a name stands for already."""
    text = encoded(schema)
    title = schema.get("title")
    options = [title] if isinstance(title, str) and title in titles else []
    options += [f"{base}{word}" for word in ("Result", "Output", "Answer", "Outcome")]
    name = next((option for option in options if used.get(option, text) == text), f"{base}Result")
    while used.setdefault(name, text) != text:
        name = f"{name}_"
    return class_name(name) if not name.endswith("_") else ClassName(name)


def _view(
    tool: Node, names: _Names, module: ModuleName, function: Identifier, planned: ModulePlan
) -> ToolView:
    cls = next(cls for cls in planned.classes if cls.name == names.arguments)
    schema = as_map(tool.get("inputSchema"))
    parameters = [parameter(field, planned) for field in _as_written(cls.fields, schema)]
    if "additionalProperties" in schema or "patternProperties" in schema:
        parameters += extra_parameters(cls)
    parameters.sort(key=lambda parameter: bool(parameter.default))
    returns = _result(names.result, planned)
    shown = [*(field.node for field in cls.fields), cls.extra or {}]
    used = {name for node in shown for name in definitions_named(node)} | {returns}
    description = tool.get("description")
    return ToolView(
        str(tool["name"]), module, function, names.arguments, Signature(tuple(parameters), returns),
        tuple(sorted(used & planned.all_definitions.keys())),
        description if isinstance(description, str) else "",
    )  # fmt: skip


def _as_written(fields: Sequence[FieldPlan], schema: Node) -> list[FieldPlan]:
    """The fields in the order in which the contract names them: its author's order reads best."""
    order = {name: place for place, name in enumerate(as_map(schema.get("properties")))}
    return sorted(fields, key=lambda field: order.get(field.wire, len(order)))


def _result(name: ClassName | None, planned: ModulePlan) -> str:
    """The class of a result; what it refers to where it is nothing but a reference."""
    if name is None:
        return "Content"
    node = planned.all_definitions[name]
    return reference(node) or name

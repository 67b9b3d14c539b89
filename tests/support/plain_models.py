"""Models and views of tools without datamodel-code-generator: every argument is `Any`. For tests of what uses them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mcp_lockstep.code.signature import Parameter, Signature
from mcp_lockstep.documents.data import JsonObject, as_array, as_object, text_of
from mcp_lockstep.findings import Finding
from mcp_lockstep.naming import (
    ClassName,
    Identifier,
    ModuleName,
    class_name,
    distinct,
    field_names,
    function_name,
    module_name,
)

HEAD = """\
from __future__ import annotations

from typing import Any

from pydantic import MISSING, BaseModel, ConfigDict, Field


class Arguments(BaseModel):
    model_config = ConfigDict(extra="allow", validate_by_name=False, validate_by_alias=True, protected_namespaces=())
"""


class PlainTool(NamedTuple):
    """The same fields as a `ToolView`."""

    name: str
    module: ModuleName
    function: Identifier
    arguments: ClassName
    signature: Signature
    imports: tuple[str, ...]
    description: str


class PlainModels(NamedTuple):
    """The same fields as `ContractModels`."""

    source: str
    tools: tuple[PlainTool, ...]
    findings: tuple[Finding, ...] = ()


def plain_models(tools: Sequence[JsonObject]) -> PlainModels:
    """Models of tools that can be listed."""
    names = [text_of(tool["name"]) for tool in tools]
    modules, functions = distinct(names, module_name), distinct(names, function_name)
    classes = distinct(names, lambda name: ClassName(f"{class_name(name)}Arguments"))
    sources, views = [HEAD], []
    for tool, name in zip(tools, names, strict=True):
        body, parameters = _fields(as_object(tool["inputSchema"]) or {})
        sources.append(f"class {classes[name]}(Arguments):\n{body}")
        returns = "Any" if "outputSchema" in tool else "Content"
        signature = Signature(parameters, returns)
        description = text_of(tool.get("description"))
        views.append(
            PlainTool(name, modules[name], functions[name], classes[name], signature, (), description)
        )
    return PlainModels("\n\n".join(sources), tuple(views))


def _fields(schema: JsonObject) -> tuple[str, tuple[Parameter, ...]]:
    properties = as_object(schema.get("properties")) or {}
    required = as_array(schema.get("required")) or []
    names = field_names(properties, frozenset(["Any", "MISSING", "Field"]))
    lines, parameters = [], []
    for wire, name in names.items():
        asked = wire in required
        annotation = "Any" if asked else "Any | MISSING"
        default = "..." if asked else "MISSING"
        lines.append(f"    {name}: {annotation} = Field({default}, alias={wire!r})")
        parameters.append(Parameter(name, annotation, "" if asked else "MISSING"))
    return "\n".join(lines or ["    pass"]), tuple(parameters)

"""The stubs module of a project: the signature that the contract asks of each function."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_lockstep.code.imports import names_used
from mcp_lockstep.code.signature import Signature
from mcp_lockstep.documents.prose import summary
from mcp_lockstep.emit.imports import import_block, origins
from mcp_lockstep.emit.render import render
from mcp_lockstep.emit.views import FunctionView, ProjectView, free_name, prompt_views, resource_views
from mcp_lockstep.naming import ClassName, Identifier
from mcp_lockstep.records import NamedTuple


class StubView(NamedTuple):
    """One stub: the decorator's arguments as source, the function under it."""

    decorator: str
    function: Identifier
    signature: Signature
    summary: str


def stubs(view: ProjectView) -> str:
    """The source of `stubs.py`, without its seal."""
    tools = view.models().tools
    prompts, resources = prompt_views(view.contract), resource_views(view.contract)
    found = [
        *(
            StubView(_tool(t.name, t.arguments), t.function, t.signature, summary(t.description))
            for t in tools
        ),
        *(_wired("prompt_stub", prompt) for prompt in prompts),
        *(_wired("resource_stub", resource) for resource in resources),
    ]
    names = {name for stub in found for name in names_used(stub.signature)}
    models = {name for tool in tools for name in tool.imports} | {str(tool.arguments) for tool in tools}
    modules = origins(names | {str(tool.arguments) for tool in tools}, view.package, models)
    if found:
        modules[f"{view.package}._generated.checks"] = _decorators(found)
    taken = {name for group in modules.values() for name in group}
    values = {"stubs": _apart(found, taken), "imports": import_block(modules, view.package)}
    return render(view.templates, "src/stubs.py.jinja", values)


def _tool(name: str, arguments: ClassName) -> str:
    return f"stub({name!r}, {arguments})"


def _wired(decorator: str, found: FunctionView) -> StubView:
    names = {wired.wire: str(wired.parameter) for wired in found.wired}
    return StubView(
        f"{decorator}({found.key!r}, {names!r})", found.function, found.signature, summary(found.description)
    )


def _decorators(found: Iterable[StubView]) -> set[str]:
    return {stub.decorator.partition("(")[0] for stub in found}


def _apart(found: Iterable[StubView], taken: set[str]) -> list[StubView]:
    """The same stubs, each function with a name of its own: a tool and a prompt may be called alike."""
    apart: list[StubView] = []
    for stub in found:
        name = free_name(stub.function, taken)
        taken.add(name)
        apart.append(stub._replace(function=name))
    return apart

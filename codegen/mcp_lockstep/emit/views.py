"""What templates get: one frozen type per kind of template, names as types, texts only through filters."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING

from mcp_lockstep.bundled.targets import Templates
from mcp_lockstep.code.signature import Parameter, Signature
from mcp_lockstep.contract.model import Contract
from mcp_lockstep.contract.uris import unmatchable, variables
from mcp_lockstep.documents.data import JsonObject, objects, text_of
from mcp_lockstep.interface import Interface
from mcp_lockstep.naming import (
    DistributionName,
    Identifier,
    ImportName,
    ModuleName,
    distinct,
    function_name,
    identifier,
    module_name,
)
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import join

if TYPE_CHECKING:
    from mcp_lockstep.models.contract import ContractModels


class ProjectView(NamedTuple):
    """A project to be written.

    `name` is the registry's (`io.github.acme/weather`; empty: the project is not for a registry), `label` the one
    in `serverInfo`; `models` makes the models module and the views of the tools, at most once; `package` is what
    Python imports, dotted in a namespace, from the folder `base`; `interface` is how it is started and spoken to;
    `hook` puts the build hook into pyproject.toml.
    """

    name: str
    label: str
    distribution: DistributionName
    package: ImportName
    version: str
    templates: Templates
    contract: Contract
    models: Callable[[], ContractModels]
    title: str = ""
    description: str = ""
    website: str = ""
    instructions: str = ""
    icons: tuple[JsonObject, ...] = ()
    interface: Interface = Interface()
    hook: bool = False
    base: str = "src"

    @property
    def folder(self) -> str:
        """The folder of the import package."""
        return join(self.base, self.package.replace(".", "/"))


class Wired(NamedTuple):
    """One argument of a prompt or variable of a resource template: its name on the wire and its parameter."""

    wire: str
    parameter: Identifier


class FunctionView(NamedTuple):
    """A prompt, resource or resource template and the function for it. `key` is its name or address."""

    key: str
    module: ModuleName
    function: Identifier
    wired: tuple[Wired, ...]
    signature: Signature
    description: str


def prompt_views(contract: Contract) -> tuple[FunctionView, ...]:
    """One view per prompt, in the contract's order."""
    names = [text_of(prompt.get("name")) for prompt in contract.prompts]
    modules, functions = distinct(names, module_name), distinct(names, function_name)
    return tuple(
        FunctionView(
            name,
            modules[name],
            functions[name],
            *_prompt_parameters(prompt),
            text_of(prompt.get("description")),
        )
        for name, prompt in zip(names, contract.prompts, strict=True)
    )


def resource_views(contract: Contract) -> tuple[FunctionView, ...]:
    """One view per resource, then per resource template that addresses can be read back under."""
    keyed = [(text_of(item.get("uri")), item) for item in contract.resources]
    keyed += [(text_of(item.get("uriTemplate")), item) for item in contract.resource_templates]
    taken = [(uri, item) for uri, item in keyed if "uriTemplate" not in item or not unmatchable(uri)]
    # Names are not unique among resources; addresses are, and tell equal names apart.
    named = {uri: text_of(item.get("name")) or uri for uri, item in taken}
    repeated = [name for name in named.values() if list(named.values()).count(name) > 1]
    spoken = {uri: f"{name} {uri}" if name in repeated else name for uri, name in named.items()}
    modules, functions = distinct(spoken.values(), module_name), distinct(spoken.values(), function_name)
    return tuple(
        FunctionView(
            uri,
            modules[spoken[uri]],
            functions[spoken[uri]],
            *_uri_parameters(text_of(item.get("uriTemplate"))),
            text_of(item.get("description")) or named[uri],
        )
        for uri, item in taken
    )


def _prompt_parameters(prompt: JsonObject) -> tuple[tuple[Wired, ...], Signature]:
    arguments = objects(prompt.get("arguments"))
    required = {text_of(argument.get("name")): argument.get("required") is True for argument in arguments}
    names = distinct(required, identifier)
    parameters = (
        Parameter(names[wire], "str") if needed else Parameter(names[wire], "str | None", "None")
        for wire, needed in required.items()
    )
    return _wired(names), Signature(tuple(parameters), "PromptContent")


def _uri_parameters(template: str) -> tuple[tuple[Wired, ...], Signature]:
    found = variables(template)
    names = distinct([variable.name for variable in found], identifier)
    parameters: list[Parameter] = []
    for variable in found:
        annotation = "list[str]" if variable.repeated else "str"
        optional = "None" if variable.optional else ""
        annotation = f"{annotation} | None" if variable.optional else annotation
        parameters.append(Parameter(names[variable.name], annotation, optional))
    return _wired(names), Signature(tuple(parameters), "ResourceContent")


def _wired(names: dict[str, Identifier]) -> tuple[Wired, ...]:
    return tuple(Wired(wire, parameter) for wire, parameter in names.items())


def free_name(name: Identifier, taken: Container[str]) -> Identifier:
    """`name`, with underscores at its end as long as it stands in `taken`."""
    while name in taken:
        name = Identifier(f"{name}_")
    return name

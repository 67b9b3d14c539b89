"""Serves the contract: lists it verbatim, checks arguments by its schemas, hands them over typed.

Plain Python, the same in every project of this target; it needs mcp 2.3 and what that brings along.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import anyio.to_thread
import pydantic_core
from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.lowlevel.server import LifespanResultT
from mcp.server.mcpserver import Audio, Context, Icon, Image, Message
from mcp.server.mcpserver.exceptions import (
    ResourceError,
    ResourceNotFoundError,
    ToolError,
    UnexpectedResourceError,
    UnexpectedToolError,
)
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate
from mcp.types import (
    INVALID_PARAMS,
    CallToolResult,
    ContentBlock,
    GetPromptResult,
    InputRequiredResult,
    TextContent,
)
from mcp.types import Prompt as WirePrompt
from mcp.types import Resource as WireResource
from mcp.types import ResourceTemplate as WireTemplate
from mcp.types import Tool as WireTool
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import MISSING, AnyUrl, BaseModel, PrivateAttr, TypeAdapter, ValidationError

from .checks import (
    LISTS,
    PROMPTS,
    RESOURCES,
    TOOLS,
    Function,
    FunctionT,
    Json,
    Schema,
    Stub,
    context_parameter,
    for_handshake,
    import_all,
    is_async,
    json_path,
    misfits,
    read_contract,
    stray,
    where,
)

__all__ = ["Content", "Context", "ContractServer", "PromptContent", "ResourceContent", "ToolError"]

Block: TypeAlias = str | ContentBlock | Image | Audio
Content: TypeAlias = Block | Sequence[Block] | CallToolResult | InputRequiredResult | None
"""What a tool without an output schema returns."""
PromptContent: TypeAlias = Block | Message | Sequence[Block | Message] | InputRequiredResult
"""What a prompt returns: a text or a block is a message of the user."""
ResourceContent: TypeAlias = str | bytes

_ANY = TypeAdapter[object](object)


class ContractServer(MCPServer[LifespanResultT]):
    """An MCP server that publishes `contract.json` as it is and calls the functions decorated for it.

    Everything of `MCPServer` is there too; `options` are its further arguments.
    """

    def __init__(
        self,
        name: str,
        *,
        version: str,
        title: str | None = None,
        description: str | None = None,
        instructions: str | None = None,
        website_url: str | None = None,
        icons: list[Icon] | None = None,
        **options: Any,
    ) -> None:
        self._contract = read_contract()
        self._tools = {tool["name"]: _ContractTool.of(tool) for tool in self._contract["tools"]}
        self._resources: dict[str, _ContractResource] = {}
        self._done: dict[tuple[str, str], str] = {}
        self._problems: list[str] = []
        self._strays: list[str] = []
        options["tools"] = [*self._tools.values(), *(options.get("tools") or ())]
        options["middleware"] = [*(options.get("middleware") or ()), self._publish]
        super().__init__(name, title, description, instructions, website_url, icons, version, **options)

    def contract(self, name: str) -> Callable[[FunctionT], FunctionT]:
        """Decorate the function that does the work of the tool `name`."""
        return partial(self._register, "tool", TOOLS, name)

    def contract_prompt(self, name: str) -> Callable[[FunctionT], FunctionT]:
        """Decorate the function that writes the prompt `name`."""
        return partial(self._register, "prompt", PROMPTS, name)

    def contract_resource(self, uri: str) -> Callable[[FunctionT], FunctionT]:
        """Decorate the function that reads the resource, or the resource template, `uri`."""
        return partial(self._register, "resource", RESOURCES, uri)

    def load(self) -> None:
        """Import all tools, prompts and resources; end the program where they do not meet the contract."""
        package = __name__.rpartition(".")[0].rpartition(".")[0]
        for folder in ("tools", "prompts", "resources"):
            import_all(f"{package}.{folder}")
        missing = [
            f"no function is decorated for the {kind} {name!r}"
            for kind, stubs in (("tool", TOOLS), ("prompt", PROMPTS), ("resource", RESOURCES))
            for name in stubs
            if (kind, name) not in self._done
        ]
        if self._problems or missing:
            heading = f"{self.name}: the code does not meet the contract"
            raise SystemExit("\n  ".join([heading, *self._strays, *self._problems, *missing]))
        for function in self._strays:
            print(f"{self.name}: not served: {function}", file=sys.stderr)

    async def list_tools(self) -> list[WireTool]:
        """The tools of the contract, then those added in code."""
        listed = [WireTool.model_validate(for_handshake(tool)) for tool in self._contract["tools"]]
        return [*listed, *(tool for tool in await super().list_tools() if tool.name not in self._tools)]

    async def list_resources(self) -> list[WireResource]:
        """The resources of the contract, then those added in code."""
        listed = map(WireResource.model_validate, self._contract["resources"])
        return [*listed, *await super().list_resources()]

    async def list_resource_templates(self) -> list[WireTemplate]:
        """The resource templates of the contract, then those added in code."""
        listed = map(WireTemplate.model_validate, self._contract["resourceTemplates"])
        return [*listed, *await super().list_resource_templates()]

    async def list_prompts(self) -> list[WirePrompt]:
        """The prompts of the contract, then those added in code."""
        listed = [*map(WirePrompt.model_validate, self._contract["prompts"])]
        names = {prompt.name for prompt in listed}
        return [*listed, *(prompt for prompt in await super().list_prompts() if prompt.name not in names)]

    async def call_tool(
        self, name: str, arguments: Json, context: Context[LifespanResultT, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Before 2026-07-28 a structured result that is no object goes out as text only."""
        result = await super().call_tool(name, arguments, context)
        if not isinstance(result, CallToolResult) or isinstance(result.structured_content, dict | None):
            return result
        modern = context is None or context.protocol_version in MODERN_PROTOCOL_VERSIONS
        return result if modern else result.model_copy(update={"structured_content": None})

    async def get_prompt(
        self, name: str, arguments: Json | None = None, context: Context[LifespanResultT, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Write a prompt. MCPError (invalid parameters) where there is none of that name."""
        if name not in {prompt.name for prompt in await self.list_prompts()}:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {name}")
        return await super().get_prompt(name, arguments, context)

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[LifespanResultT, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource: of the contract, by its URI or the first template that fits, else of the code."""
        for resource in self._resources.values():
            values = resource.match(str(uri))
            if values is None:
                continue
            if self._resource_security.validate(values) is not None:
                raise ResourceNotFoundError(f"Unknown resource: {uri}")
            try:
                return await resource.read(values, context or Context(mcp_server=self))
            except (MCPError, ResourceError):
                raise
            except Exception as error:
                raise UnexpectedResourceError(f"Error reading resource {uri}") from error
        return await super().read_resource(uri, context)

    async def _publish(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Middleware: lists the contract's own JSON instead of what the SDK's models leave of it."""
        result = await call_next(ctx)
        kind, key = LISTS.get(ctx.method, ("", ""))
        if not isinstance(result, dict) or kind not in result:
            return result
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        verbatim = {item[key]: item if modern else for_handshake(item) for item in self._contract[kind]}
        return {**result, kind: [verbatim.get(item[key], item) for item in result[kind]]}

    def _register(self, kind: str, stubs: Mapping[str, Stub], name: str, function: FunctionT) -> FunctionT:
        if name not in stubs:
            self._strays.append(f"{where(function)}: {stray(kind, stubs, name)}")
            return function
        asked = stubs[name].function
        problems = [f"{kind} {name!r}: {misfit}" for misfit in misfits(function, asked, Context)]
        owner = f"{function.__module__}.{function.__qualname__}"
        if self._done.setdefault((kind, name), owner) != owner:
            problems.append(f"the {kind} {name!r} has another function already: {self._done[kind, name]}")
        self._problems += [f"{where(function)}: {problem}" for problem in problems]
        if not problems:
            self._implement(kind, stubs[name], name, function)
        return function

    def _implement(self, kind: str, stub: Stub, name: str, function: Function) -> None:
        match kind:
            case "tool":
                self._tools[name].implement(function)
            case "prompt":
                spec = next(item for item in self._contract["prompts"] if item["name"] == name)
                self.add_prompt(_ContractPrompt.of(spec, stub, function))
            case _:
                specs = [*self._contract["resources"], *self._contract["resourceTemplates"]]
                spec = next(item for item in specs if name in {item.get("uri"), item.get("uriTemplate")})
                try:
                    self._resources[name] = _ContractResource.of(spec, stub, function)
                except InvalidUriTemplate as error:
                    self._problems.append(f"{where(function)}: resource {name!r}: {error}")


class _ContractTool(Tool):
    """A tool of the contract. Its schema checks the arguments; after that nothing parses them again."""

    _schema: Schema = PrivateAttr()
    _stub: Stub = PrivateAttr()

    @classmethod
    def of(cls, spec: Json) -> _ContractTool:
        tool = cls(
            fn=_unimplemented,
            name=spec["name"],
            title=spec.get("title"),
            description=spec.get("description") or "",
            parameters=spec["inputSchema"],
            fn_metadata=_Handover.of(spec),
            is_async=True,
            context_kwarg=None,
            annotations=None,
        )
        tool._schema, tool._stub = Schema(spec["inputSchema"]), TOOLS[spec["name"]]
        return tool

    def implement(self, function: Function) -> None:
        self.fn, self.is_async = function, is_async(function)
        self.context_kwarg = context_parameter(function, Context)

    async def run(self, arguments: Json, context: Context[Any, Any], convert_result: bool = False) -> Any:
        try:
            values = self._typed(arguments)
        except ToolError:
            raise
        except Exception as error:
            raise UnexpectedToolError(f"Error executing tool {self.name}") from error
        return await super().run(values, context, convert_result)

    def _typed(self, arguments: Json) -> Json:
        """Keyword arguments for the function. ToolError says what the schema does not accept."""
        heading = f"Invalid arguments for {self.name}"
        problems = self._schema.problems(arguments)
        if problems:
            raise ToolError("\n".join([heading, *problems]))
        model_type = self._stub.arguments or BaseModel
        try:
            model = model_type.model_validate(arguments, by_alias=True, by_name=False)
        except ValidationError as error:
            lines = [f"{json_path(fault['loc'])}: {fault['msg']}" for fault in error.errors()]
            raise ToolError("\n".join([heading, *lines])) from error
        fields = ((name, getattr(model, name)) for name in model_type.model_fields)
        values = {name: value for name, value in fields if value is not MISSING}
        extra = self._stub.extra
        return {**values, extra: model.model_extra} if extra and model.model_extra else values


class _Handover(FuncMetadata):
    """How the SDK calls the function of a contract tool: arguments as they are, the result by its schema."""

    _output: Schema | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, spec: Json) -> _Handover:
        handover = cls(arg_model=ArgModelBase)
        handover._output = Schema(spec["outputSchema"]) if "outputSchema" in spec else None
        return handover

    def validate_arguments(self, arguments_to_validate: Json) -> Json:
        return arguments_to_validate

    def convert_result(self, result: Any) -> CallToolResult | InputRequiredResult:
        if self._output is None or isinstance(result, InputRequiredResult):
            return super().convert_result(result)
        if isinstance(result, CallToolResult):
            if not result.is_error:
                self._check(result.structured_content)
            return result
        data = _ANY.dump_python(result, mode="json", by_alias=True, exclude_unset=True)
        self._check(data)
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data)

    def _check(self, data: object) -> None:
        problems = self._output.problems(data) if self._output else ()
        if problems:
            raise ValueError("\n".join(["the result is not what the output schema accepts", *problems]))


class _ContractPrompt(Prompt):
    """A prompt of the contract: texts by the names on the wire in, keyword arguments out."""

    _spec: Json = PrivateAttr()
    _names: Mapping[str, str] = PrivateAttr()

    @classmethod
    def of(cls, spec: Json, stub: Stub, function: Function) -> _ContractPrompt:
        prompt = cls(
            name=spec["name"],
            title=spec.get("title"),
            description=spec.get("description"),
            arguments=None,
            fn=function,
            context_kwarg=context_parameter(function, Context),
        )
        prompt._spec, prompt._names = spec, stub.names
        return prompt

    async def render(
        self, arguments: Json | None, context: Context[Any, Any]
    ) -> list[Message] | InputRequiredResult:
        given = arguments or {}
        asked = self._spec.get("arguments") or ()
        missing = [repr(a["name"]) for a in asked if a.get("required") and a["name"] not in given]
        if missing:
            raise MCPError(INVALID_PARAMS, f"Prompt {self.name}: missing argument {', '.join(missing)}")
        values = {parameter: given[name] for name, parameter in self._names.items() if name in given}
        return await super().render(values, context)


class _ContractResource(NamedTuple):
    """A resource (`template` is None) or resource template of the contract, and what reads it."""

    spec: Json
    template: UriTemplate | None
    stub: Stub
    function: Function

    @classmethod
    def of(cls, spec: Json, stub: Stub, function: Function) -> _ContractResource:
        template = UriTemplate.parse(spec["uriTemplate"]) if "uriTemplate" in spec else None
        return cls(spec, template, stub, function)

    def match(self, uri: str) -> dict[str, str | list[str]] | None:
        """The variables of the template in `uri`; None where it does not fit."""
        if self.template is not None:
            return self.template.match(uri)
        return {} if uri == self.spec["uri"] else None

    async def read(
        self, values: Mapping[str, str | list[str]], context: Context[Any, Any]
    ) -> list[ReadResourceContents] | InputRequiredResult:
        call: Json = {self.stub.names[name]: value for name, value in values.items()}
        free = context_parameter(self.function, Context)
        if free is not None:
            call[free] = context
        work = partial(self.function, **call)
        content = await work() if is_async(self.function) else await anyio.to_thread.run_sync(work)
        if isinstance(content, InputRequiredResult):
            return content
        if not isinstance(content, str | bytes):
            content = pydantic_core.to_json(content, by_alias=True).decode()
        return [ReadResourceContents(content, self.spec.get("mimeType"), self.spec.get("_meta"))]


async def _unimplemented(**_: object) -> None:
    raise NotImplementedError("no function is decorated for this tool")

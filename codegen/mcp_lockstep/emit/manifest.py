"""The first server.json of a project, as data."""

from __future__ import annotations

from mcp_lockstep.contract.identity import publishable
from mcp_lockstep.contract.model import Argument, Variable
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.emit.render import pitch
from mcp_lockstep.emit.views import ProjectView

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_DESCRIPTION = 100


def manifest(view: ProjectView) -> JsonObject:
    """server.json for a project that is published on PyPI; keys without a value are left out."""
    return _filled(
        {
            "$schema": SCHEMA,
            "name": view.name,
            "title": pitch(view.title, _DESCRIPTION),
            "description": pitch(view.description, _DESCRIPTION) or f"The server {view.label}"[:_DESCRIPTION],
            "version": view.version,
            "websiteUrl": view.website,
            "icons": list(filter(publishable, view.icons)),
            "packages": [_package(view)],
            "remotes": list(view.remotes),
        }
    )


def port_variable(view: ProjectView) -> Variable:
    """The environment variable for the port of a server that speaks HTTP."""
    return Variable(f"{view.package.upper()}_PORT", "Port to listen on.", default="8000", format="number")


def _package(view: ProjectView) -> JsonObject:
    http = view.transport == "http"
    transport: JsonObject = {"type": "stdio"}
    arguments, variables = list(view.arguments), list(view.variables)
    if http:
        port = port_variable(view)
        transport = {"type": "streamable-http", "url": f"http://127.0.0.1:{{{port.name}}}/mcp"}
        arguments.append(Argument("--transport", "How to speak to clients.", value="http"))
        variables.append(port)
    return _filled(
        {
            "registryType": "pypi",
            "identifier": str(view.distribution),
            "version": view.version,
            "runtimeHint": "uvx",
            "transport": transport,
            "packageArguments": list(map(_argument, arguments)),
            "environmentVariables": list(map(_variable, variables)),
        }
    )


def _argument(argument: Argument) -> JsonObject:
    return _filled(
        {
            "type": "named" if argument.name else "positional",
            "name": argument.name,
            "valueHint": "" if argument.name else argument.hint,
            "description": argument.description,
            "value": argument.value,
            "default": argument.default,
            "isRequired": argument.required,
            "isRepeated": argument.repeated,
            "format": argument.format,
            "choices": list(argument.choices),
        }
    )


def _variable(variable: Variable) -> JsonObject:
    return _filled(
        {
            "name": variable.name,
            "description": variable.description,
            "isRequired": variable.required,
            "isSecret": variable.secret,
            "default": variable.default,
            "format": variable.format,
            "choices": list(variable.choices),
        }
    )


def _filled(data: JsonObject) -> JsonObject:
    return {key: value for key, value in data.items() if value not in (None, "", False, [])}

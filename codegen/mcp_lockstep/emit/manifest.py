"""The first server.json of a project, as data."""

from __future__ import annotations

from mcp_lockstep.contract.identity import publishable
from mcp_lockstep.contract.model import Argument, Variable
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.emit.render import pitch
from mcp_lockstep.emit.views import ProjectView
from mcp_lockstep.interface import Interface

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
            "repository": view.interface.repository,
            "icons": list(filter(publishable, view.icons)),
            "packages": [_package(view)],
            "remotes": list(view.interface.remotes),
        }
    )


def port_variable(view: ProjectView) -> Variable | None:
    """The environment variable for the port of a server that speaks HTTP; None where an argument says it."""
    asked = view.interface
    if asked.transport != "http" or asked.port.startswith("-"):
        return None
    declared = (variable for variable in asked.variables if variable.name == asked.port)
    own = Variable(f"{view.package.upper()}_PORT", "Port to listen on.", default="8000", format="number")
    return next(declared, own)


def _package(view: ProjectView) -> JsonObject:
    asked, port = view.interface, port_variable(view)
    arguments, variables = list(asked.arguments), list(asked.variables)
    if asked.transport == "http" and not any(argument.name == "--transport" for argument in arguments):
        arguments.append(Argument("--transport", "How to speak to clients.", value="http"))
    if port and port not in variables:
        variables.append(port)
    return _filled(
        {
            "registryType": "pypi",
            "identifier": str(view.distribution),
            "version": view.version,
            "runtimeHint": "uvx",
            "runtimeArguments": list(asked.runtime),
            "transport": _transport(asked, port.name if port else asked.port),
            "packageArguments": list(map(_argument, arguments)),
            "environmentVariables": list(map(_variable, variables)),
        }
    )


def _transport(asked: Interface, port: str) -> JsonObject:
    if asked.transport == "stdio":
        return {"type": "stdio"}
    url = f"http://127.0.0.1:{{{port}}}{asked.path}"
    return _filled({"type": "streamable-http", "url": url, "headers": list(map(_variable, asked.headers))})


def _argument(argument: Argument) -> JsonObject:
    return argument.source or _filled(
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
    return variable.source or _filled(
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

"""Files with nothing wrong with them, of every kind that is judged, and what is said of a changed server.json."""

from __future__ import annotations

from typing import cast

from mcp_lockstep.rules import judge_data
from mcp_lockstep.rules.manifest import Fault, JsonObject

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

ENTRY = {
    "name": "weather",
    "description": "Forecasts.",
    "version": "1.0.0",
    "packages": [{"registryType": "npm", "identifier": "@acme/weather", "transport": {"type": "stdio"}}],
}
"""A sound server of a registry list."""
BUNDLE = {
    "manifest_version": "0.4",
    "name": "weather",
    "version": "1.0.0",
    "description": "Forecasts.",
    "author": {"name": "Acme"},
    "server": {"type": "python", "entry_point": "main.py", "mcp_config": {"command": "python"}},
}
"""A sound manifest of an MCPB bundle."""


def sound_manifest() -> JsonObject:
    """A server.json that uses most of the format and has nothing wrong with it."""
    return {
        "$schema": SCHEMA,
        "name": "io.github.acme/weather",
        "title": "Weather",
        "description": "Forecasts for a city.",
        "version": "1.2.0",
        "websiteUrl": "https://acme.example/weather",
        "repository": {
            "url": "https://github.com/acme/weather",
            "source": "github",
            "subfolder": "servers/weather",
            "id": "1",
        },
        "icons": [
            {
                "src": "https://acme.example/i.png",
                "mimeType": "image/png",
                "sizes": ["48x48", "any"],
                "theme": "dark",
            }
        ],
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "weather",
                "version": "1.2.0",
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "runtimeArguments": [{"type": "named", "name": "--python", "value": "3.12"}],
                "packageArguments": [
                    {
                        "type": "positional",
                        "valueHint": "city",
                        "default": "Paris",
                        "choices": ["Paris", "Rome"],
                    },
                    {"type": "named", "name": "--units", "isRepeated": True, "format": "string"},
                ],
                "environmentVariables": [
                    {"name": "WEATHER_API_KEY", "isRequired": True, "isSecret": True, "description": "Key."}
                ],
            },
            {
                "registryType": "oci",
                "identifier": "ghcr.io/acme/weather:1.2.0",
                "transport": {"type": "streamable-http", "url": "http://localhost:{--port}/mcp"},
                "runtimeArguments": [{"type": "named", "name": "-p", "value": "8000:8000"}],
                "packageArguments": [
                    {"type": "named", "name": "--port", "format": "number", "default": "8000"}
                ],
            },
            {
                "registryType": "mcpb",
                "identifier": "https://github.com/acme/weather/releases/download/v1.2.0/weather.mcpb",
                "fileSha256": "0" * 64,
                "transport": {"type": "stdio"},
            },
        ],
        "remotes": [
            {
                "type": "streamable-http",
                "url": "https://{tenant}.acme.example/mcp",
                "variables": {"tenant": {"description": "Your tenant.", "isRequired": True}},
                "headers": [
                    {
                        "name": "Authorization",
                        "value": "Bearer {token}",
                        "variables": {"token": {"isSecret": True}},
                    }
                ],
            }
        ],
        "_meta": {"io.modelcontextprotocol.registry/publisher-provided": {"tool": {"name": "any"}}},
    }


def faults_after(*changes: object) -> tuple[Fault, ...]:
    """The faults of the sound server.json with `pointer, value` pairs changed."""
    data = sound_manifest()
    for pointer, value in zip(changes[::2], changes[1::2], strict=True):
        change(data, str(pointer), value)
    return judge_data(data)


def change(data: object, pointer: str, value: object) -> None:
    """Put `value` at `pointer` of `data`; `...` removes what is there, an index past the end appends."""
    *parents, last = [part.replace("~1", "/") for part in pointer.split("/")[1:]]
    for part in parents:
        data = _items(data)[int(part)] if isinstance(data, list) else cast("JsonObject", data)[part]
    if isinstance(data, list):
        _items(data)[int(last) : int(last) + 1] = [] if value is ... else [value]
    elif value is ...:
        del cast("JsonObject", data)[last]
    else:
        cast("JsonObject", data)[last] = value


def _items(data: object) -> list[object]:
    return cast("list[object]", data)

"""Twelve kinds of server.json, as servers of other languages and registries have them; texts of our own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

JsonObject: TypeAlias = "dict[str, object]"

SCHEMA = "https://static.modelcontextprotocol.io/schemas/{}/server.schema.json"
PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided"
STDIO = {"type": "stdio"}


def _server(name: str, revision: str = "2025-12-11", **more: object) -> JsonObject:
    return {
        "$schema": SCHEMA.format(revision),
        "name": name,
        "description": "Made for tests.",
        "version": "1.4.0",
        **more,
    }


def _package(kind: str, identifier: str, **more: object) -> JsonObject:
    return {"registryType": kind, "identifier": identifier, "version": "1.4.0", "transport": STDIO, **more}


KINDS: Mapping[str, JsonObject] = {
    "npm-secret": _server(
        "io.github.acme/tide-search",
        repository={"url": "https://github.com/acme/tides", "source": "github"},
        packages=[
            _package(
                "npm",
                "@acme/tide-search",
                runtimeHint="npx",
                runtimeArguments=[{"type": "positional", "value": "-y"}],
                environmentVariables=[
                    {"name": "TIDE_KEY", "description": "Your key.", "isRequired": True, "isSecret": True}
                ],
            )
        ],
    ),
    "npm-subfolder": _server(
        "io.github.acme/everything",
        "2025-09-29",
        repository={"url": "https://github.com/acme/all", "source": "github", "subfolder": "src/all"},
        packages=[_package("npm", "all-of-it", registryBaseUrl="https://registry.npmjs.org")],
        _meta={PUBLISHER: {"tool": "shipper", "build": {"number": 7}}},
    ),
    "nuget-fixed-words": _server(
        "io.github.acme/dice",
        version="0.4.0-beta",
        packages=[
            _package(
                "nuget",
                "Acme.Dice",
                version="0.4.0-beta",
                packageArguments=[
                    {"type": "positional", "value": "serve"},
                    {"type": "positional", "value": "all"},
                ],
            )
        ],
    ),
    "npm-and-oci": _server(
        "io.github.acme/folders",
        packages=[
            _package(
                "npm",
                "@acme/folders",
                packageArguments=[
                    {
                        "type": "positional",
                        "valueHint": "folder",
                        "description": "May be read.",
                        "default": "/tmp",
                        "isRequired": True,
                        "isRepeated": True,
                    }
                ],
                environmentVariables=[{"name": "LOG", "default": "info"}],
            ),
            {
                "registryType": "oci",
                "identifier": "docker.io/acme/folders:1.4.0",
                "transport": STDIO,
                "runtimeArguments": [
                    {
                        "type": "named",
                        "name": "--mount",
                        "value": "type=bind,src={here},dst=/data",
                        "isRequired": True,
                        "variables": {"here": {"format": "filepath", "isRequired": True}},
                    }
                ],
                "packageArguments": [{"type": "positional", "valueHint": "folder", "value": "/data"}],
                "environmentVariables": [{"name": "LOG", "default": "info"}, {"name": "UMASK"}],
            },
        ],
    ),
    "remote": _server(
        "com.acme/cloud", remotes=[{"type": "streamable-http", "url": "https://cloud.acme.example/mcp"}]
    ),
    "pypi": _server(
        "io.github.acme/rain",
        "2025-10-17",
        title="Rain",
        websiteUrl="https://rain.acme.example",
        icons=[{"src": "https://rain.acme.example/i.png", "mimeType": "image/png"}],
        packages=[
            _package(
                "pypi",
                "Rain_Server",
                runtimeHint="uvx",
                runtimeArguments=[
                    {"type": "named", "name": "--python", "value": "3.12"},
                ],
                environmentVariables=[
                    {"name": "RAIN_KEY", "isRequired": True, "isSecret": True},
                    {"name": "RAIN_UNITS", "default": "mm", "choices": ["mm", "inch"]},
                    {"name": "RAIN_LIMIT", "format": "number", "placeholder": "10"},
                    {"name": "RAIN_LOUD", "format": "boolean", "default": "false"},
                ],
            )
        ],
    ),
    "nuget-variable": _server(
        "io.github.acme/coins",
        packages=[
            _package(
                "nuget",
                "Acme.Coins",
                runtimeHint="dnx",
                environmentVariables=[
                    {"name": "SIDES", "description": "Names, by commas.", "isRequired": True}
                ],
            )
        ],
    ),
    "oci-arguments": _server(
        "io.github.acme/tables",
        packages=[
            {
                "registryType": "oci",
                "identifier": "ghcr.io/acme/tables:1.4.0",
                "transport": STDIO,
                "runtimeArguments": [
                    {"type": "named", "name": "--network", "value": "host"},
                    {
                        "type": "named",
                        "name": "-e",
                        "value": "ENGINE={engine}",
                        "variables": {"engine": {"choices": ["pg", "lite"], "isRequired": True}},
                    },
                ],
                "packageArguments": [
                    {"type": "named", "name": "--host", "default": "localhost", "isRequired": True},
                    {"type": "named", "name": "--port", "format": "number"},
                    {"type": "named", "name": "--read-only", "format": "boolean", "isRequired": True},
                    {"type": "positional", "valueHint": "table", "isRequired": True},
                ],
                "environmentVariables": [
                    {"name": "DB_USER", "isRequired": True},
                    {"name": "DB_PASSWORD", "isRequired": True, "isSecret": True},
                ],
            }
        ],
    ),
    "npm-and-remotes": _server(
        "com.acme/both",
        packages=[
            _package(
                "npm",
                "acme-both",
                packageArguments=[
                    {"type": "named", "name": "--mode", "default": "near", "choices": ["near", "far"]}
                ],
            )
        ],
        remotes=[
            {
                "type": "streamable-http",
                "url": "https://{tenant}.acme.example/mcp",
                "variables": {"tenant": {"isRequired": True}},
                "headers": [
                    {"name": "X-Acme-Key", "isRequired": True, "isSecret": True},
                    {"name": "X-Acme-Region", "default": "eu", "choices": ["eu", "us"]},
                ],
            },
            {"type": "sse", "url": "https://old.acme.example/sse"},
        ],
    ),
    "mcpb": _server(
        "io.github.acme/writer",
        packages=[
            {
                "registryType": "mcpb",
                "identifier": "https://github.com/acme/writer-mcpb/releases/download/v1.4.0/writer.mcpb",
                "fileSha256": "ab" * 32,
                "transport": STDIO,
            }
        ],
    ),
    "npm-subcommand": _server(
        "com.acme/suite",
        packages=[
            _package(
                "npm",
                "acme-suite",
                packageArguments=[
                    {"type": "positional", "value": "mcp"},
                    {"type": "named", "name": "-t", "default": "stdio", "choices": ["stdio", "sse"]},
                ],
            )
        ],
    ),
    "nothing-to-run": _server("com.acme/inside", websiteUrl="https://acme.example/app"),
}
"""Kind -> a server.json of that kind, each without a fault."""

MORE: Mapping[str, JsonObject] = {
    "pypi-from": _server(
        "io.github.acme/rain",
        packages=[
            _package(
                "pypi",
                "rain-server",
                runtimeArguments=[{"type": "named", "name": "--from", "value": "rain-server"}],
            )
        ],
    ),
    "http-with-port": _server(
        "com.acme/ports",
        packages=[
            {
                "registryType": "oci",
                "identifier": "ghcr.io/acme/ports:1.4.0",
                "transport": {
                    "type": "streamable-http",
                    "url": "http://localhost:{--port}/api",
                    "headers": [
                        {
                            "name": "Authorization",
                            "value": "Bearer {token}",
                            "variables": {"token": {"isSecret": True}},
                        }
                    ],
                },
                "packageArguments": [
                    {"type": "named", "name": "--port", "default": "9000", "format": "number"},
                    {"type": "named", "name": "--transport", "value": "streamable-http"},
                ],
            }
        ],
    ),
    "http-with-variable": _server(
        "com.acme/listens",
        packages=[
            _package(
                "npm",
                "acme-listens",
                transport={"type": "sse", "url": "http://127.0.0.1:{PORT}/sse"},
                environmentVariables=[{"name": "PORT", "default": "3001"}],
            )
        ],
    ),
    "before-the-first": {
        "name": "io.github.acme/early",
        "description": "Made for tests.",
        "version_detail": {"version": "0.2.0"},
        "packages": [
            {
                "registry_name": "npm",
                "name": "early",
                "version": "0.2.0",
                "environment_variables": [{"name": "EARLY_LIMIT", "is_required": True, "default": 5}],
                "package_arguments": [{"type": "positional", "value_hint": "place", "is_repeated": True}],
            }
        ],
        "remotes": [{"transport_type": "streamable", "url": "https://early.acme.example/mcp"}],
    },
}
"""Kinds besides the twelve: servers over HTTP, and the format of the time before the first schema."""

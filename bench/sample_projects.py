"""Projects to measure with: sound ones, of any size, made as text."""

from __future__ import annotations

import json
from pathlib import Path

TOOLS_PER_MODULE = 10

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "acme-big"
version = "1.2.8"
description = "A server with many tools."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["mcp>=2"]

[project.scripts]
acme-big = "big.server:main"
"""

README = "# acme-big\n\nMany tools.\n\n<!-- mcp-name: io.github.acme/big -->\n"

APP = """\
from mcp.server import MCPServer

mcp = MCPServer("big", version="1.2.8")
"""

SERVER = """\
import os

from big.app import mcp
{imports}

TOKEN = os.environ["BIG_TOKEN"]


def main() -> None:
    mcp.run("stdio")
"""

TOOL = '''

@mcp.tool()
async def measure_{number:04}(
    station: str, days: int = {days}, units: Literal["metric", "imperial"] = "metric", note: str | None = None
) -> dict[str, float]:
    """Measure number {number} at one station."""
    found: dict[str, float] = {{}}
    for day in range(days):
        value = float(len(station) * day)
        if units == "imperial":
            value = value * 9 / 5 + 32
        found[f"{{note or station}}-{{day}}"] = value
    return found
'''

BULK = """

def work_{number}(items: list[dict[str, int]], name: str = "x") -> dict[str, list[int]]:
    found: dict[str, list[int]] = {{}}
    for item in items:
        for key, value in sorted(item.items()):
            if key.startswith(name) and value > {number}:
                found.setdefault(os.path.join(name, key), []).append(value * {number})
    return found

"""


def write_project(base: Path, tools: int) -> Path:
    """A code-first project with `tools` decorated functions in modules of ten; returns its folder."""
    modules = [f"tools_{index:03}" for index in range(-(-tools // TOOLS_PER_MODULE))]
    files = {
        "pyproject.toml": PYPROJECT,
        "README.md": README,
        "server.json": json.dumps(manifest(), indent=2) + "\n",
        "src/big/__init__.py": '__version__ = "1.2.8"\n',
        "src/big/app.py": APP,
        "src/big/server.py": SERVER.format(imports="\n".join(f"import big.{name}" for name in modules)),
    }
    for index, name in enumerate(modules):
        numbers = range(index * TOOLS_PER_MODULE, min(tools, (index + 1) * TOOLS_PER_MODULE))
        body = "".join(TOOL.format(number=number, days=number % 14 + 1) for number in numbers)
        files[f"src/big/{name}.py"] = f"from typing import Literal\n\nfrom big.app import mcp\n{body}"
    for path, text in files.items():
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(text, encoding="utf-8")
    return base


def add_bulk(base: Path, lines: int) -> None:
    """Give the project so many more lines of ordinary code, ten a function, in modules of a thousand."""
    for number in range(lines // 1000):
        functions = "".join(BULK.format(number=index) for index in range(100))
        (base / f"src/big/bulk_{number:03}.py").write_text(f"import os\n{functions}", encoding="utf-8")


def manifest() -> dict[str, object]:
    """The server.json of the project."""
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.acme/big",
        "description": "A server with many tools.",
        "version": "1.2.8",
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "acme-big",
                "version": "1.2.8",
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "environmentVariables": [
                    {
                        "name": "BIG_TOKEN",
                        "description": "Opens the door.",
                        "isRequired": True,
                        "isSecret": True,
                    }
                ],
            }
        ],
    }


def tool_list(tools: int) -> dict[str, object]:
    """A contract of `tools` tools with constraints, an enum, a reference and an output schema each."""
    return {"tools": [_tool(number) for number in range(tools)]}


def _tool(number: int) -> dict[str, object]:
    station = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    return {
        "name": f"measure-{number:04}",
        "description": f"Measure number {number} at one station.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "station": {"$ref": "#/$defs/Station"},
                "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": number % 14 + 1},
                "units": {"enum": ["metric", "imperial"]},
                "note": {"type": ["string", "null"], "maxLength": 200},
            },
            "required": ["station"],
            "$defs": {"Station": station},
        },
        "outputSchema": {
            "title": f"Measure{number:04}Result",
            "type": "object",
            "properties": {"values": {"type": "array", "items": {"type": "number"}}},
            "required": ["values"],
        },
    }


def write_manifests(folder: Path, count: int) -> Path:
    """`count` sound server.json files of four kinds in `folder`, no two of them alike; gives the folder."""
    folder.mkdir(parents=True)
    kinds = (_pypi, _image, _bundle, _remote)
    for number in range(count):
        name = f"weather-{number}"
        head: dict[str, object] = {
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": f"io.github.acme/{name}",
            "description": f"Forecasts for city number {number}.",
            "version": f"1.2.{number}",
            "repository": {"url": f"https://github.com/acme/{name}", "source": "github"},
        }
        whole = {**head, **kinds[number % len(kinds)](name, f"1.2.{number}")}
        (folder / f"{number:05}.json").write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    return folder


def _pypi(name: str, version: str) -> dict[str, object]:
    variables = [
        {"name": f"WEATHER_KEY_{index}", "description": "What it is for.", "isRequired": index == 0}
        for index in range(4)
    ]
    package = {"registryType": "pypi", "identifier": name, "version": version, "transport": {"type": "stdio"}}
    return {"packages": [{**package, "runtimeHint": "uvx", "environmentVariables": variables}]}


def _image(name: str, version: str) -> dict[str, object]:
    port = {"type": "named", "name": "--port", "format": "number", "default": "8000"}
    package = {
        "registryType": "oci",
        "identifier": f"ghcr.io/acme/{name}:{version}",
        "transport": {"type": "streamable-http", "url": "http://localhost:{--port}/mcp"},
        "runtimeArguments": [{"type": "named", "name": "-p", "value": "8000:8000"}],
        "packageArguments": [port, {"type": "positional", "valueHint": "city", "default": "Paris"}],
    }
    return {"packages": [package]}


def _bundle(name: str, version: str) -> dict[str, object]:
    address = f"https://github.com/acme/{name}/releases/download/v{version}/{name}.mcpb"
    package = {"registryType": "mcpb", "identifier": address, "fileSha256": "0" * 64}
    return {"title": name, "packages": [{**package, "transport": {"type": "stdio"}}]}


def _remote(name: str, version: str) -> dict[str, object]:
    remote = {
        "type": "streamable-http",
        "url": f"https://{{tenant}}.acme.example/{name}",
        "variables": {"tenant": {"description": "Your tenant.", "isRequired": True}},
        "headers": [{"name": "X-Version", "value": version}],
    }
    return {"websiteUrl": f"https://acme.example/{name}", "remotes": [remote]}

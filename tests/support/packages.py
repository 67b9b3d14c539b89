"""A server.json with one package or several, as small as the schema allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.launch.derive import Launch, launches
from mcp_lockstep.launch.judge import judge_commands

STDIO: JsonObject = {"type": "stdio"}

PYPROJECT = """\
[project]
name = "weather"
version = "1.2.0"
readme = "README.md"
[project.scripts]
weather = "w:m"
"""
"""The project of such a server.json."""


def server(*packages: object, **more: object) -> JsonObject:
    """A sound server.json with these packages."""
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.acme/weather",
        "description": "Forecasts for a city.",
        "version": "1.2.0",
        "packages": list(packages),
        **more,
    }


def package(kind: str = "pypi", identifier: str = "weather", **more: object) -> JsonObject:
    """A package that speaks stdio; `version=None` leaves the version out."""
    whole = {
        "registryType": kind,
        "identifier": identifier,
        "version": None if kind == "oci" else "1.2.0",
        "transport": STDIO,
        **more,
    }
    return {key: value for key, value in whole.items() if value is not None}


def write_project(folder: Path) -> None:
    """Make `folder`, with a sound project in it."""
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (folder / "README.md").write_text("<!-- mcp-name: io.github.acme/weather -->\n", encoding="utf-8")
    (folder / "server.json").write_text(json.dumps(server(package())), encoding="utf-8")


def drift(folder: Path) -> None:
    """Let the server.json of the project in `folder` fall behind its version."""
    path = folder / "server.json"
    path.write_text(path.read_text(encoding="utf-8").replace("1.2.0", "1.1.0"), encoding="utf-8")


def positional(value: str, **more: object) -> JsonObject:
    """A positional argument with a fixed value."""
    return {"type": "positional", "value": value, **more}


def named(name: str, value: str = "", **more: object) -> JsonObject:
    """A named argument; without a value where that is empty."""
    return {"type": "named", "name": name, **({"value": value} if value else {}), **more}


def launch(kind: str = "pypi", identifier: str = "weather", **more: object) -> Launch:
    """What clients run for one package."""
    (found,) = launches(server(package(kind, identifier, **more)))
    return found


def document(data: object) -> JsonDocument:
    """`data` as the file server.json."""
    return JsonDocument("server.json", json.dumps(data, indent=2).encode())


def found(*packages: JsonObject) -> list[tuple[str, str, str]]:
    """Slug, pointer and hint of everything that is wrong with the commands of these packages."""
    findings = judge_commands(document(server(*packages)))
    return [(one.code.slug, one.place.address, one.hint) for one in findings]


def slugs(*packages: JsonObject) -> list[str]:
    """The slugs alone."""
    return [slug for slug, _, _ in found(*packages)]


def array(data: object, *path: str | int) -> list[JsonObject]:
    """The list of objects that `path` leads to."""
    for key in path:
        data = cast("dict[object, object]", data)[key]
    return cast("list[JsonObject]", data)

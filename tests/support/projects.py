"""A project in which every identity fact stands at every kind of place, and ways to change one place of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mcp_lockstep.findings import Finding
from mcp_lockstep.plan import Plan

Files = dict[str, bytes]

NAME, VERSION, IDENTIFIER, REVISION = "io.github.acme/weather", "1.2.0", "weather-server", "2025-12-11"
SOUND_VALUES: Mapping[str, str] = {
    "name": NAME,
    "version": VERSION,
    "identifier": IDENTIFIER,
    "schema": REVISION,
}
OTHER_VALUES: Mapping[str, str] = {
    "name": "io.github.acme/tides",
    "version": "1.3.0",
    "identifier": "tide-server",
    "schema": "2025-10-17",
}
THIRD_VALUES: Mapping[str, str] = {
    "name": "io.github.acme/winds",
    "version": "0.9",
    "identifier": "wind-server",
    "schema": "2025-10-11",
}

PROJECT_TABLE = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "weather-server"       # what an index lists
version = "1.2.0"
description = "Tells the weather."
readme = "README.md"

[project.scripts]
weather-server = "weather.app:main"
"""

CONFIGURATION = """\
name = "io.github.acme/weather"
schema = 'server@2025-12-11'

[[{0}places]]
fact = "version"
place = "VERSION"

[[{0}places]]
fact = "version"
place = "plugin.json#/version"

[[{0}places]]
fact = "version"
place = "CITATION.cff"
pattern = '^version: (\\S+)$'

[[{0}places]]
fact = "name"
place = "deploy.toml:server.name"
"""

MANIFEST = """\
{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.acme/weather",
  "title": "Weather",
  "description": "Tells the weather.",
  "version": "1.2.0",
  "websiteUrl": "https://acme.example/weather",
  "packages": [
    { "registryType": "pypi", "identifier": "weather-server", "version": "1.2.0", "transport": {"type": "stdio"} },
    { "registryType": "oci", "identifier": "ghcr.io/acme/weather:v1.2.0", "transport": {"type": "stdio"} }
  ]
}
"""

SERVER = """\
from mcp.server import MCPServer

mcp = MCPServer(
    name='io.github.acme/weather',
    version="1.2.0",  # as published
)


def main() -> None:
    mcp.run()
"""

REST: Mapping[str, str] = {
    "server.json": MANIFEST,
    "README.md": "# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n\nTells the weather of version 1.2.0.\n",
    "src/weather/__init__.py": '"""Weather."""\n\n__version__ = "1.2.0"\n',
    "src/weather/app.py": SERVER,
    "VERSION": "1.2.0\n",
    "plugin.json": '{"name": "weather", "version": "1.2.0", "tags": ["a", "b"]}',
    "CITATION.cff": "cff-version: 1.2.0\r\ntitle: Weather\r\nversion: 1.2.0\r\n",
    "deploy.toml": '[server]\nname = "io.github.acme/weather" # as in the registry\nreplicas = 2\n',
}


class Spot(NamedTuple):
    """One place of a fact: its spelling, its file, and the text around the value, which `@` stands for."""

    fact: str
    place: str
    path: str
    text: str


def spots(config: str) -> tuple[Spot, ...]:
    """Every place of the project whose configuration stands in the file `config`; the owner of each fact first."""
    table = "tool.mcp-lockstep." if config == "pyproject.toml" else ""
    return (
        Spot("name", f"{config}:{table}name", config, 'name = "@"\nschema'),
        Spot("name", "server.json#/name", "server.json", '"name": "@",\n  "title"'),
        Spot("name", "README.md#mcp-name", "README.md", "mcp-name: @ -->"),
        Spot("name", "src/weather/app.py::mcp.name", "src/weather/app.py", "name='@'"),
        Spot("name", "deploy.toml:server.name", "deploy.toml", 'name = "@" #'),
        Spot("version", "pyproject.toml:project.version", "pyproject.toml", 'version = "@"\ndescription'),
        Spot("version", "server.json#/version", "server.json", '"version": "@",\n  "website'),
        Spot("version", "server.json#/packages/0/version", "server.json", '"version": "@", "transport"'),
        Spot("version", "server.json#/packages/1/identifier", "server.json", "acme/weather:v@"),
        Spot(
            "version", "src/weather/__init__.py::__version__", "src/weather/__init__.py", '__version__ = "@"'
        ),
        Spot("version", "src/weather/app.py::mcp.version", "src/weather/app.py", 'version="@"'),
        Spot("version", "VERSION", "VERSION", "@\n"),
        Spot("version", "plugin.json#/version", "plugin.json", '"version": "@"'),
        Spot("version", "CITATION.cff", "CITATION.cff", "\r\nversion: @\r\n"),
        Spot("identifier", "pyproject.toml:project.name", "pyproject.toml", '[project]\nname = "@"'),
        Spot("identifier", "server.json#/packages/0/identifier", "server.json", '"pypi", "identifier": "@"'),
        Spot("schema", f"{config}:{table}schema", config, "schema = 'server@@'"),
        Spot("schema", "server.json#/$schema", "server.json", "/schemas/@/server.schema.json"),
    )


def sound(config: str = "pyproject.toml", *, lock: bool = False) -> Files:
    """The project with nothing wrong with it, configured in the file `config`."""
    table = "tool.mcp-lockstep." if config == "pyproject.toml" else ""
    head = "\n[tool.mcp-lockstep]\n" if table else ""
    files = {**REST, "pyproject.toml": PROJECT_TABLE}
    files[config] = files.get(config, "") + head + CONFIGURATION.format(table)
    if lock:
        files["mcp-lockstep.lock"] = lock_of(SOUND_VALUES)
    return {path: text.encode() for path, text in files.items()}


def lock_of(values: Mapping[str, str]) -> str:
    """The text of a lock that agrees on `values`."""
    head = (
        "# Kept by mcp-lockstep. Commit it. "
        "After a merge conflict take either side and run `mcp-lockstep sync`.\nlock = 1\n"
    )
    return head + "".join(f'\n[fact.{fact}]\nagreed = "{value}"\n' for fact, value in sorted(values.items()))


def put(files: Files, spot: Spot, old: str, new: str) -> Files:
    """`files` with the value at `spot` replaced. AssertionError when `old` does not stand there once."""
    text = files[spot.path].decode()
    before, after = (_with(spot.text, value) for value in (old, new))
    assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times in {spot.path}"
    return {**files, spot.path: text.replace(before, after).encode()}


def written(files: Files, plan: Plan) -> Files:
    """`files` once `plan` is carried out."""
    after: dict[str, bytes | None] = {**files, **{change.path: change.after for change in plan.changes}}
    return {path: raw for path, raw in after.items() if raw is not None}


def facts_told(findings: tuple[Finding, ...]) -> set[str]:
    """The places of the findings about facts."""
    return {str(finding.place) for finding in findings if finding.code.id.startswith("LS1")}


def _with(text: str, value: str) -> str:
    head, _, tail = text.rpartition("@")
    return f"{head}{value}{tail}"

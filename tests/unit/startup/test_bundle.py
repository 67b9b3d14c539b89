"""The manifest of an MCPB bundle beside server.json and the code: what it repeats is held against them."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import cast

import pytest

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.export.bundle import bundle_manifest
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.launch.target import Target
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.project import Project
from mcp_lockstep.rules.any_kind import judge_each
from mcp_lockstep.tree import Memory, Tree
from packages import package, server

CODE = b'''
import os

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("weather")


@mcp.tool()
def forecast(city: str) -> str:
    """Say what the weather will be."""
    return os.environ["WEATHER_API_KEY"] + os.environ.get("WEATHER_UNITS", "celsius")


def main() -> None:
    mcp.run()
'''
PYPROJECT = b"""\
[project]
name = "weather"
version = "1.2.0"
readme = "README.md"
authors = [{ name = "Ada" }]
requires-python = ">=3.11"

[project.scripts]
weather = "weather:main"
"""
VARIABLES = [
    {"name": "WEATHER_API_KEY", "description": "Key.", "isRequired": True, "isSecret": True},
    {
        "name": "WEATHER_UNITS",
        "description": "Units.",
        "default": "celsius",
        "choices": ["celsius", "kelvin"],
    },
]
Files = dict[str, bytes]


def project(code: bytes = CODE) -> Files:
    """A sound project with a bundle's manifest as `export mcpb` prints it, and its one tool listed."""
    published = server(package(environmentVariables=VARIABLES))
    files = {
        "pyproject.toml": PYPROJECT,
        "README.md": b"# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n",
        "server.json": json.dumps(published, indent=2).encode(),
        "weather.py": code,
    }
    opened = Project(Tree(Memory(files)))
    assert opened.manifest is not None
    made, findings = bundle_manifest(Target(".", opened.manifest, project=opened))
    assert findings == ()
    listed = {**made, "tools": [{"name": "forecast", "description": "Say what the weather will be."}]}
    return {**files, "manifest.json": json.dumps(listed, indent=2).encode()}


def told(files: Mapping[str, bytes], only: str = "") -> list[tuple[str, str, str, str]]:
    """(severity, slug, file, address) of everything but notes."""
    findings = judge_tree(Project(Tree(Memory(files))), only=only).findings
    return [
        (f.severity, f.code.slug, f.place.path, f.place.address) for f in findings if f.severity != "note"
    ]


def changed(files: Files, *way: str | int, value: object = ...) -> Files:
    """`files` with the manifest's value at `way` replaced; taken out without a `value`."""
    data = copy.deepcopy(json.loads(files["manifest.json"]))
    *parents, last = way
    owner = data
    for part in parents:
        owner = cast("dict[object, object]", owner)[part]
    if value is ...:
        del cast("dict[object, object]", owner)[last]
    else:
        cast("dict[object, object]", owner)[last] = value
    return {**files, "manifest.json": json.dumps(data, indent=2).encode()}


def test_what_export_prints_is_in_step() -> None:
    files = project()
    assert told(files) == []
    assert json.loads(files["manifest.json"])["server"]["mcp_config"]["env"] == {
        "WEATHER_API_KEY": "${user_config.weather_api_key}",
        "WEATHER_UNITS": "${user_config.weather_units}",
    }
    assert judge_each((JsonDocument("manifest.json", files["manifest.json"]),)) == [()]


ENV = ("server", "mcp_config", "env")
WRONG: dict[str, tuple[tuple[str | int, ...], object, tuple[str, str, str, str]]] = {
    "version": (
        ("version",),
        "1.1.0",
        ("error", "version-drift", "manifest.json", "/version"),
    ),
    "tool gone": (("tools",), [], ("error", "bundle-tools-drift", "manifest.json", "/tools")),
    "tool nobody has": (
        ("tools",),
        [{"name": "forecast"}, {"name": "tides"}],
        ("error", "bundle-tools-drift", "manifest.json", "/tools/1"),
    ),
    "needed variable": (
        ENV,
        {"X": "${user_config.weather_api_key}", "WEATHER_UNITS": "${user_config.weather_units}"},
        ("warning", "bundle-variable-missing", "manifest.json", "/server/mcp_config/env"),
    ),
    "needed on another platform": (
        ("server", "mcp_config"),
        {
            "command": "uvx",
            "args": ["weather"],
            "env": {"WEATHER_UNITS": "${user_config.weather_units}"},
            "platform_overrides": {"win32": {"env": {"WEATHER_API_KEY": "${user_config.weather_api_key}"}}},
        },
        ("warning", "bundle-variable-missing", "manifest.json", "/server/mcp_config/env"),
    ),
    "secret shown": (
        ("user_config", "weather_api_key", "sensitive"),
        ...,
        ("warning", "bundle-config-not-sensitive", "manifest.json", "/user_config/weather_api_key"),
    ),
    "asked for nothing": (
        ("user_config", "other"),
        {"type": "string", "title": "Other", "description": "Other."},
        ("warning", "bundle-config-unused", "manifest.json", "/user_config/other"),
    ),
    "not asked for": (
        ("user_config", "weather_units"),
        ...,
        ("error", "bundle-config-unknown", "manifest.json", "/server/mcp_config"),
    ),
}


@pytest.mark.parametrize(("way", "value", "finding"), WRONG.values(), ids=WRONG)
def test_what_the_manifest_says_otherwise(
    way: tuple[str | int, ...], value: object, finding: tuple[str, str, str, str]
) -> None:
    files = changed(project(), *way, value=value)
    assert told(files) == [finding]
    fact = {"version-drift": "version", "bundle-tools-drift": "tools"}.get(finding[1], "environment")
    assert told(files, fact) == [finding]
    assert told(files, "description") == []


RIGHT: dict[str, tuple[tuple[str | int, ...], object]] = {
    "no tools": (("tools",), ...),
    "tools at run time": (("tools_generated",), True),
    "an optional variable": (
        ENV,
        {"WEATHER_API_KEY": "${user_config.weather_api_key}", "U": "${user_config.weather_units}"},
    ),
    "a fixed value": ((*ENV, "WEATHER_UNITS"), "${user_config.weather_units}K"),
    "an answer in the command": (
        ("server", "mcp_config", "args"), ["run", "weather", "--units=${user_config.weather_units}"],
    ),
    "spelt as PyPI does": (("version",), "1.2"),
    "a variable by platform": (
        ("server", "mcp_config"),
        {
            "command": "uvx",
            "args": ["weather", "${user_config.weather_units}"],
            "platform_overrides": {
                name: {"env": {"WEATHER_API_KEY": "${user_config.weather_api_key}"}}
                for name in ("darwin", "linux", "win32")
            },
        },
    ),
    "a variable for the shell": (
        ("server", "mcp_config"),
        {
            "command": "sh",
            "args": [
                "-c",
                "WEATHER_API_KEY=${user_config.weather_api_key} WEATHER_UNITS=${user_config.weather_units} weather",
            ],
        },
    ),
    "an argument instead of the variable": (
        ("server", "mcp_config"),
        {
            "command": "python",
            "args": ["--key", "${user_config.weather_api_key}"],
            "env": {"WEATHER_UNITS": "${user_config.weather_units}"},
        },
    ),
    "filled in by a release job": (("version",), "{{VERSION}}"),
}  # fmt: skip


@pytest.mark.parametrize(("way", "value"), RIGHT.values(), ids=RIGHT)
def test_what_the_manifest_may_say(way: tuple[str | int, ...], value: object) -> None:
    assert told(changed(project(), *way, value=value)) == []


def test_a_list_that_the_server_makes_need_not_be_whole() -> None:
    files = changed(project(), "tools", value=[])
    assert told(files) == [("error", "bundle-tools-drift", "manifest.json", "/tools")]
    assert told(changed(files, "tools_generated", value=True)) == []


def test_a_tool_registered_at_run_time_takes_none_away() -> None:
    files = project(CODE + b'\nfor name in ("a", "b"):\n    mcp.tool(name)(forecast)\n')
    assert told(changed(files, "tools", value=[{"name": "forecast"}, {"name": "a"}, {"name": "b"}])) == []


def test_sync_writes_the_version_and_nothing_else() -> None:
    files = changed(project(), "version", value="1.1.0")
    (change,) = prepare(Tree(Memory(files))).plan.changes
    assert change.path == "manifest.json"
    assert change.after == files["manifest.json"].replace(b'"1.1.0"', b'"1.2.0"')


@pytest.mark.parametrize(
    "raw",
    [
        b'{"manifest_version": 3, "name": "An extension", "version": "0.9"}',
        b'{"name": "a web app", "version": "0.9"}',
        b"// no JSON at all",
        b"\xff\xfe",
    ],
)
def test_other_files_of_that_name_are_nobodys_business(raw: bytes) -> None:
    assert told({**project(), "manifest.json": raw}) == []


@pytest.mark.parametrize("value", [None, 1, "x", [], [1], {"env": 1}, {"env": {"A": 1}}])
def test_wrong_types_are_left_to_validate(value: object) -> None:
    files = project()
    for way in (("server",), ("server", "mcp_config"), ("user_config",), ("tools",), ("version",)):
        told(changed(files, *way, value=value))


def test_names_that_need_escapes_are_found() -> None:
    option: JsonObject = {"type": "string", "title": "x", "description": "x"}
    assert told(changed(project(), "user_config", "a/b", value=option)) == [
        ("warning", "bundle-config-unused", "manifest.json", "/user_config/a~1b")
    ]

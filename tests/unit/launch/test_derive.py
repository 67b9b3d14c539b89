"""The command of every kind of package, in the words and the order that clients use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.launch.derive import Word, launches
from mcp_lockstep.launch.package import Input
from mcp_lockstep.placeholders import template_names
from packages import launch, named, package, positional, server

CITY = {"type": "positional", "valueHint": "city", "description": "Where."}
SECRET = {"name": "KEY", "isRequired": True, "isSecret": True}

COMMANDS: list[tuple[dict[str, object], str]] = [
    ({}, "uvx weather@1.2.0"),
    ({"version": None}, "uvx weather"),
    ({"runtimeHint": "uvx"}, "uvx weather@1.2.0"),
    ({"runtimeHint": "pipx", "runtimeArguments": [positional("run")]}, "pipx run weather==1.2.0"),
    (
        {"runtimeHint": "uv", "runtimeArguments": [positional("tool"), positional("run")]},
        "uv tool run weather@1.2.0",
    ),
    ({"runtimeArguments": [named("--python", "3.12")]}, "uvx --python 3.12 weather@1.2.0"),
    (
        {"packageArguments": [positional("serve"), named("--mode", "safe")]},
        "uvx weather@1.2.0 serve --mode safe",
    ),
    ({"environmentVariables": [SECRET]}, "uvx weather@1.2.0"),
    ({"kind": "npm", "identifier": "@acme/weather"}, "npx @acme/weather@1.2.0"),
    ({"kind": "npm", "runtimeArguments": [positional("-y")]}, "npx -y weather@1.2.0"),
    ({"kind": "npm", "runtimeHint": "bunx"}, "bunx weather@1.2.0"),
    ({"kind": "nuget", "identifier": "Acme.Weather"}, "dnx Acme.Weather@1.2.0 --yes"),
    (
        {"kind": "nuget", "identifier": "Acme.Weather", "packageArguments": [positional("mcp")]},
        "dnx Acme.Weather@1.2.0 --yes -- mcp",
    ),
    (
        {"kind": "nuget", "identifier": "A", "runtimeArguments": [positional("--yes")]},
        "dnx --yes A@1.2.0",
    ),
    (
        {"kind": "oci", "identifier": "ghcr.io/acme/weather:1.2.0"},
        "docker run -i --rm ghcr.io/acme/weather:1.2.0",
    ),
    (
        {
            "kind": "oci",
            "identifier": "acme/weather",
            "version": "1.2.0",
            "registryBaseUrl": "https://docker.io",
        },
        "docker run -i --rm docker.io/acme/weather:1.2.0",
    ),
    (
        {"kind": "oci", "identifier": "acme/weather:1", "environmentVariables": [SECRET]},
        "docker run -i --rm -e KEY acme/weather:1",
    ),
    (
        {
            "kind": "oci",
            "identifier": "acme/weather:1",
            "runtimeArguments": [
                named(
                    "-v", "{folder}:/data", variables={"folder": {"isRequired": True, "format": "filepath"}}
                )
            ],
            "packageArguments": [positional("/data")],
        },
        "docker run -i --rm -v '<folder>:/data' acme/weather:1 /data",
    ),
    ({"kind": "oci", "identifier": "a/b:1", "runtimeHint": "podman"}, "podman run -i --rm a/b:1"),
    ({"packageArguments": [{**CITY, "isRequired": True}]}, "uvx weather@1.2.0 <city>"),
    ({"packageArguments": [{**CITY, "default": "Rome"}]}, "uvx weather@1.2.0 Rome"),
    ({"packageArguments": [CITY]}, "uvx weather@1.2.0"),
    ({"packageArguments": [named("--city", format="string")]}, "uvx weather@1.2.0"),
    (
        {"packageArguments": [named("--city", isRequired=True, description="Where.")]},
        "uvx weather@1.2.0 --city <city>",
    ),
    ({"packageArguments": [named("--port", default=8000)]}, "uvx weather@1.2.0 --port 8000"),
    ({"packageArguments": [named("--verbose", format="boolean")]}, "uvx weather@1.2.0 --verbose"),
    ({"packageArguments": [named("-y")]}, "uvx weather@1.2.0 -y"),
    ({"packageArguments": [positional("two words")]}, "uvx weather@1.2.0 'two words'"),
    ({"packageArguments": [positional("$(x); `y`\n")]}, "uvx weather@1.2.0 '$(x); `y`\n'"),
]


@pytest.mark.parametrize(("fields", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_a_package_becomes_a_command(fields: dict[str, object], command: str) -> None:
    more = dict(fields)
    kind, identifier = str(more.pop("kind", "pypi")), str(more.pop("identifier", "weather"))
    assert launch(kind, identifier, **more).command == command


@pytest.mark.parametrize("kind", ["mcpb", "cargo", "gem", ""])
def test_kinds_that_clients_start_nothing_for_say_why(kind: str) -> None:
    found = launch(kind, "https://example.com/weather.mcpb", packageArguments=[positional("serve")])
    assert (found.words, found.command, len(found.notes)) == ((), "", 1)


def test_environment_and_transport_are_told() -> None:
    found = launch(
        transport={"type": "sse", "url": "http://localhost:1/sse"},
        environmentVariables=[SECRET, {"name": "UNITS", "default": "metric"}],
    )
    assert found.env == ("KEY", "UNITS")
    assert (found.transport, found.source.url, found.cwd) == ("sse", "http://localhost:1/sse", "")
    key, units = found.environment
    assert (key.input.required, key.input.secret, units.value.filled(lambda one: one.default or "")) == (
        True,
        True,
        "metric",
    )


def test_optional_arguments_are_noted() -> None:
    assert launch(packageArguments=[CITY, named("--days", format="number")]).notes == (
        "optional arguments: city, --days",
    )


def test_the_first_revision_spells_its_keys_with_underscores() -> None:
    old = {
        "registry_type": "docker",
        "registry_base_url": "https://docker.io",
        "identifier": "acme/weather",
        "version": "1.2.0",
        "runtime_arguments": [named("--network", "host")],
        "package_arguments": [{"type": "positional", "value_hint": "city", "is_required": True}],
        "environment_variables": [{"name": "KEY", "is_secret": True, "is_required": True}],
    }
    (found,) = launches(server(old))
    assert found.command == "docker run -i --rm --network host -e KEY docker.io/acme/weather:1.2.0 <city>"
    assert found.environment[0].input.secret
    assert found.transport == "stdio"


@pytest.mark.parametrize("packages", [None, 1, "x", [], [1, None], {"a": 1}])
def test_what_is_no_list_of_packages_is_no_command(packages: object) -> None:
    assert launches({"packages": packages}) == ()


@pytest.mark.parametrize("junk", [None, 1, [], {}, True, "x"])
def test_wrong_types_in_a_package_break_nothing(junk: object) -> None:
    keys = ("identifier", "version", "transport", "runtimeHint", "runtimeArguments", "packageArguments")
    for key in (*keys, "environmentVariables", "registryBaseUrl", "registryType"):
        launches(server({**package(), key: junk}))
    for key in ("type", "name", "value", "default", "choices", "variables", "valueHint", "isRequired"):
        launches(server(package(packageArguments=[{**named("--x", "1"), key: junk}])))


def test_only_declared_inputs_are_filled_in_and_once() -> None:
    word = Word("{a}-{b}-{{a}}", (Input("a"),))
    assert word.filled(lambda one: "{b}" + one.name) == "{b}a-{b}-{{b}a}"


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("{a}/{b_c}", ("a", "b_c")),
        ("${a}", ()),
        ('{"a": 1}', ()),
        ("{}", ()),
        ("{a", ()),
        ("x{a-b.c}", ("a-b.c",)),
    ],
)
def test_names_in_templates(value: str, names: tuple[str, ...]) -> None:
    assert template_names(value) == names


FILESYSTEM = (
    "docker run -i --rm --mount 'type=bind,src=<source_path>,dst=/project' -e LOG_LEVEL "
    "docker.io/mcp/filesystem:1.0.2 /project"
)
EXAMPLES = {
    "01": ["npx @modelcontextprotocol/server-brave-search@1.0.2"],
    "03": ["dnx Knapcode.SampleMcpServer@0.4.0-beta --yes -- mcp start"],
    "04": ["npx @modelcontextprotocol/server-filesystem@1.0.2 /Users/username/Desktop", FILESYSTEM],
    "05": [],
    "06": ["uvx weather-mcp-server@0.5.0"],
    "09": ["npx @example/hybrid-mcp-server@1.5.0 --mode local"],
    "10": [""],
    "11": ["npx snyk@1.1298.0 mcp -t stdio"],
}


@pytest.mark.parametrize("number", sorted(EXAMPLES))
def test_the_commands_of_published_examples(number: str, shared: Path) -> None:
    (path,) = (shared / "seeds/server-json-examples").glob(f"{number}-*.json")
    assert [found.command for found in launches(json.loads(path.read_text(encoding="utf-8")))] == EXAMPLES[
        number
    ]

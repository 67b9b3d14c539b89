"""Exports: what a client, a bundle, a registry list and an image get, and what is said of the rest."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import pytest

from mcp_lockstep.__main__ import main
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject, objects, table
from mcp_lockstep.export.bundle import bundle_manifest
from mcp_lockstep.export.clients import Form, client_config
from mcp_lockstep.export.dockerfile import dockerfile
from mcp_lockstep.export.public import public
from mcp_lockstep.export.registry_list import registry_list
from mcp_lockstep.findings import Refused
from mcp_lockstep.launch.target import Target, open_target
from mcp_lockstep.rules.any_kind import judge_each
from packages import document, named, package, positional, server

Write = Callable[[Mapping[str, str | bytes]], Path]
VARIABLES = [
    {"name": "KEY", "isRequired": True, "isSecret": True, "description": "From the account page."},
    {"name": "UNITS", "default": "metric", "choices": ["metric", "imperial"]},
    {"name": "TRACE", "description": "Where to write."},
    {"name": "OLD_KEY", "isSecret": True},
    {"name": "REGION", "isRequired": True, "choices": ["eu", "us"]},
]
ARGUMENTS = [
    named(
        "--folder",
        "{folder}",
        variables={"folder": {"isRequired": True, "description": "Where the maps are."}},
    ),
    named("--days", default="3", format="number"),
    named("--verbose", format="string"),
]
FULL = package(environmentVariables=VARIABLES, packageArguments=ARGUMENTS)
REMOTE = {
    "type": "streamable-http",
    "url": "https://{region}.acme.example/mcp",
    "variables": {"region": {"default": "eu"}},
    "headers": [
        {"name": "Authorization", "value": "Bearer {token}", "variables": {"token": {"isSecret": True}}}
    ],
}
PYPROJECT = """\
[project]
name = "weather"
version = "1.2.0"
requires-python = ">=3.12"
license = "MIT"
keywords = ["maps"]
authors = [{ name = "Ada", email = "ada@acme.example" }]

[project.scripts]
weather = "weather.server:main"
"""


def configured(data: JsonObject, form: Form) -> JsonObject:
    return client_config(document(data), form)


def only(data: JsonObject, key: str) -> JsonObject:
    """The one entry of the object at `key`."""
    (entry,) = table(data, key).values()
    return cast("JsonObject", entry)


# A client's configuration


def test_the_common_form_has_a_place_for_what_only_the_user_knows() -> None:
    assert configured(server(FULL), "common") == {
        "mcpServers": {
            "weather": {
                "command": "uvx",
                "args": ["weather@1.2.0", "--folder", "<folder>", "--days", "3"],
                "env": {"KEY": "<KEY>", "UNITS": "metric", "OLD_KEY": "<OLD_KEY>", "REGION": "<REGION>"},
            }
        }
    }


def test_vscode_asks_for_it_and_keeps_secrets_out_of_sight() -> None:
    config = configured(server(FULL), "vscode")
    assert only(config, "servers") == {
        "type": "stdio",
        "command": "uvx",
        "args": ["weather@1.2.0", "--folder", "${input:folder}", "--days", "3"],
        "env": {
            "KEY": "${input:KEY}",
            "UNITS": "metric",
            "OLD_KEY": "${input:OLD_KEY}",
            "REGION": "${input:REGION}",
        },
    }
    assert config["inputs"] == [
        {"type": "promptString", "id": "folder", "description": "Where the maps are."},
        {"type": "promptString", "id": "KEY", "description": "From the account page.", "password": True},
        {"type": "promptString", "id": "OLD_KEY", "description": "OLD_KEY", "password": True},
        {"type": "pickString", "id": "REGION", "description": "REGION", "options": ["eu", "us"]},
    ]


def test_a_server_without_questions_has_no_inputs() -> None:
    assert configured(server(package("npm")), "vscode") == {
        "servers": {"weather": {"type": "stdio", "command": "npx", "args": ["weather@1.2.0"]}}
    }


def test_a_package_over_stdio_goes_before_remotes_and_others() -> None:
    http = package(transport={"type": "sse", "url": "http://localhost:8000/sse"})
    config = configured(server(http, package("oci", "acme/weather:1"), remotes=[REMOTE]), "common")
    assert only(config, "mcpServers")["args"] == ["run", "-i", "--rm", "acme/weather:1"]


@pytest.mark.parametrize(("form", "token"), [("common", "<token>"), ("vscode", "${input:token}")])
def test_a_remote_is_an_address_with_headers(form: str, token: str) -> None:
    config = configured(server(remotes=[REMOTE]), "vscode" if form == "vscode" else "common")
    entry = only(config, "servers" if form == "vscode" else "mcpServers")
    assert entry == {
        "type": "http",
        "url": "https://eu.acme.example/mcp",
        "headers": {"Authorization": f"Bearer {token}"},
    }


def test_a_package_over_http_alone_is_an_address() -> None:
    http = {"type": "streamable-http", "url": "http://127.0.0.1:{PORT}/mcp"}
    port = [{"name": "PORT", "default": "8000"}]
    config = configured(server(package(transport=http, environmentVariables=port)), "common")
    assert only(config, "mcpServers") == {"type": "http", "url": "http://127.0.0.1:8000/mcp"}


@pytest.mark.parametrize("packages", [[], [package("mcpb", "https://example.com/mcp.mcpb")]])
def test_nothing_for_a_client(packages: list[JsonObject]) -> None:
    with pytest.raises(Refused) as caught:
        configured(server(*packages), "common")
    assert caught.value.findings[0].code.slug == "nothing-to-export"


# A bundle


def manifest(project: Write, package_: JsonObject, pyproject: str = PYPROJECT, **more: object) -> JsonObject:
    files = {
        "pyproject.toml": pyproject,
        "src/weather/server.py": "",
        "server.json": json.dumps(server(package_, **more)),
    }
    made, findings = bundle_manifest(open_target(str(project(files))))
    assert [
        finding.code.slug
        for finding in judge_each((JsonDocument("manifest.json", json.dumps(made).encode()),))[0]
    ] == []
    assert [finding.code.slug for finding in findings] == (
        [] if "authors" in pyproject else ["bundle-author-missing"]
    )
    return made


def test_a_bundle_starts_the_project_with_uv(project: Write) -> None:
    made = manifest(project, FULL, title="Weather", websiteUrl="https://acme.example")
    assert {
        key: made[key]
        for key in ("manifest_version", "name", "display_name", "version", "license", "homepage")
    } == {
        "manifest_version": "0.4",
        "name": "weather",
        "display_name": "Weather",
        "version": "1.2.0",
        "license": "MIT",
        "homepage": "https://acme.example",
    }
    assert made["author"] == {"name": "Ada", "email": "ada@acme.example"}
    assert made["compatibility"] == {"runtimes": {"python": ">=3.12"}}
    start = table(made, "server")
    assert (start["type"], start["entry_point"]) == ("uv", "src/weather/server.py")
    config = table(start, "mcp_config")
    assert config["args"] == [
        "run",
        "--directory",
        "${__dirname}",
        "weather",
        "--folder",
        "${user_config.folder}",
        "--days",
        "${user_config.days}",
    ]
    assert table(config, "env") == {
        name: f"${{user_config.{name.lower()}}}" for name in ("KEY", "UNITS", "TRACE", "OLD_KEY", "REGION")
    }


def test_a_bundle_asks_for_what_the_user_knows(project: Write) -> None:
    asked = table(manifest(project, FULL), "user_config")
    assert sorted(asked) == ["days", "folder", "key", "old_key", "region", "trace", "units"]
    assert asked["key"] == {
        "type": "string",
        "title": "KEY",
        "description": "From the account page.",
        "required": True,
        "sensitive": True,
    }
    assert asked["days"] == {
        "type": "number",
        "title": "days",
        "description": "days",
        "required": False,
        "default": 3,
    }
    assert table(asked, "units")["description"] == "One of metric, imperial."


@pytest.mark.parametrize(
    ("default", "form", "kept"),
    [
        ("true", "boolean", True),
        ("yes", "boolean", None),
        ("1.5", "number", 1.5),
        ("1e999", "number", None),
        ("x", "", "x"),
    ],
)
def test_defaults_in_a_bundle_are_of_their_type(
    project: Write, default: str, form: str, kept: object
) -> None:
    one = {"name": "X", "default": default, **({"format": form} if form else {})}
    asked = table(manifest(project, package(environmentVariables=[one])), "user_config", "x")
    assert asked.get("default") == kept


def test_an_author_is_made_up_and_that_is_said(project: Write) -> None:
    made = manifest(
        project, package(), PYPROJECT.replace('authors = [{ name = "Ada", email = "ada@acme.example" }]', "")
    )
    assert made["author"] == {"name": "acme"}


def test_a_bundle_of_no_python_project(project: Write) -> None:
    base = project({"server.json": json.dumps(server(package("npm")))})
    with pytest.raises(Refused, match="no Python project"):
        bundle_manifest(open_target(str(base)))


def test_a_bundle_speaks_stdio(project: Write) -> None:
    http = package(transport={"type": "sse", "url": "http://localhost:1/sse"})
    base = project({"pyproject.toml": PYPROJECT, "server.json": json.dumps(server(http))})
    with pytest.raises(Refused, match="the server in a bundle speaks stdio"):
        bundle_manifest(open_target(str(base)))


# A registry list


def listed(data: JsonObject) -> tuple[JsonObject, list[tuple[str, str]]]:
    made, findings = registry_list(document(data))
    assert judge_each((JsonDocument("list.json", json.dumps(made).encode()),)) == [()]
    (entry,) = objects(made["servers"])
    return table(entry, "server"), [(one.place.address, one.severity) for one in findings]


def test_a_list_carries_what_is_fixed() -> None:
    fixed = package(
        "oci",
        "ghcr.io/acme/weather:1.2.0",
        runtimeArguments=[named("--network", "host")],
        packageArguments=[positional("serve")],
        environmentVariables=[{"name": "UNITS", "value": "metric"}],
    )
    entry, said = listed(server(fixed, name="weather"))
    assert said == []
    assert entry["packages"] == [
        {
            "registryType": "oci",
            "identifier": "ghcr.io/acme/weather:1.2.0",
            "transport": {"type": "stdio"},
            "runtimeArguments": [positional("--network"), positional("host")],
            "packageArguments": [positional("serve")],
            "environmentVariables": [{"name": "UNITS", "value": "metric"}],
        }
    ]


def test_everything_that_a_list_cannot_carry_is_said() -> None:
    entry, said = listed(
        server(
            FULL, package("nuget"), package("npm"), remotes=[REMOTE, REMOTE], websiteUrl="https://x.example"
        )
    )
    assert entry["name"] == "io.github.acme.weather"
    assert said == [
        ("/name", "note"),
        ("/websiteUrl", "note"),
        ("/packages/1", "warning"),
        ("/packages/2", "warning"),
        ("/packages/0/version", "warning"),
        ("/packages/0/packageArguments/0", "warning"),
        ("/packages/0/packageArguments/1", "warning"),
        ("/packages/0/packageArguments/2", "warning"),
        ("/packages/0/environmentVariables/0", "warning"),
        ("/packages/0/environmentVariables/1", "note"),
        ("/packages/0/environmentVariables/3", "warning"),
        ("/packages/0/environmentVariables/4", "warning"),
        ("/remotes/1", "warning"),
        ("/remotes/0/url", "warning"),
        ("/remotes/0/headers/0", "warning"),
    ]
    (found,) = objects(entry["packages"])
    assert found["packageArguments"] == [positional("--days"), positional("3")]
    (remote,) = objects(entry["remotes"])
    assert remote["url"] == "https://eu.acme.example/mcp"


def test_lists_of_published_examples_are_lists(shared: Path) -> None:
    for path in sorted((shared / "seeds/server-json-examples").glob("*.json")):
        made, _ = registry_list(JsonDocument("server.json", path.read_bytes()))
        assert judge_each((JsonDocument("list.json", json.dumps(made).encode()),)) == [()], path.name


def test_a_list_comes_back_as_a_list() -> None:
    fixed = package("npm", "tides", packageArguments=[positional("serve")])
    fixed.pop("version", None)
    servers = [
        server(fixed, name="tides"),
        server(name="rain", remotes=[{"type": "sse", "url": "https://x.example"}]),
    ]
    for one in servers:
        one.pop("$schema", None)
    servers[1].pop("packages", None)
    data: JsonObject = {"servers": [{"server": one} for one in servers]}
    made, findings = registry_list(JsonDocument("list.json", json.dumps(data).encode()))
    assert (made, findings) == (data, ())
    servers[0]["websiteUrl"] = "https://x.example"
    _, (finding,) = registry_list(JsonDocument("list.json", json.dumps(data).encode()))
    assert finding.place.address == "/servers/0/server/websiteUrl"


def test_the_published_list_comes_back_as_it_was(shared: Path) -> None:
    raw = (shared / "seeds/registry-list.example.json").read_bytes()
    made, findings = registry_list(JsonDocument("list.json", raw))
    assert (made, findings) == (json.loads(raw), ())


# An image


def test_an_image_has_the_label_and_starts_the_script(project: Write) -> None:
    base = project({"pyproject.toml": PYPROJECT, "server.json": json.dumps(server(package()))})
    lines = dockerfile(open_target(str(base))).splitlines()
    assert lines[0] == "FROM python:3.12-slim"
    assert 'LABEL io.modelcontextprotocol.server.name="io.github.acme/weather"' in lines
    assert lines[-1] == 'ENTRYPOINT ["weather"]'
    assert not [line for line in lines if line.startswith("EXPOSE")]


def test_an_image_over_http_exposes_its_port(project: Write) -> None:
    http = package(
        transport={"type": "streamable-http", "url": "http://127.0.0.1:{PORT}/mcp"},
        environmentVariables=[{"name": "PORT", "default": "8080"}],
    )
    base = project({"pyproject.toml": PYPROJECT, "server.json": json.dumps(server(http))})
    assert "EXPOSE 8080" in dockerfile(open_target(str(base))).splitlines()


def test_a_hostile_name_stays_inside_its_quotes(project: Write) -> None:
    name = 'a/"$(x)\nRUN evil\\'
    base = project({"pyproject.toml": PYPROJECT, "server.json": json.dumps(server(package(), name=name))})
    (label,) = [line for line in dockerfile(open_target(str(base))).splitlines() if line.startswith("LABEL")]
    assert label == 'LABEL io.modelcontextprotocol.server.name="a/\\"\\$(x)\\nRUN evil\\\\"'
    assert tomllib.loads(f"x = {label.partition('=')[2].replace(chr(92) + '$', '$')}")["x"] == name


# Secrets


KEYED = [
    {"name": "KEY", "value": "hunter2-hunter2", "isSecret": True},
    {"name": "OTHER_TOKEN", "default": "hunter2-hunter2"},
    {"name": "UNITS", "default": "metric"},
]
TOLD_SECRETS = [
    {"type": "positional", "value": "hunter2-hunter2", "isSecret": True},
    named("--token", "hunter2-hunter2"),
    named("--auth", "Bearer {key}", variables={"key": {"isSecret": True, "isRequired": True}}),
]


def with_secrets(project: Write) -> Target:
    data = server(package(environmentVariables=KEYED, packageArguments=TOLD_SECRETS))
    base = project(
        {"pyproject.toml": PYPROJECT, "src/weather/server.py": "", "server.json": json.dumps(data)}
    )
    return open_target(str(base))


def test_a_secret_becomes_something_that_is_asked_for(project: Write) -> None:
    safe = public(with_secrets(project))
    assert [str(f.place) for f in safe.findings] == [
        "server.json#/packages/0/environmentVariables/0/value",
        "server.json#/packages/0/environmentVariables/1/default",
        "server.json#/packages/0/packageArguments/0/value",
        "server.json#/packages/0/packageArguments/1/value",
    ]
    assert client_config(safe.target.document, "common") == {
        "mcpServers": {
            "weather": {
                "command": "uvx",
                "args": ["weather@1.2.0", "<secret>", "--token", "<token>", "--auth", "Bearer <key>"],
                "env": {"KEY": "<KEY>", "OTHER_TOKEN": "<OTHER_TOKEN>", "UNITS": "metric"},
            }
        }
    }


def test_a_bundle_asks_for_it(project: Write) -> None:
    made, _ = bundle_manifest(public(with_secrets(project)).target)
    assert "hunter2" not in json.dumps(made)
    asked = table(made, "user_config")
    assert {key for key in asked if table(asked, key).get("sensitive")} == {
        "key",
        "other_token",
        "secret",
        "token",
    }


def test_what_holds_no_secret_is_exported_as_it_is(project: Write) -> None:
    target = open_target(str(project({"server.json": json.dumps(server(FULL, remotes=[REMOTE]))})))
    assert public(target) == (target, ())


def test_a_finding_about_a_copy_stands_at_its_line_in_the_file(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    data = server(package("npm", environmentVariables=KEYED))
    text = json.dumps(data, indent=2)
    base = project({"server.json": text})
    assert main(["export", "registry-list", "--root", str(base)]) == 0
    err = capsys.readouterr().err
    value, version = (text[: text.rindex(word)].count("\n") + 1 for word in ('"value"', '"version"'))
    assert f"server.json:{value}:20: warning LS2753 secret-not-exported: `packages[0].environmentVar" in err
    assert f"server.json:{version}:18: warning LS2751 list-cannot-carry: `packages[0].version`" in err
    assert "hunter2" not in err


POETRY = """\
[tool.poetry]
name = "weather"
version = "1.2.0"
authors = ["Ada <ada@acme.example>"]
license = "MIT"
keywords = ["rain", "wind speed"]
[tool.poetry.dependencies]
python = "^3.11"
[tool.poetry.scripts]
weather = "weather.server:main"
"""
SETUP_CFG = """\
[metadata]
name = weather
version = 1.2.0
author = Ada
author_email = ada@acme.example
license = MIT
keywords = rain, wind speed
[options]
python_requires = >=3.11
[options.entry_points]
console_scripts =
    weather = weather.server:main
"""
SETUP_PY = """\
from setuptools import setup

setup(
    name="weather", version="1.2.0", author="Ada", author_email="ada@acme.example", license="MIT",
    keywords="rain, wind speed", python_requires=">=3.11",
    entry_points={"console_scripts": ["weather = weather.server:main"]},
)
"""
TABLES = """\
[project]
name = "weather"
version = "1.2.0"
authors = [{ name = "Ada", email = "ada@acme.example" }]
license = { text = "MIT" }
keywords = ["rain", "wind speed"]
requires-python = ">=3.11"
[project.scripts]
weather = "weather.server:main"
"""


@pytest.mark.parametrize(
    ("path", "text", "python"),
    [
        ("pyproject.toml", POETRY, "^3.11"),
        ("pyproject.toml", TABLES, ">=3.11"),
        ("setup.cfg", SETUP_CFG, ">=3.11"),
        ("setup.py", SETUP_PY, ">=3.11"),
    ],
)
def test_a_project_is_described_where_its_backend_wants_it(
    project: Write, path: str, text: str, python: str
) -> None:
    files = {path: text, "server.json": json.dumps(server(package())), "src/weather/server.py": ""}
    target = open_target(str(project(files)))
    manifest, findings = bundle_manifest(target)
    assert findings == ()
    assert manifest["author"] == {"name": "Ada", "email": "ada@acme.example"}
    assert table(manifest, "server")["entry_point"] == "src/weather/server.py"
    assert manifest["compatibility"] == {"runtimes": {"python": python}}
    assert (manifest["license"], manifest["keywords"]) == ("MIT", ["rain", "wind speed"])
    assert dockerfile(target).startswith("FROM python:3.11-slim\n")
    assert dockerfile(target).endswith('ENTRYPOINT ["weather"]\n')


WORDS = ["rain", "wind speed"]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("setup.py", SETUP_PY.replace('"rain, wind speed"', '["rain", "wind"]'), ("MIT", ["rain", "wind"])),
        ("setup.py", SETUP_PY.replace('"rain, wind speed"', '"rain wind"'), ("MIT", ["rain", "wind"])),
        ("setup.py", SETUP_PY.replace('"rain, wind speed"', "words()"), ("MIT", None)),
        ("setup.cfg", SETUP_CFG.replace("rain, wind speed", "\n    rain\n    wind speed"), ("MIT", WORDS)),
        ("pyproject.toml", TABLES.replace('"MIT"', '"One may\\nuse it."'), (None, WORDS)),
        ("pyproject.toml", TABLES.replace('{ text = "MIT" }', '{ file = "LICENSE" }'), (None, WORDS)),
        (
            "pyproject.toml",
            TABLES.replace('{ text = "MIT" }', "7").replace('["rain", "wind speed"]', "[7]"),
            (None, None),
        ),
    ],
)
def test_licence_and_keywords_as_they_are_written(
    project: Write, path: str, text: str, said: tuple[object, object]
) -> None:
    files = {path: text, "server.json": json.dumps(server(package())), "src/weather/server.py": ""}
    manifest, _ = bundle_manifest(open_target(str(project(files))))
    assert (manifest.get("license"), manifest.get("keywords")) == said

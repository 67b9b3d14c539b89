"""Whose rules hold: `--registry`, else what the configuration beside the file says, else the official registry."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from manifests import change, sound_manifest
from mcp_lockstep.__main__ import main
from weather import pyproject

Write = Callable[[Mapping[str, str | bytes]], Path]
PRIVATE, OFFICIAL = 'registry = "private"\n', 'registry = "official"\n'
TABLE = "[tool.mcp-lockstep]\n"


def own() -> dict[str, object]:
    """A server.json that only a private registry takes: its own name, hosts, kinds of packages and addresses."""
    data = sound_manifest()
    for pointer, value in (
        ("/name", "internal.acme/weather_"),
        ("/repository/source", "forgejo"),
        ("/repository/url", "https://git.acme.internal/acme/weather"),
        ("/packages/0/registryBaseUrl", "https://packages.acme.internal/simple"),
        ("/packages/0/version", "1.2.0+acme.1"),
        ("/packages/1/identifier", "images.acme.internal/weather:1.2.0"),
        ("/packages/2/identifier", "https://files.acme.internal/weather.mcpb"),
        ("/remotes/0/url", "http://weather.localhost/{tenant}"),
    ):
        change(data, pointer, value)
    return data


REFUSED = {
    "invalid-server-name",
    "repository-source-unsupported",
    "registry-base-url-wrong",
    "local-version",
    "oci-host-unsupported",
    "mcpb-identifier",
    "invalid-remote-url",
}
"""What the official registry has against it."""


def said(capsys: pytest.CaptureFixture[str], *words: str) -> set[str]:
    """The slugs of all errors and warnings that a command ends with."""
    capsys.readouterr()
    main([*words, "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return {finding["slug"] for finding in findings if finding["severity"] != "note"}


@pytest.mark.parametrize("command", ["validate", "migrate"])
@pytest.mark.parametrize(
    ("configuration", "option", "private"),
    [
        ({}, "", False),
        ({}, "official", False),
        ({}, "private", True),
        ({"mcp-lockstep.toml": PRIVATE}, "", True),
        ({"mcp-lockstep.toml": PRIVATE}, "private", True),
        ({"mcp-lockstep.toml": PRIVATE}, "official", False),
        ({"mcp-lockstep.toml": OFFICIAL}, "", False),
        ({"mcp-lockstep.toml": OFFICIAL}, "private", True),
        ({"pyproject.toml": TABLE + PRIVATE}, "", True),
        ({"pyproject.toml": TABLE + PRIVATE}, "official", False),
        ({"pyproject.toml": TABLE}, "", False),
        ({"pyproject.toml": '[project]\nname = "weather"\n'}, "", False),
        ({"mcp-lockstep.toml": 'registry = "mine"\n'}, "", False),
        ({"mcp-lockstep.toml": "registry = \n"}, "", False),
        ({"mcp-lockstep.toml": "registry = \n"}, "private", True),
    ],
)
def test_whose_rules_hold(
    command: str,
    configuration: Mapping[str, str],
    option: str,
    private: bool,
    project: Write,
    capsys: pytest.CaptureFixture[str],
    cache: Path,
) -> None:
    base = project({**configuration, "server.json": json.dumps(own())})
    options = ["--registry", option] if option else []
    assert said(capsys, command, str(base / "server.json"), *options) == (set() if private else REFUSED)


@pytest.mark.parametrize("command", ["validate", "migrate"])
@pytest.mark.parametrize("option", ["", "official", "private"])
def test_what_every_registry_asks_for_holds_for_a_private_one(
    command: str, option: str, project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    data = own()
    change(data, "/version", "latest")
    change(data, "/description", ...)
    base = project({"mcp-lockstep.toml": PRIVATE, "server.json": json.dumps(data)})
    options = ["--registry", option] if option else []
    found = said(capsys, command, str(base / "server.json"), *options)
    assert found - REFUSED == {"reserved-version-string", "field-required"}
    assert (found >= REFUSED) is (option == "official")


def test_each_folder_says_whose_rules_hold_in_it(
    project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    mine = json.dumps(own())
    base = project(
        {
            "a/mcp-lockstep.toml": PRIVATE,
            "a/server.json": mine,
            "a/below/server.json": mine,
            "b/server.json": mine,
        }
    )
    main(["validate", str(base), "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    files = {finding["file"] for finding in findings if finding["severity"] != "note"}
    assert files == {str(base / "a/below/server.json"), str(base / "b/server.json")}
    assert said(capsys, "validate", str(base), "--registry", "private") == set()
    assert said(capsys, "validate", str(base), "--registry", "official") == REFUSED


def test_migrated_for_a_private_registry_a_file_keeps_its_addresses(
    project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    data = own()
    data["$schema"] = "https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json"
    base = project({"server.json": json.dumps(data)})
    file = str(base / "server.json")
    assert main(["migrate", "--write", "--registry", "private", file]) == 0
    now = json.loads((base / "server.json").read_bytes())
    assert now == {**own(), "$schema": now["$schema"]}
    assert "2025-12-11" in now["$schema"]


@pytest.mark.parametrize("command", ["validate", "migrate"])
def test_another_kind_of_registry_is_a_usage_error(
    command: str, project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    base = project({"server.json": "{}"})
    assert main([command, str(base / "server.json"), "--registry", "mine"]) == 2
    assert "official" in capsys.readouterr().err


PYPROJECT = f"{pyproject(version='1.2.0')}\n{TABLE}{PRIVATE}"


def test_a_project_for_a_private_registry_from_adopt_to_its_exports(
    project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    """The name and the address are the registry's own, and nobody proves by a README whose a package is."""
    base = project(
        {"pyproject.toml": PYPROJECT, "README.md": "# Weather\n", "weather/__init__.py": "def main(): ..."}
    )
    assert main(["adopt", "--yes", "--name", "i/weather_", str(base)]) == 0
    manifest = base / "server.json"
    data = json.loads(manifest.read_text(encoding="utf-8"))
    assert data["name"] == "i/weather_"
    data["packages"][0]["registryBaseUrl"] = "https://pypi.acme.internal/simple"
    data["remotes"] = [{"type": "streamable-http", "url": "http://10.0.0.1/mcp"}]
    manifest.write_text(json.dumps(data, indent=2), encoding="utf-8")
    assert said(capsys, "check", str(base)) == set()
    assert "mcp-name" not in (base / "README.md").read_text(encoding="utf-8")
    assert said(capsys, "validate", str(manifest)) == set()
    before = manifest.read_bytes()
    assert main(["migrate", "--write", str(manifest)]) == 0
    assert manifest.read_bytes() == before
    capsys.readouterr()
    assert main(["render", str(base)]) == 0
    assert json.loads(capsys.readouterr().out) == data
    command = "uvx --index-url https://pypi.acme.internal/simple weather@1.2.0"
    assert main(["launch", str(base)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"clients run: {command}"
    assert main(["export", "client", "--root", str(base)]) == 0
    entry = json.loads(capsys.readouterr().out)["mcpServers"]["weather_"]
    assert [entry["command"], *entry["args"]] == command.split()
    listed = base / "list.json"
    assert main(["export", "registry-list", "--root", str(base), "-o", str(listed)]) == 0
    (server,) = json.loads(listed.read_text(encoding="utf-8"))["servers"]
    assert server["server"]["packages"][0]["registryBaseUrl"] == "https://pypi.acme.internal/simple"
    assert said(capsys, "validate", str(listed)) == set()


def test_a_marker_that_is_there_is_kept_in_step_for_any_registry(
    project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    base = project({"pyproject.toml": PYPROJECT, "README.md": "# W\n\n<!-- mcp-name: i/other -->\n"})
    assert main(["adopt", "--yes", "--name", "i/weather_", str(base)]) == 1
    assert said(capsys, "check", str(base)) == {"server-name-drift"}


@pytest.mark.parametrize("name", ["weather", "i/a/b", "i/", "ä/b"])
def test_no_registry_takes_what_the_schema_refuses(
    name: str, project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    base = project({"pyproject.toml": PYPROJECT, "README.md": "# Weather\n"})
    assert main(["adopt", "--yes", "--name", name, str(base)]) == 2
    assert not (base / "server.json").exists()

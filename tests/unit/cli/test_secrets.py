"""Nothing secret is ever printed: one planted in every place, and every output of every command searched for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from manifests import change, sound_manifest
from mcp_lockstep.cli import run

Write = Callable[[Mapping[str, str | bytes]], Path]

PLAIN = "Kx7hunter2zz"
TOLD = "ghp_0123456789abcdefABCDEF0123456789abcd"
MIXED = "aB3dE6gH9jK2mN5pQ8sT1vW4"
"""A secret that only its place tells, one that tells itself, one that looks like a key."""

PYPI, IMAGE, REMOTE = "/packages/0", "/packages/1", "/remotes/0"
OLD = "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json"
VARIABLE = {"name": "WEATHER_API_KEY", "isSecret": True}
PLACES: dict[str, tuple[object, ...]] = {
    "remote, user": (f"{REMOTE}/url", f"https://me:{PLAIN}@acme.example/{{tenant}}"),
    "remote, user over http": (f"{REMOTE}/url", f"http://me:{PLAIN}@acme.example/{{tenant}}"),
    "remote, query": (f"{REMOTE}/url", f"https://acme.example/mcp?api_key={PLAIN}"),
    "remote, undeclared": (f"{REMOTE}/url", f"https://acme.example/{{who}}?token={PLAIN}"),
    "header": (f"{REMOTE}/headers/0", {"name": "X-Key", "value": PLAIN}),
    "header, broken": (f"{REMOTE}/headers/0", {"name": "X-Key", "value": PLAIN, "isRequired": "yes", "x": 1}),
    "header, number": (f"{REMOTE}/headers/0", {"name": "X-Key", "default": PLAIN, "format": PLAIN}),
    "bearer": (f"{REMOTE}/headers/0", {"name": "Authorization", "value": f"Bearer {PLAIN}"}),
    "website": ("/websiteUrl", f"ftp://me:{PLAIN}@acme.example"),
    "icon": ("/icons/0/src", f"http://acme.example/i.png?token={PLAIN}"),
    "repository": ("/repository/url", f"https://me:{PLAIN}@github.com/acme/weather"),
    "base": (f"{PYPI}/registryBaseUrl", f"https://me:{PLAIN}@packages.example/simple"),
    "bundle": ("/packages/2/identifier", f"https://me:{PLAIN}@github.com/a/b/releases/download/v1/mcp.zip"),
    "variable": (f"{PYPI}/environmentVariables/0", {**VARIABLE, "default": PLAIN}),
    "variable, value": (f"{PYPI}/environmentVariables/0", {**VARIABLE, "value": PLAIN}),
    "variable, template": (f"{PYPI}/environmentVariables/0", {**VARIABLE, "value": f"{PLAIN}{{x}}${{Y}}"}),
    "variable, choices": (f"{PYPI}/environmentVariables/0", {**VARIABLE, "default": "a", "choices": [PLAIN]}),
    "variable, by name": (f"{PYPI}/environmentVariables/0", {"name": "WEATHER_TOKEN", "default": PLAIN}),
    "variable, key": (f"{PYPI}/environmentVariables/0", {"name": "WEATHER", "default": TOLD}),
    "variable, long key": (f"{PYPI}/environmentVariables/0", {"name": "WEATHER", "default": MIXED}),
    "variable, wrong type": (f"{PYPI}/environmentVariables/0", {**VARIABLE, "default": [PLAIN]}),
    "argument": (f"{PYPI}/packageArguments/1", {"type": "named", "name": "--token", "value": PLAIN}),
    "argument, repeated": (
        f"{PYPI}/packageArguments/1",
        {"type": "named", "name": "--token", "isSecret": True, "value": f"--token={PLAIN}"},
    ),
    "argument, positional": (
        f"{PYPI}/packageArguments/0",
        {"type": "positional", "value": f"--token={PLAIN}"},
    ),
    "argument, secret": (
        f"{PYPI}/packageArguments/0",
        {"type": "positional", "isSecret": True, "value": PLAIN},
    ),
    "argument, default": (
        f"{PYPI}/packageArguments/1",
        {"type": "named", "name": "--key", "isSecret": True, "default": PLAIN},
    ),
    "runtime": (
        f"{IMAGE}/runtimeArguments/0",
        {"type": "named", "name": "-e", "value": f"WEATHER_TOKEN={PLAIN}"},
    ),
    "description": ("/description", f"Use {TOLD}. " * 9),
    "unknown key": (f"{PYPI}/environment_variables", [{"name": "A_TOKEN", "value": PLAIN}]),
    "status": ("/status", TOLD),
}
SECRETS = (PLAIN, TOLD, MIXED)
FORMS = ("text", "json", "github", "sarif")


def commands(root: Path) -> list[list[str]]:
    file = str(root / "server.json")
    return [
        *(["check", str(root), "--format", form] for form in FORMS),
        ["check", str(root), "-v"],
        *(["validate", file, "--format", form] for form in FORMS),
        *(["migrate", file, "--format", form] for form in FORMS),
        ["migrate", file, "-v"],
        ["status", str(root)],
        ["launch", str(root)],
        ["launch", file],
        ["export", "client", "--root", str(root)],
        ["export", "client", "--for", "vscode", "--root", str(root)],
        ["export", "mcpb", "--root", str(root)],
        ["export", "registry-list", "--root", str(root)],
        ["export", "dockerfile", "--root", str(root)],
        ["sync", str(root), "--dry-run"],
        ["sync", str(root)],
        ["adopt", str(root), "--yes"],
    ]


@pytest.mark.parametrize("revision", ["newest", "old"])
@pytest.mark.parametrize("where", PLACES)
def test_no_command_prints_it(
    where: str, revision: str, project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    data = sound_manifest()
    for pointer, value in zip(PLACES[where][::2], PLACES[where][1::2], strict=True):
        change(data, str(pointer), value)
    data["version"] = "1.1.0"
    if revision == "old":
        data["$schema"] = OLD
    code = f'import os\nKEY = os.getenv("WEATHER_API_KEY", "{PLAIN}")\nC = os.getenv("WEATHER", "{MIXED}")\n'
    root = project(
        {
            "server.json": json.dumps(data, indent=2),
            ".env": f"WEATHER_API_KEY={PLAIN}\n",
            "README.md": f"# Weather\n\n<!-- mcp-name: io.github.acme/tides -->\n{TOLD}\n",
            "pyproject.toml": '[project]\nname = "weather"\nversion = "1.2.0"\nreadme = "README.md"\n'
            f'description = "{TOLD}"\n[project.urls]\nSource = "https://me:{PLAIN}@github.com/acme/weather"\n',
            "weather/__init__.py": code,
        }
    )
    for words in commands(root):
        run(words)
        printed = "".join(capsys.readouterr())
        assert [secret for secret in SECRETS if secret in printed] == [], (words[0], printed)


def test_what_is_written_keeps_it(project: Write, capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    data = sound_manifest()
    change(data, *PLACES["variable"])  # type: ignore[arg-type] # a pointer and a value
    data["version"] = "1.1.0"
    pyproject = '[project]\nname = "weather"\nversion = "1.2.0"\n'
    root = project({"server.json": json.dumps(data, indent=2), "pyproject.toml": pyproject})
    run(["sync", str(root)])
    assert PLAIN in (root / "server.json").read_text(encoding="utf-8")

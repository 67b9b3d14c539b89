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
    "argument, dashed": (
        f"{PYPI}/packageArguments/0",
        {"type": "positional", "value": f"--api-key={PLAIN}"},
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


EXPORTS = (["mcpb"], ["client"], ["client", "--for", "vscode"], ["registry-list"], ["dockerfile"])


def commands(root: Path) -> list[list[str]]:
    file = str(root / "server.json")
    return [
        *(["check", str(root), "--format", form] for form in FORMS),
        ["check", str(root), "-v"],
        *(["validate", file, "--format", form] for form in FORMS),
        *(["migrate", file, "--format", form] for form in FORMS),
        ["migrate", file, "-v"],
        ["status", str(root)],
        ["status", str(root), "--format", "json"],
        ["launch", str(root)],
        ["launch", file],
        ["new", str(root.with_name("new")), "--from", file, "--format", "json"],
        *(["export", *words, "--root", str(root)] for words in EXPORTS),
        *(
            ["export", *words, "--root", str(root), "-o", str(root.with_name("out")) + "/" + "-".join(words)]
            for words in EXPORTS
        ),
        ["status", str(root), "--html", str(root.with_name("out") / "status.html")],
        ["render", str(root), "-o", str(root.with_name("rendered.json"))],
        ["sync", str(root), "--dry-run"],
        ["sync", str(root)],
        ["adopt", str(root), "--yes"],
    ]


GIT = f"""\
[remote "origin"]
    url = https://me:{PLAIN}@github.com/acme/weather.git
"""


def planted(where: str, revision: str, project: Write) -> Path:
    """A project with a secret at one place of its server.json, and everywhere else where projects have some."""
    data = sound_manifest()
    for pointer, value in zip(PLACES[where][::2], PLACES[where][1::2], strict=True):
        change(data, str(pointer), value)
    data["version"] = "1.1.0"
    if revision == "old":
        data["$schema"] = OLD
    code = f'import os\nKEY = os.getenv("WEATHER_API_KEY", "{PLAIN}")\nC = os.getenv("WEATHER", "{MIXED}")\n'
    return project(
        {
            "server.json": json.dumps(data, indent=2),
            ".env": f"WEATHER_API_KEY={PLAIN}\n",
            ".git/config": GIT,
            ".git/HEAD": "ref: refs/heads/main\n",
            "README.md": f"# Weather\n\n<!-- mcp-name: io.github.acme/tides -->\n{TOLD}\n",
            "pyproject.toml": '[project]\nname = "weather"\nversion = "1.2.0"\nreadme = "README.md"\n'
            f'description = "{TOLD}"\n[project.urls]\nSource = "https://me:{PLAIN}@github.com/acme/weather"\n',
            "weather/__init__.py": code,
            "contract.json": '{"tools": []}',
            "../out/kept": "",
        }
    )


@pytest.mark.parametrize("revision", ["newest", "old"])
@pytest.mark.parametrize("where", PLACES)
def test_no_command_prints_it_or_writes_it_elsewhere(
    where: str, revision: str, project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    root = planted(where, revision, project)
    for words in commands(root):
        run(words)
        printed = "".join(capsys.readouterr())
        assert [secret for secret in SECRETS if secret in printed] == [], (words[0], printed)
    made = [path for name in ("new", "out") for path in root.with_name(name).rglob("*") if path.is_file()]
    assert len(made) > 20
    texts = {str(path): path.read_text(encoding="utf-8") for path in made}
    assert [(path, secret) for path, text in texts.items() for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("where", PLACES)
def test_what_is_published_is_the_authors_file_or_refused(
    where: str, project: Write, capfdbinary: pytest.CaptureFixture[bytes], cache: Path
) -> None:
    root = planted(where, "newest", project)
    file = root / "server.json"
    file.write_bytes(file.read_bytes().replace(b'"1.1.0"', b'"1.2.0"'))
    code = run(["render", str(root)])
    out, err = capfdbinary.readouterr()
    assert [secret for secret in SECRETS if secret.encode() in err] == []
    assert out == (b"" if code else file.read_bytes())
    if "@" in str(PLACES[where][1]) or "?" in str(PLACES[where][1]):
        assert code == 1


def test_a_remote_of_git_gives_its_address_without_its_credentials(
    project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    pyproject = '[project]\nname = "weather"\nversion = "1.2.0"\ndescription = "Forecasts."\n'
    pyproject += 'readme = "README.md"\n[project.scripts]\nweather = "weather:main"\n'
    files = {".git/config": GIT, ".git/HEAD": "ref: refs/heads/main\n", ".env": f"WEATHER_TOKEN={PLAIN}\n"}
    root = project({**files, "pyproject.toml": pyproject, "README.md": "# Weather\n"})
    assert run(["adopt", str(root), "--yes"]) == 0
    printed = "".join(capsys.readouterr())
    assert PLAIN not in printed
    written = json.loads((root / "server.json").read_bytes())
    assert written["repository"] == {"url": "https://github.com/acme/weather", "source": "github"}
    for path in root.iterdir():
        assert path.name == ".env" or path.is_dir() or PLAIN not in path.read_text(encoding="utf-8"), path


def contract(**properties: object) -> str:
    """A contract with one tool."""
    schema = {"type": "object", "properties": properties}
    return json.dumps({"tools": [{"name": "forecast", "description": "Say it.", "inputSchema": schema}]})


BEFORE = contract(
    api_key={"type": "string", "default": PLAIN},
    key={"type": "string", "default": TOLD, "enum": [TOLD, "a"]},
    mixed={"type": "string", "default": MIXED},
    url={"const": f"https://me:{PLAIN}@acme.example"},
    password={"enum": [PLAIN, "b"]},
    unit={"enum": ["celsius", "kelvin"]},
)
AFTER = contract(
    api_key={"type": "string", "default": "x"},
    key={"type": "string", "default": "a", "enum": ["a"]},
    mixed={"type": "string", "default": "a"},
    url={"const": "x"},
    password={"enum": ["b"]},
    unit={"enum": ["celsius"]},
)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
@pytest.mark.parametrize("turned", [False, True])
def test_compare_prints_no_default_that_looks_like_a_key(
    turned: bool, form: str, project: Write, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    root = project({"before.json": BEFORE, "after.json": AFTER})
    sides = [str(root / "before.json"), str(root / "after.json")]
    assert run(["compare", *(reversed(sides) if turned else sides), "-v", "--format", form]) == 1
    printed = "".join(capsys.readouterr())
    assert [secret for secret in SECRETS if secret in printed] == [], printed
    assert "***" in printed or "&#42;&#42;&#42;" in printed
    assert "kelvin" in printed


@pytest.mark.parametrize(
    "words",
    [
        ["explain", TOLD],
        ["explain", f"https://me:{PLAIN}@acme.example"],
        ["compare", f"https://me:{PLAIN}@acme.example/a?token={PLAIN}", "."],
        ["compare", ".", f"https://me:{PLAIN}@acme.example/a?token={PLAIN}"],
        ["render", f"nowhere/{TOLD}"],
        ["render", ".", "--set", f"API_KEY={PLAIN}"],
        ["export", "client", "--root", f"https://me:{PLAIN}@acme.example"],
        ["validate", f"https://me:{PLAIN}@acme.example/server.json"],
        ["schemas", "show", f"https://me:{PLAIN}@acme.example"],
        ["models", f"https://me:{PLAIN}@acme.example", "-o", "models.py"],
        *(["new", "new", "--from", f"https://me:{PLAIN}@acme.example/mcp", "--format", form] for form in FORMS),
        *(["new", "new", "--from", "a.json", "--name", f"io.github.{TOLD}/x y", "--format", form] for form in FORMS),
        *(["validate", f"https://me:{PLAIN}@acme.example/server.json", "--format", form] for form in FORMS),
    ],
)  # fmt: skip
def test_what_a_user_typed_is_not_repeated(
    words: list[str],
    project: Write,
    capsys: pytest.CaptureFixture[str],
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(project({"a.json": BEFORE}))
    assert run(words) == 2
    printed = "".join(capsys.readouterr())
    assert printed
    assert [secret for secret in SECRETS if secret in printed] == [], printed


def test_what_is_written_keeps_it(project: Write, capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    data = sound_manifest()
    change(data, *PLACES["variable"])  # type: ignore[arg-type] # a pointer and a value
    data["version"] = "1.1.0"
    pyproject = '[project]\nname = "weather"\nversion = "1.2.0"\n'
    root = project({"server.json": json.dumps(data, indent=2), "pyproject.toml": pyproject})
    run(["sync", str(root)])
    assert PLAIN in (root / "server.json").read_text(encoding="utf-8")

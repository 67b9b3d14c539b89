"""Which folders of a repository hold servers, and how they get into the configuration above them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import tomli

from mcp_lockstep.adopt.servers import find_servers
from mcp_lockstep.cli import run
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree
from weather import pyproject

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures/projects"
MANIFESTS = ("server.json", "core/server.json")
REMOTE = '[remote "origin"]\n\turl = https://github.com/acme/weather.git\n'
SERVER = pyproject("app:main", name="{0}")
LIBRARY = SERVER.partition("\n[project.scripts]")[0]
CODE = (
    "from mcp.server import MCPServer\n\nmcp = MCPServer('Weather')\n\n\ndef main() -> None:\n    mcp.run()\n"
)
MANIFEST = '{{"name": "io.github.acme/{0}", "description": "Forecasts.", "version": "1.0.0", "remotes": []}}'


def made(root: Path, files: dict[str, str]) -> str:
    for path, text in {".git/config": REMOTE, **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return str(root)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(words)
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "servers"),
    [
        ("hatch-static", ("",)),
        ("uv-workspace", ("",)),
        ("monorepo", ("servers/forecast", "servers/radar")),
        ("uv-workspace-servers", (".", "packages/tiles")),
        ("poetry-monorepo", (".", "services/tugs")),
    ],
)
def test_the_servers_of_the_fixtures(name: str, servers: tuple[str, ...]) -> None:
    assert find_servers(str(FIXTURES / name / "project")) == servers


ROOT = {"pyproject.toml": SERVER.format("weather")}


@pytest.mark.parametrize(
    ("files", "servers"),
    [
        ({}, ("",)),
        ({"parts/tide/pyproject.toml": SERVER.format("tide")}, (".", "parts/tide")),
        ({"parts/js/server.json": MANIFEST.format("js")}, (".", "parts/js")),
        ({"parts/tide/pyproject.toml": LIBRARY.format("tide")}, ("",)),
        ({"parts/t/pyproject.toml": LIBRARY.format("t"), "parts/t/server.py": CODE}, (".", "parts/t")),
        ({"parts/t/pyproject.toml": LIBRARY.format("t"), "parts/t/t/__init__.py": CODE}, (".", "parts/t")),
        ({"weather/__init__.py": "", "weather/server.json": MANIFEST.format("weather")}, ("",)),
        ({"src/weather/server.json": MANIFEST.format("weather")}, ("",)),
        ({"bundle/pyproject.toml": SERVER.format("Weather")}, ("",)),
        ({"server.json": MANIFEST.format("x"), "npm/server.json": MANIFEST.format("x")}, ("",)),
        ({"server.json": MANIFEST.format("x"), "npm/server.json": MANIFEST.format("y")}, (".", "npm")),
        ({"examples/tide/pyproject.toml": SERVER.format("tide")}, ("",)),
        ({"tests/data/tide/pyproject.toml": SERVER.format("tide")}, ("",)),
        ({".cache/tide/pyproject.toml": SERVER.format("tide")}, ("",)),
    ],
)
def test_what_counts_as_another_server(
    tmp_path: Path, files: dict[str, str], servers: tuple[str, ...]
) -> None:
    assert find_servers(made(tmp_path, {**ROOT, **files})) == servers


def test_a_root_that_only_holds_others_together_is_none(tmp_path: Path) -> None:
    files = {"pyproject.toml": LIBRARY.format("all"), "tide/pyproject.toml": SERVER.format("tide")}
    assert find_servers(made(tmp_path, files)) == ("tide",)


@pytest.mark.parametrize("name", ["uv-workspace-servers", "poetry-monorepo"])
def test_a_root_among_its_servers(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    cache: Path,
    name: str,
) -> None:
    root = tmp_path / "project"
    shutil.copytree(FIXTURES / name / "project", root)
    made(root, {".git/config": (root / "git-config").read_text(encoding="utf-8")})
    monkeypatch.chdir(root)
    servers = find_servers(".")
    code, plan = printed(capsys, "adopt")
    assert code == 1
    assert "nothing was written" in plan
    assert [line for line in plan.splitlines() if line.startswith("+servers = ")] == [
        f'+servers = [{{ path = "." }}, {{ path = "{servers[1]}" }}]'
    ]
    assert printed(capsys, "adopt", "--yes")[0] == 0
    data = tomli.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    assert [server["path"] for server in data["tool"]["mcp-lockstep"]["servers"]] == [*servers]
    for words in (("check",), ("check", "-r"), ("check", ".", "--strict", "-v")):
        code, out = printed(capsys, *words)
        assert (code, out.count("in step: ")) == (0, 2), words
    assert [Path(server, "server.json").is_file() for server in servers] == [True, True]
    assert printed(capsys, "sync", "--dry-run")[0] == 0
    code, out = printed(capsys, "adopt", "--yes")
    assert (code, out) == (0, "adopted already: nothing to write\n")


def test_each_server_has_the_name_of_its_folder_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(made(tmp_path, {**ROOT, "other/pyproject.toml": SERVER.format("other")}))
    code, out = printed(capsys, "adopt", "--yes", "--name", "org.acme/weather")
    assert code == 2
    assert "LS0118" in out
    assert "one of: ., other" in out
    assert not (tmp_path / "server.json").exists()


def test_the_folder_above_makes_way_for_a_member_that_is_called_like_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"pyproject.toml": SERVER.format("weather-root"), "core/pyproject.toml": SERVER.format("weather")}
    monkeypatch.chdir(made(tmp_path, {**files, "README.md": "# All\n", "core/README.md": "# Core\n"}))
    code, out = printed(capsys, "adopt", "--yes")
    assert code == 0
    assert (
        "name io.github.acme/weather-root (from the remote of the clone and pyproject.toml:project.name)"
        in out
    )
    names = [json.loads(Path(path).read_text(encoding="utf-8"))["name"] for path in MANIFESTS]
    assert names == ["io.github.acme/weather-root", "io.github.acme/weather"]
    assert printed(capsys, "check")[0] == 0
    assert printed(capsys, "adopt", "--yes") == (0, "adopted already: nothing to write\n")


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": SERVER.format("weather-root"), "core/pyproject.toml": SERVER.format("weather"),
         "README.md": "<!-- mcp-name: io.github.acme/weather -->\n", "core/README.md": "# Core\n"},
        {"a/pyproject.toml": SERVER.format("tides"), "b/pyproject.toml": SERVER.format("tides"),
         "a/README.md": "# A\n", "b/README.md": "# B\n"},
    ],
)  # fmt: skip
def test_two_servers_of_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    """What is stated is not changed, and two of one distribution cannot be told apart."""
    monkeypatch.chdir(made(tmp_path, files))
    before = sorted(tmp_path.rglob("*"))
    code, out = printed(capsys, "adopt", "--yes")
    assert code == 2
    assert "would both be called io.github.acme/" in out
    assert sorted(tmp_path.rglob("*")) == before


def test_a_list_of_servers_is_taken_as_it_is(tmp_path: Path) -> None:
    listed = f'{SERVER.format("weather")}\n[[tool.mcp-lockstep.servers]]\npath = "b"\n'
    files = {
        "pyproject.toml": listed,
        "a/pyproject.toml": SERVER.format("a"),
        "b/pyproject.toml": SERVER.format("b"),
    }
    root = made(tmp_path, files)
    assert find_servers(root) == ("b",)
    assert Project(Tree(Disk(root))).config.servers == ("b",)

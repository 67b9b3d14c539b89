"""README and docs say what is so: their commands are taken, their output is printed, their links lead somewhere."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from mcp_lockstep.cli import ALIASES, COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
RECORDED = {"cli.md", "findings.md"}
"""Pages that are made from the parsers and the codes."""

FILES = {
    "pyproject.toml": """\
[project]
name = "weather"
version = "1.2.8"
description = "Forecasts and observations for a place."
readme = "README.md"
scripts = { weather = "weather:main" }

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
""",
    "README.md": "# weather\n\n<!-- mcp-name: io.github.acme/weather -->\n",
    "src/weather/__init__.py": "def main() -> None:\n    print('a forecast')\n",
    "server.json": """\
{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.acme/weather",
  "description": "Forecasts and observations for a place.",
  "version": "1.2.0",
  "packages": [
    {"registryType": "pypi", "identifier": "weather", "version": "1.2.8", "transport": {"type": "stdio"}}
  ]
}
""",
}


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page that are marked `language`."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def command_lines(page: Path) -> Iterator[list[str]]:
    """Every call of ours in the fenced blocks of a page, as words."""
    for block in blocks(page, r"\w*"):
        for line in re.sub(r"\$\{\{.*?\}\}", "X", block).splitlines():
            found = re.match(r"(?:- run: |\$ )?(mcp-lockstep [a-z].*)", line)
            if found is not None:
                said = re.split(r" {3,}| #|  ?#| >| && ", found[1])[0]
                yield shlex.split(said)


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of one command, as a run makes it."""
    parser = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False)
    import_module(f"mcp_lockstep.cli.{ALIASES.get(command, command)}").arguments(parser)
    return parser


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One call of the command."""
    program = (sys.executable, "-m", "mcp_lockstep", *words)
    return subprocess.run(program, cwd=folder, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The server of the README: one version is behind."""
    for name, text in FILES.items():
        path = tmp_path / "my-server" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "my-server"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_line_is_taken(page: Path) -> None:
    for words in command_lines(page):
        assert words[1] in COMMANDS or words[1] in ALIASES, words
        parser_of(words[1]).parse_args(words[2:])


def test_the_pages_hold_commands() -> None:
    assert sum(1 for page in PAGES for _ in command_lines(page)) > 30


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    local = [link.partition("#")[0] for link in links if "://" not in link and not link.startswith("#")]
    missing = [link for link in local if not (page.parent / link).exists()]
    assert missing == []


def test_every_command_has_its_row_in_the_readme() -> None:
    rows = set(re.findall(r"^\| \[?`mcp-lockstep (\w+)", PAGES[0].read_text(encoding="utf-8"), re.M))
    assert rows == set(COMMANDS)


def test_check_prints_what_the_readme_shows(project: Path) -> None:
    (shown,) = blocks(PAGES[0], "text")
    assert run(project, "check").stdout == shown
    assert run(project, "sync").returncode == 0
    assert run(project, "check").stdout == "in step: io.github.acme/weather 1.2.8 (10 places)\n"


def test_the_way_to_a_release(project: Path) -> None:
    """The lines of the README in their order; the build without an environment of its own."""
    (project / "server.json").unlink()
    (project / "README.md").write_text("# weather\n", encoding="utf-8")
    way = next(block for block in blocks(PAGES[0], "console") if "adopt" in block)
    lines = [line.partition("#")[0].strip() for line in way.splitlines()]
    assert lines == [
        "mcp-lockstep adopt --yes",
        "mcp-lockstep sync",
        "mcp-lockstep launch --run",
        "python -m build",
        "mcp-lockstep check dist/*",
    ]
    assert run(project, "adopt", "--yes", "--name", "io.github.acme/weather").returncode == 0
    assert run(project, "sync").returncode == 0
    assert run(project, "launch").stdout == "clients run: uvx weather@1.2.8\n"
    build = (sys.executable, "-m", "build", "--no-isolation", str(project))
    subprocess.run(build, check=True, capture_output=True)
    made = sorted(path.relative_to(project).as_posix() for path in (project / "dist").iterdir())
    judged = run(project, "check", *made)
    assert (judged.returncode, judged.stdout.count("in step")) == (0, 2), judged.stdout


def test_new_makes_what_the_readme_shows(root: Path, tmp_path: Path) -> None:
    contract = (root / "examples/weather/contract.json").read_bytes()
    (tmp_path / "contract.json").write_bytes(contract)
    (words,) = [words for words in command_lines(PAGES[0]) if words[1] == "new"]
    assert run(tmp_path, *words[1:]).returncode == 0
    made = (tmp_path / "weather/src/weather/tools/get_forecast.py").read_text(encoding="utf-8")
    (shown,) = blocks(PAGES[0], "python")
    assert ast.unparse(ast.parse(made)).endswith(ast.unparse(ast.parse(shown)))

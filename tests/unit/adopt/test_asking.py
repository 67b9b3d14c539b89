"""On a terminal: what is asked, and what becomes of the answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mcp_lockstep.cli import run

Write = Callable[[dict[str, str]], Path]
FILES = {
    "pyproject.toml": '[project]\nname = "weather-mcp"\nversion = "1.2.0"\ndependencies = ["mcp"]\n'
    'scripts = { weather-mcp = "weather_mcp:main" }\n',
    "README.md": "# Weather\n",
}


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], list[str]]:
    """A terminal whose user gives these answers; the questions come back."""
    asked: list[str] = []

    def give(answers: list[str]) -> list[str]:
        waiting: Iterator[str] = iter(answers)

        def reply(question: str) -> str:
            asked.append(question)
            return next(waiting)

        monkeypatch.setattr("builtins.input", reply)
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        return asked

    return give


def test_what_nobody_says_is_asked_for(project: Write, answer: Callable[[list[str]], list[str]]) -> None:
    root = project(FILES)
    asked = answer(["weather", "org.acme/weather", "x" * 101, "Forecasts.", "y"])
    assert run(["adopt", str(root)]) == 0
    assert [question.partition(",")[0] for question in asked] == [
        "name",
        "name",
        "what it does",
        "what it does",
        "write this? [y/N] ",
    ]
    text = (root / "server.json").read_text(encoding="utf-8")
    assert '"name": "org.acme/weather"' in text
    assert '"description": "Forecasts."' in text


@pytest.mark.parametrize(
    "answers", [["", ""], ["org.acme/weather", "Forecasts.", "n"], ["org.acme/weather", "Forecasts.", ""]]
)
def test_nothing_is_written_without_a_yes(
    project: Write, answer: Callable[[list[str]], list[str]], answers: list[str]
) -> None:
    root = project(FILES)
    answer(answers)
    assert run(["adopt", str(root)]) == 1
    assert sorted(path.name for path in root.iterdir()) == sorted(FILES)


def test_an_address_that_is_computed_is_asked_for(
    project: Write, answer: Callable[[list[str]], list[str]]
) -> None:
    code = "from mcp.server.mcpserver import MCPServer\nmcp = MCPServer('weather')\n"
    code += "def main():\n    mcp.run('streamable-http', port=free_port())\n"
    root = project({**FILES, "weather_mcp/__init__.py": code})
    asked = answer(["org.acme/weather", "Forecasts.", "localhost:1", "http://localhost:9000/mcp", "y"])
    assert run(["adopt", str(root)]) == 0
    assert [question.partition(" it listens")[0] for question in asked[2:]] == [
        "address",
        "address",
        "write this? [y/N] ",
    ]
    text = (root / "server.json").read_text(encoding="utf-8")
    assert '"type": "streamable-http",\n        "url": "http://localhost:9000/mcp"' in text


def test_yes_never_asks(project: Write, answer: Callable[[list[str]], list[str]]) -> None:
    root = project(FILES)
    asked = answer([])
    assert run(["adopt", str(root), "--yes"]) == 1
    assert asked == []
    assert sorted(path.name for path in root.iterdir()) == sorted(FILES)


def test_a_name_that_no_registry_takes(project: Write) -> None:
    root = project(FILES)
    assert run(["adopt", str(root), "--yes", "--name", "weather"]) == 2
    assert sorted(path.name for path in root.iterdir()) == sorted(FILES)

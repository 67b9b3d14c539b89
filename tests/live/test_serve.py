"""`mcp-lockstep serve`, spoken to over stdio in both eras."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import pytest

from mcp_lockstep.documents.data import JsonObject
from wire import ERAS, called, lists, stdio

Write = Callable[[Mapping[str, str | bytes]], Path]
FILES = {
    "weather/pyproject.toml": '[project]\nname = "weather"\nversion = "1.2.8"\n',
    "weather/server.json": json.dumps(
        {
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": "io.github.acme/weather",
            "description": "Forecasts.",
            "version": "1.2.7",
            "remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}],
        },
        indent=2,
    ),
    "secret/server.json": "{}",
}


def serve(root: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "mcp_lockstep", "serve", "--root", str(root), *options]


def report(text: str) -> JsonObject:
    return cast("JsonObject", json.loads(text))


@pytest.mark.parametrize("era", ERAS)
def test_it_checks_and_explains(era: str, project: Write) -> None:
    base = project(FILES)
    with stdio(serve(base / "weather"), base, era) as wire:
        tools = lists(wire)["tools"]
        assert [tool["name"] for tool in tools] == ["check", "explain"]
        assert "\n\n`folder` is the project" in str(tools[0]["description"])
        wrong, text, _ = called(wire, "check", {})
        (finding,) = cast("list[JsonObject]", report(text)["findings"])
        assert (wrong, finding["fact"], finding["line"]) == (False, "version", 3)
        wrong, text, _ = called(wire, "explain", {"code": str(finding["code"])})
        assert not wrong
        assert text.startswith(str(finding["code"]))


def test_what_it_refuses_is_an_answer(project: Write) -> None:
    base = project(FILES)
    with stdio(serve(base / "weather"), base, ERAS[0]) as wire:
        for tool, arguments, said in (
            ("check", {"folder": "../secret"}, "../secret is not below the root"),
            ("check", {"folder": "lost"}, "lost is no folder"),
            ("explain", {"code": "LS9999"}, "'LS9999' is no code"),
        ):
            wrong, text, _ = called(wire, tool, arguments)
            assert (wrong, text) == (True, f"Error executing tool {tool}: {said}")


def test_it_writes_only_where_it_may(project: Write) -> None:
    base = project(FILES)
    manifest = base / "weather/server.json"
    (base / "weather/pyproject.toml").write_text(
        '[tool.mcp-lockstep]\nname = "io.github.acme/weather"\n', encoding="utf-8"
    )
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace("acme/weather", "acme/old"), encoding="utf-8"
    )
    with stdio(serve(base, "--allow-write"), base, ERAS[0]) as wire:
        assert [tool["name"] for tool in lists(wire)["tools"]] == ["check", "explain", "sync"]
        wrong, text, _ = called(wire, "sync", {"folder": "weather"})
        assert not wrong, text
        assert str(manifest) in cast("list[str]", report(text)["written"])
    assert '"io.github.acme/weather"' in manifest.read_text(encoding="utf-8")

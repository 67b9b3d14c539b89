"""The server keeps its contract: what the list calls answer over the wire equals `contract.json`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

ROOT = Path(__file__).resolve().parents[1]
CONTRACT: dict[str, list[dict[str, Any]]] = json.loads(
    (ROOT / "contract.json").read_text(encoding="utf-8")
)
COMMAND = [sys.executable, "-m", "weather"]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT / "src"),
}
LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
HANDSHAKE, DISCOVER = "2025-11-25", "2026-07-28"


def promised(kind: str, era: str) -> list[str]:
    """What the contract lists, as canonical JSON, without what clients of that era could not take."""
    items = CONTRACT.get(kind, [])
    if kind == "tools":
        items = [tool for tool in items if tool["inputSchema"].get("type") == "object"]
    if kind == "tools" and era == HANDSHAKE:
        items = [
            {
                key: value
                for key, value in tool.items()
                if key != "outputSchema" or value.get("type") == "object"
            }
            for tool in items
        ]
    return [json.dumps(item, sort_keys=True) for item in items]


def listed(era: str) -> dict[str, list[str]]:
    """What a server answers to each list call, as canonical JSON."""
    with subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
        encoding="utf-8",
    ) as server:
        assert server.stdin is not None and server.stdout is not None

        def send(message: dict[str, Any]) -> None:
            assert server.stdin is not None
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()

        def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
            send({"id": method, "method": method, "params": params})
            assert server.stdout is not None
            answers: list[dict[str, Any]] = []
            while not answers or answers[-1].get("id") != method:
                answers.append(json.loads(server.stdout.readline()))
            result: dict[str, Any] = answers[-1]["result"]
            return result

        client = {"name": "test", "version": "0"}
        params: dict[str, Any] = {}
        if era == HANDSHAKE:
            ask(
                "initialize",
                {"protocolVersion": era, "capabilities": {}, "clientInfo": client},
            )
            send({"method": "notifications/initialized"})
        else:
            keys = {
                "protocolVersion": era,
                "clientCapabilities": {},
                "clientInfo": client,
            }
            params["_meta"] = {
                f"io.modelcontextprotocol/{key}": value for key, value in keys.items()
            }
        return {
            kind: [
                json.dumps(item, sort_keys=True) for item in ask(method, params)[kind]
            ]
            for method, kind in LISTS.items()
        }


@pytest.mark.parametrize("era", [HANDSHAKE, DISCOVER])
def test_the_lists_equal_the_contract(era: str) -> None:
    assert listed(era) == {kind: promised(kind, era) for kind in LISTS.values()}


def test_a_client_sees_every_tool() -> None:
    async def names() -> list[str]:
        server = StdioServerParameters(
            command=COMMAND[0], args=COMMAND[1:], env=ENVIRONMENT
        )
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(names) == [
        json.loads(tool)["name"] for tool in promised("tools", DISCOVER)
    ]

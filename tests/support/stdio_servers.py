"""Programs that speak the protocol over stdio by hand, each with one fault or none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

HEAD: Final = """\
import json, os, sys, time

def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
    sys.stdout.flush()

def serve(tools, capabilities=None, pages=1):
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        answer = respond(message, tools, capabilities, pages)
        send({"id": message["id"], **answer})

def respond(message, tools, capabilities, pages):
    method, params = message["method"], message["params"]
    if method == "initialize":
        assert params["clientInfo"]["name"] == "mcp-lockstep"
        info = {"name": "tides", "version": "1.0"}
        named = {"tools": {}} if capabilities is None else capabilities
        return {"result": {"protocolVersion": params["protocolVersion"], "capabilities": named, "serverInfo": info}}
    if method == "tools/list":
        page = int(params.get("cursor", 0))
        size = -(-len(tools) // pages)
        result = {"tools": tools[page * size:(page + 1) * size]}
        if page + 1 < pages:
            result["nextCursor"] = str(page + 1)
        return {"result": result}
    return {"error": {"code": -32601, "message": "no " + method}}

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("high", "low", "mean")]
"""


def program(folder: Path, body: str) -> list[str]:
    """The command that runs `body` after the helpers `serve`, `send` and `TOOLS`."""
    path = folder / "server.py"
    path.write_text(HEAD + body, encoding="utf-8")
    return [sys.executable, str(path)]

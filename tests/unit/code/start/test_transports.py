"""What a program speaks, read from its code: only what is sure counts as what it does when it is started."""

from __future__ import annotations

import pytest

from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.start.transports import Spoken, Transports, read_transports

HEAD = (
    "import argparse, asyncio, os, subprocess, uvicorn\n"
    "from mcp.server.mcpserver import MCPServer\nmcp = MCPServer('weather')\n"
)
HTTP, SSE, STDIO = "streamable-http", "sse", "stdio"


def served(code: str, head: str = HEAD, **more: str) -> Transports:
    files = {"__init__": head + code, **more}
    modules = [observe(f"src/weather/{name}.py", text.encode()) for name, text in files.items()]
    return read_transports(modules, ["weather:main"])


def at(kind: str, url: str | None = None) -> Transports:
    return Transports(frozenset({kind}), Spoken(kind, url))


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("mcp.run(transport='streamable-http')", at(HTTP, "http://127.0.0.1:8000/mcp")),
        ("mcp.run('http', port=9000, path='/api')", at(HTTP, "http://127.0.0.1:9000/api")),
        ("mcp.run('streamable-http', host='0.0.0.0', port=9000)", at(HTTP, "http://127.0.0.1:9000/mcp")),
        ("mcp.run('streamable-http', streamable_http_path='/x')", at(HTTP, "http://127.0.0.1:8000/x")),
        ("mcp.run(transport='sse', host='localhost')", at(SSE, "http://localhost:8000/sse")),
        ("mcp.run('http', host='::1')", at(HTTP, "http://[::1]:8000/mcp")),
        ("mcp.run('http', host='::')", at(HTTP, "http://127.0.0.1:8000/mcp")),
        ("mcp.run('streamable-http', port=find_port())", at(HTTP)),
        ("mcp.run('streamable-http', path=PATH)", at(HTTP)),
        ("mcp.run('streamable-http', **options)", at(HTTP)),
        (
            "mcp.run('streamable-http', port=int(os.environ.get('PORT', '81')))",
            at(HTTP, "http://127.0.0.1:81/mcp"),
        ),
        ("asyncio.run(mcp.run_http_async(port=9000))", at(HTTP, "http://127.0.0.1:9000/mcp")),
        ("asyncio.run(mcp.run_streamable_http_async())", at(HTTP, "http://127.0.0.1:8000/mcp")),
        ("uvicorn.run(mcp.streamable_http_app())", at(HTTP)),
        ("uvicorn.run(mcp.http_app(transport='sse'))", at(SSE)),
        ("mcp.run('stdio')", at(STDIO)),
        ("mcp.run('stdio'); subprocess.run('http')", at(STDIO)),
        ("asyncio.run(mcp.run_stdio_async())", at(STDIO)),
    ],
)
def test_one_transport(call: str, wanted: Transports) -> None:
    assert served(f"def main(): {call}\n") == wanted


def test_what_the_server_is_made_with_counts() -> None:
    head = "from mcp.server.fastmcp import FastMCP\nPORT = 9000\nmcp = FastMCP('weather', host='0.0.0.0', port=PORT)\n"
    assert served("def main(): mcp.run(transport='streamable-http')\n", head) == at(
        HTTP, "http://127.0.0.1:9000/mcp"
    )


def test_the_way_through_other_modules() -> None:
    forward = "from .app import start\ndef main(): start()\n"
    found = served(forward, "", app=f"{HEAD}def start(): mcp.run('streamable-http')\n")
    assert found == at(HTTP, "http://127.0.0.1:8000/mcp")


@pytest.mark.parametrize(
    ("default", "started"),
    [("stdio", Spoken(STDIO)), ("http", Spoken(HTTP, "http://127.0.0.1:8000/mcp")), ("both", None)],
)
def test_the_default_of_an_argument(default: str, started: Spoken | None) -> None:
    code = (
        "def main():\n    p = argparse.ArgumentParser()\n"
        f"    p.add_argument('--transport', default={default!r}, choices=['stdio', 'http', 'both'])\n"
        "    given = p.parse_args()\n    mcp.run(transport=given.transport)\n"
    )
    found = served(code)
    assert (found.started, found.is_open) == (started, True)


@pytest.mark.parametrize(
    ("code", "kinds", "is_open"),
    [
        ("def main(x=0):\n    if x: mcp.run('sse')\n    else: mcp.run('stdio')\n", {SSE, STDIO}, False),
        ("def main(): ...\ndef other(): mcp.run('streamable-http')\n", {HTTP}, False),
        ("def main(): app = mcp.streamable_http_app()\n", {HTTP}, False),
        ("def main(): mcp.run(**options)\n", set[str](), True),
        ("def main(): mcp.run(transport=choose())\n", set[str](), True),
        ("def main(): asyncio.run(work())\n", set[str](), False),
        ("def main(): runner.run('fast')\n", set[str](), False),
    ],
)
def test_what_is_started_is_not_known(code: str, kinds: set[str], is_open: bool) -> None:
    assert served(code) == Transports(frozenset(kinds), None, is_open)


def test_run_by_itself_is_stdio_and_may_be_told_otherwise() -> None:
    assert served("def main(): mcp.run()\n") == Transports(frozenset({STDIO}), Spoken(STDIO), is_open=True)


def test_a_module_that_does_not_parse_leaves_it_open() -> None:
    assert served("def main(): mcp.run('sse')\n", broken="import mcp\ndef (:\n").is_open

"""The transport of a package, as server.json names it and as the code serves it; adoption writes what is served."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.adopt.plan import Adoption, Given, adopt
from mcp_lockstep.adopt.repository import Checkout
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree
from weather import NAME, PACKAGE, inside, weather_tree

Json = dict[str, object]
HEAD = "from mcp.server.mcpserver import MCPServer\nmcp = MCPServer('weather')\n"
HTTP = f"{HEAD}def main(): mcp.run('streamable-http', port=9000)\n"
URL = "http://127.0.0.1:9000/mcp"


def tree(code: str, transport: Json | None = None) -> Tree:
    packages = [{**PACKAGE, "transport": transport}] if transport else []
    return weather_tree(inside({"__init__.py": code}), *packages)


def said(code: str, transport: Json) -> list[str]:
    found = judge_tree(Project(tree(code, transport))).findings
    return [f"{f.severity} {f.code.slug} {f.place} {f.have} {f.want}" for f in found]


def adopted(code: str, url: str = "") -> Adoption:
    return adopt(tree(code), Checkout(), Given(name=NAME, url=url))


def transport_of(adoption: Adoption) -> object:
    (made,) = [change for change in adoption.plan.changes if change.path == "server.json"]
    (package,) = json.loads(made.after or b"")["packages"]
    return package["transport"]


STDIO: Json = {"type": "stdio"}


def test_code_that_never_serves_what_server_json_says() -> None:
    place = "server.json#/packages/0/transport/type"
    assert said(HTTP, STDIO) == [f"error transport-not-served {place} stdio streamable-http"]
    (finding,) = judge_tree(Project(tree(HTTP, STDIO))).findings
    assert finding.hint == f'write "type": "streamable-http", "url": "{URL}"'
    assert finding.message == "clients are told stdio, and the program serves streamable-http only"
    stdio = f"{HEAD}def main(): mcp.run('stdio')\n"
    assert said(stdio, {"type": "sse", "url": URL}) == [f"error transport-not-served {place} sse stdio"]
    assert said(HTTP, {"type": "streamable-http", "url": URL}) == []
    assert said(stdio, STDIO) == []


@pytest.mark.parametrize(
    "main",
    [
        "def main(): mcp.run()\n",
        "def main(http=False): mcp.run('streamable-http') if http else mcp.run('stdio')\n",
        "def main(http=False):\n    if http: mcp.run('streamable-http')\n    else: mcp.run()\n",
        "def main(): mcp.run(transport=pick('http'))\n",
        "import sys\ndef main(): mcp.run(transport='http' if sys.argv[1:] else 'sse')\n",
        "from fastmcp.cli import run\ndef main(): run(mcp)\ndef web(): return mcp.streamable_http_app()\n",
        "def main(): ...\nif __name__ == '__main__': mcp.run('streamable-http')\n",
        "import os\ndef main(): mcp.run(transport=os.environ.get('TRANSPORT', 'http'))\n",
    ],
)
def test_code_that_serves_more_or_says_it_at_run_time_is_silent(main: str) -> None:
    assert [line for line in said(HEAD + main, STDIO) if "transport" in line] == []


@pytest.mark.parametrize(
    ("runner", "told"), [("uvx", True), ("uv", True), ("python", False), ("docker", False)]
)
def test_what_another_runner_starts_is_not_the_console_script(runner: str, told: bool) -> None:
    there = tree(HTTP, STDIO)
    raw = there.read("server.json") or b""
    hinted = raw.replace(b'"registryType"', f'"runtimeHint": "{runner}", "registryType"'.encode())
    found = judge_tree(Project(there.over({"server.json": hinted}))).findings
    assert ("transport-not-served" in [finding.code.slug for finding in found]) is told


def test_adoption_writes_the_transport_that_is_served() -> None:
    assert transport_of(adopted(HTTP)) == {"type": "streamable-http", "url": URL}
    assert adopted(HTTP).plan.findings == ()
    assert transport_of(adopted(f"{HEAD}def main(): mcp.run(transport='sse')\n")) == {
        "type": "sse",
        "url": "http://127.0.0.1:8000/sse",
    }
    assert transport_of(adopted(f"{HEAD}def main(): mcp.run()\n")) == STDIO
    assert transport_of(adopted(f"{HEAD}def main(x=0): mcp.run('http' if x else 'stdio')\n")) == STDIO


def test_an_address_that_is_not_known_is_asked_for_and_never_made_up() -> None:
    code = f"{HEAD}def main(): mcp.run('streamable-http', port=free_port())\n"
    refused = adopted(code)
    assert [finding.code.id for finding in refused.missing] == ["LS0119"]
    assert refused.plan.changes == ()
    assert transport_of(adopted(code, URL)) == {"type": "streamable-http", "url": URL}


def test_the_case_of_the_shared_collection(shared: Path) -> None:
    folder = Tree(Disk(str(shared / "cases/23-package-transport-http")))
    adoption = adopt(folder.over({"server.json": None}), Checkout(), Given(name="io.github.acme/widget-mcp"))
    assert transport_of(adoption) == {"type": "streamable-http", "url": "http://127.0.0.1:8000/mcp"}
    assert adoption.plan.findings == ()

"""Servers made of a server.json alone: each starts, over stdio and over HTTP, and checkers are content with it."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from http.client import HTTPResponse
from itertools import zip_longest
from pathlib import Path
from typing import cast
from urllib.error import URLError

import pytest

from kinds import KINDS, MORE
from mcp_lockstep.contract.sources import read_sources
from mcp_lockstep.emit.request import Request
from mcp_lockstep.pipeline.create import create
from mcp_lockstep.plan import apply
from mcp_lockstep.tree import Memory, Tree
from wire import environment

Answer = dict[str, dict[str, dict[str, str]]]
STARTED = ("oci-arguments", "npm-and-remotes", "http-with-variable")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one project for each kind."""
    base = tmp_path_factory.mktemp("kinds")
    for kind, data in {**KINDS, **MORE}.items():
        source = base / f"{kind}.json"
        source.write_text(json.dumps(data), encoding="utf-8")
        plan = create(Tree(Memory({})), read_sources([str(source)]), Request(kind))
        (base / kind).mkdir()
        apply(str(base / kind), plan)
    return base


@pytest.mark.parametrize("kind", STARTED)
def test_the_tests_of_the_project_pass(kind: str, projects: Path, mcp2_python: str) -> None:
    done = subprocess.run(
        [mcp2_python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=projects / kind,
        env=environment(projects / kind),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "3 passed" in done.stdout


def test_mypy_strict(projects: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    named: dict[str, list[Path]] = {}
    for package in sorted(projects.glob("*/src/*/")):
        named.setdefault(package.name, []).append(package)
    # mypy takes one package of a name at a time, and two kinds have the name that they kept.
    for turn in zip_longest(*named.values()):
        packages = [package for package in turn if package is not None]
        options = ("--strict", "--explicit-package-bases", "--cache-dir", str(tmp_path))
        done = subprocess.run(
            [sys.executable, "-m", "mypy", *options, *map(str, packages)],
            env={**os.environ, "MYPYPATH": os.pathsep.join(str(package.parent) for package in packages)},
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:]


def test_a_server_over_http_answers_where_its_server_json_says(projects: Path, mcp2_python: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [mcp2_python, "-m", "ports", "--port", str(port), "--transport", "streamable-http"]
    with subprocess.Popen(
        command, env=environment(projects / "http-with-port"), stderr=subprocess.DEVNULL
    ) as server:
        try:
            assert _initialize(f"http://127.0.0.1:{port}/api")["serverInfo"]["name"] == "ports"
        finally:
            server.kill()


def _initialize(url: str) -> dict[str, dict[str, str]]:
    """What the server answers to `initialize`; waits until it listens."""
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "0"},
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, body, headers)
    for _ in range(200):
        try:
            with cast("HTTPResponse", urllib.request.urlopen(request, timeout=10)) as answer:
                text = next(line for line in answer if b"{" in line).decode()
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.1)
        else:
            return cast("Answer", json.loads(text[text.index("{") :]))["result"]
    raise AssertionError("the server does not listen")

"""JSON-RPC as it stands on the wire: a client without an SDK, over stdio and streamable HTTP, in both eras."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, cast

from mcp_lockstep.documents.data import JsonObject

HANDSHAKE, DISCOVER = "2025-11-25", "2026-07-28"
ERAS = (HANDSHAKE, DISCOVER)
LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
_CLIENT = {"name": "wire", "version": "0"}
_PATIENCE = 60.0


class Wire(Protocol):
    """One connection."""

    def ask(self, method: str, params: Mapping[str, object] | None = None) -> JsonObject:
        """The whole answer to a request: an object with `result` or `error`."""
        ...


class Lines:
    """A connection over the standard streams of a process."""

    def __init__(self, process: subprocess.Popen[str], era: str) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._input, self._output, self._era, self._last = process.stdin, process.stdout, era, 0
        if era == HANDSHAKE:
            self.ask("initialize", _hello(era))
            self._send({"method": "notifications/initialized"})

    def ask(self, method: str, params: Mapping[str, object] | None = None) -> JsonObject:
        """See `Wire`."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": _params(params, self._era)})
        while line := self._output.readline():
            answer = cast("JsonObject", json.loads(line))
            if answer.get("id") == self._last:
                return answer
        raise EOFError(f"the server ended before it answered {method}")

    def ask_all(self, method: str, asked: Sequence[Mapping[str, object]]) -> list[JsonObject]:
        """The answers to many requests that are under way at once, in the order asked."""
        first = self._last + 1
        self._last += len(asked)
        for number, params in enumerate(asked, first):
            self._send({"id": number, "method": method, "params": _params(params, self._era)})
        answers: dict[object, JsonObject] = {}
        while len(answers) < len(asked):
            line = self._output.readline()
            if not line:
                raise EOFError(f"the server ended before it answered {method}")
            answer = cast("JsonObject", json.loads(line))
            answers[answer.get("id")] = answer
        return [answers[number] for number in range(first, self._last + 1)]

    def _send(self, message: Mapping[str, object]) -> None:
        self._input.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._input.flush()


class Posts:
    """A connection over streamable HTTP to this machine."""

    def __init__(self, port: int, era: str) -> None:
        self._port, self._era, self._last, self._session = port, era, 0, ""
        if era == HANDSHAKE:
            self.ask("initialize", _hello(era))
            self._post({"method": "notifications/initialized"}, {})

    def ask(self, method: str, params: Mapping[str, object] | None = None) -> JsonObject:
        """See `Wire`."""
        self._last += 1
        given = _params(params, self._era)
        headers = {} if self._era == HANDSHAKE else {"Mcp-Method": method}
        name = given.get("name", given.get("uri"))
        if self._era == DISCOVER and isinstance(name, str):
            headers["Mcp-Name"] = name
        return self._post({"id": self._last, "method": method, "params": given}, headers)

    def _post(self, message: Mapping[str, object], headers: Mapping[str, str]) -> JsonObject:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_PATIENCE)
        common = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "MCP-Protocol-Version": self._era,
        }
        session = {"Mcp-Session-Id": self._session} if self._session else {}
        connection.request(
            "POST", "/mcp", json.dumps({"jsonrpc": "2.0", **message}), {**common, **session, **headers}
        )
        response = connection.getresponse()
        self._session = response.getheader("Mcp-Session-Id") or self._session
        text = response.read().decode("utf-8")
        connection.close()
        return _answer(text)


def _answer(text: str) -> JsonObject:
    """The message in a body of JSON, or the last one of a stream of events; empty for no body."""
    data = [line[5:].strip() for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]
    body = data[-1] if data else text
    return cast("JsonObject", json.loads(body)) if body.strip() else {}


@contextmanager
def stdio(command: Sequence[str], project: Path, era: str) -> Generator[Lines]:
    """A server started over stdio, and a connection to it."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(project),
        encoding="utf-8",
    ) as process:
        try:
            yield Lines(process, era)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(_PATIENCE)


@contextmanager
def served(command: Sequence[str], project: Path) -> Generator[int]:
    """A server started over HTTP, and its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    process = subprocess.Popen(
        [*command, "--transport", "http", "--port", str(port)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(project),
    )
    try:
        _wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def environment(project: Path) -> dict[str, str]:
    """The environment of a server whose package lies in the folder `src` of its project."""
    return {**os.environ, "PYTHONPATH": str(project / "src"), "PYTHONDONTWRITEBYTECODE": "1"}


def lists(wire: Wire) -> dict[str, list[JsonObject]]:
    """The items of all four lists."""
    found: dict[str, list[JsonObject]] = {}
    for method, kind in LISTS.items():
        result = cast("JsonObject", wire.ask(method)["result"])
        found[kind] = cast("list[JsonObject]", result[kind])
    return found


def called(wire: Wire, tool: str, arguments: Mapping[str, object]) -> tuple[bool, str, object]:
    """Whether a call failed, the text of the answer, its structured content."""
    return read_result(wire.ask("tools/call", {"name": tool, "arguments": arguments}))


def read_result(answer: JsonObject) -> tuple[bool, str, object]:
    """Whether the call that was answered failed, the text of the answer, its structured content."""
    result = cast("JsonObject", answer["result"])
    content = cast("list[JsonObject]", result["content"])
    text = "\n".join(str(block.get("text", "")) for block in content)
    return result.get("isError") is True, text, result.get("structuredContent")


def _hello(era: str) -> JsonObject:
    return {"protocolVersion": era, "capabilities": {}, "clientInfo": _CLIENT}


def _params(params: Mapping[str, object] | None, era: str) -> JsonObject:
    if era == HANDSHAKE:
        return dict(params or {})
    keys: JsonObject = {"protocolVersion": era, "clientCapabilities": {}, "clientInfo": _CLIENT}
    meta = {f"io.modelcontextprotocol/{key}": value for key, value in keys.items()}
    return {**(params or {}), "_meta": meta}


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise EOFError(f"the server did not listen on port {port}")

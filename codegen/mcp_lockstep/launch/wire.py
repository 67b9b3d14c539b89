"""A server on the other end of a pipe: one process, JSON-RPC line by line, and an end to it in any case."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO

from mcp_lockstep.documents.data import JsonObject, as_object, text_of
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.launch import codes
from mcp_lockstep.secrecy import MASK

_LONGEST_LINE = 10_000_000
_KEPT_ERRORS = 12
_WAITING_LINES = 1000
_LONGEST_SHOWN = 500
"""Characters of a line of the error output that are shown."""

SHORTEST_SECRET = 4
"""Characters of a value that is looked for in what a server says; a shorter one is in every other word."""

_GLANCE = 0.5
"""Seconds between two looks at whether a silent server still runs."""

_PATIENCE = 2.0
"""Seconds that a server gets to end by itself, and again to heed a signal."""


class Session:
    """A running server. Every way in which it does not answer is a Refused with what it said last."""

    def __init__(
        self, process: subprocess.Popen[bytes], name: str, timeout: float, secrets: Sequence[str]
    ) -> None:
        self.noise = ""
        self._process = process
        self._name = name
        self._timeout = timeout
        self._secrets = secrets
        self._sent = 0
        self._lines: Queue[bytes] = Queue(_WAITING_LINES)
        self._errors: deque[str] = deque(maxlen=_KEPT_ERRORS)
        self._threads = [
            Thread(target=self._read_output, args=(process.stdout,), daemon=True),
            Thread(target=self._read_errors, args=(process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def request(self, method: str, params: JsonObject | None = None) -> JsonObject:
        """The result of a request. Refused where there is none in time, or an error in its place."""
        self._sent += 1
        number = self._sent
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        deadline = time.monotonic() + self._timeout
        while True:
            message = self._message(method, deadline)
            if message.get("id") == number and "method" not in message:
                return self._result(method, message)
            self._answer(message)

    def refusal(self, message: str) -> Refused:
        """What to raise where an answer is none that a client could use."""
        return self._refused(codes.SERVER_REFUSES, message)

    def notify(self, method: str) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method})

    def _result(self, method: str, message: JsonObject) -> JsonObject:
        result = as_object(message.get("result"))
        if result is None:
            error = text_of((as_object(message.get("error")) or {}).get("message")) or "no result"
            raise self._refused(codes.SERVER_REFUSES, f"answers {method} with an error: {error}")
        return result

    def _answer(self, message: JsonObject) -> None:
        """A server may ask us something meanwhile; we live, and can do nothing."""
        if "method" in message and "id" in message:
            ping = message["method"] == "ping"
            body: JsonObject = (
                {"result": {}} if ping else {"error": {"code": -32601, "message": "Method not found"}}
            )
            self._send({"jsonrpc": "2.0", "id": message["id"], **body})

    def _message(self, method: str, deadline: float) -> JsonObject:
        while True:
            line = self._next(deadline)
            if line is None:
                said = f"does not answer {method} within {self._timeout:g} seconds"
                raise self._refused(codes.SERVER_SILENT, said)
            if not line:
                raise self._ended(method)
            try:
                message = as_object(json.loads(line))
            except (ValueError, RecursionError):
                message = None
            if message is not None:
                return message
            if line.strip():
                self.noise = self.noise or self.masked(line.decode("utf-8", "replace").strip())

    def _next(self, deadline: float) -> bytes | None:
        """The next line of the output, empty at its end; None once it is late, be there others.

        A server may never stop to write something else. One that failed may leave a child that holds its output open.
        """
        while (left := deadline - time.monotonic()) > 0:
            with suppress(Empty):
                return self._lines.get(timeout=min(left, _GLANCE))
            if self._process.poll():
                return b""
        return None

    def _send(self, message: JsonObject) -> None:
        # What cannot be sent shows as the end of the output.
        with suppress(OSError, ValueError):
            stdin = self._process.stdin
            if stdin is not None:
                stdin.write(json.dumps(message).encode() + b"\n")
                stdin.flush()

    def _read_output(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while line := stream.readline(_LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(b"")

    def _read_errors(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while line := stream.readline(_LONGEST_LINE):
                self._errors.append(line.decode("utf-8", "replace").rstrip())

    def _ended(self, method: str) -> Refused:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self._threads[1].join(_PATIENCE)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with {code}"
        return self._refused(codes.SERVER_ENDED, f"{how} before it answered {method}")

    def _refused(self, code: Code, message: str) -> Refused:
        text = self.masked("\n".join(line for line in self._errors if line.strip()))
        said = "\n".join(line[:_LONGEST_SHOWN] for line in text.splitlines())
        last = f"it said: {said}" if said else "it said nothing on its error output"
        return Refused(Finding(code, Place(""), f"{self._name} {message}", hint=last))

    def masked(self, text: str) -> str:
        """`text` without the values that nobody is to see."""
        return masked(text, self._secrets)


def masked(text: str, secrets: Sequence[str]) -> str:
    """`text` with `***` for every one of `secrets` in any of the ways that programs write them, the longest first."""
    forms = {form for secret in secrets for form in _forms(secret)}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, MASK)
    return text


def _forms(secret: str) -> Iterator[str]:
    """A value as it is, line by line, and as JSON, Python and addresses write it."""
    from urllib.parse import quote, quote_plus

    yield from (secret, quote(secret, safe=""), quote(secret), quote_plus(secret))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1])
    yield from (line for line in map(str.strip, secret.splitlines()) if len(line) >= SHORTEST_SECRET)


@contextmanager
def running(
    argv: Sequence[str],
    environment: Mapping[str, str],
    *,
    name: str,
    timeout: float,
    secrets: Sequence[str],
    folder: str = ".",
) -> Generator[Session]:
    """Start a server in `folder` for as long as the block runs. Refused where it cannot be started."""
    try:
        process = subprocess.Popen(
            argv,
            env=environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        # A command with a zero byte in it is no command.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"{name} cannot be started: {argv[0]}: {reason}"
        raise Refused(Finding(codes.RUNNER_MISSING, Place(""), message)) from None
    try:
        yield Session(process, name, timeout, secrets)
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close its input, as clients do; then ask the whole group to end; then end it."""
    with suppress(OSError, ValueError):
        if process.stdin is not None:
            process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE)
    if sys.platform == "win32":
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False
            )
        process.kill()
    else:
        # The runner may be gone and what it started not: the group is ended in any case.
        _signal(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
        _signal(process, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        with suppress(OSError, ValueError):
            if stream is not None:
                stream.close()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)

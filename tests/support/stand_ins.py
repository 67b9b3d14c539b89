"""A package index, an identity provider and an MCP registry on this machine, and the programs that speak to them."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread

PUBLISHER = """\
import json, os, sys, urllib.request

def post(url, body, token=""):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

def get(url, token):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

HOME = os.path.join(os.environ["RUNNER_TEMP"], "login.json")
if sys.argv[1:3] == ["login", "github-oidc"]:
    assert sys.argv[3] == "--registry"
    runner = {name: os.environ[f"ACTIONS_ID_TOKEN_REQUEST_{name}"] for name in ("URL", "TOKEN")}
    identity = get(runner["URL"] + "?audience=mcp", runner["TOKEN"])
    login = post(sys.argv[4] + "/v0/auth/github-oidc", {"oidc_token": identity["value"]})
    json.dump({"url": sys.argv[4], "token": login["registry_token"]}, open(HOME, "w"))
elif sys.argv[1:] == ["publish"]:
    login = json.load(open(HOME))
    print(post(login["url"] + "/v0/publish", json.load(open("server.json")), login["token"]))
else:
    sys.exit(f"unknown: {sys.argv}")
"""
"""What `mcp-publisher` does, as far as the workflow asks for it."""


class StandIns(ThreadingHTTPServer):
    """Everything that a release speaks to.

    `log` are the requests, in order; the index shows what was uploaded when it was looked at `delay` times.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.log: list[str] = []
        self.files: dict[str, bytes] = {}
        self.published: list[dict[str, object]] = []
        self.delay = 1

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def description(self, name: str, version: str) -> str:
        """The description of an uploaded wheel, as an index shows it."""
        for file, raw in self.files.items():
            if re.match(rf"{re.escape(name.replace('-', '_'))}-{re.escape(version)}-.*\.whl", file):
                with zipfile.ZipFile(BytesIO(raw)) as wheel:
                    member = next(one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
                    return wheel.read(member).decode()
        return ""


class _Handler(BaseHTTPRequestHandler):
    server: StandIns  # pyright: ignore[reportIncompatibleVariableOverride] - the one that made us

    def do_GET(self) -> None:
        self.server.log.append(f"GET {self.path.partition('?')[0]}")
        if self.path.startswith("/oidc"):
            ours = self.headers["Authorization"] == "Bearer of-the-runner"
            return self._json({"value": "identity"} if ours else {}, 200 if ours else 401)
        if self.path.startswith("/files/"):
            return self._answer(
                self.server.files[self.path.removeprefix("/files/")], "application/octet-stream"
            )
        if self.path.startswith("/simple/") and self.server.files:
            if self.server.delay:
                self.server.delay -= 1
            else:
                links = "".join(f'<a href="/files/{name}">{name}</a>' for name in self.server.files)
                return self._answer(links.encode(), "text/html")
        return self._json({}, 404)

    def do_POST(self) -> None:
        self.server.log.append(f"POST {self.path}")
        body = (
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            if "Content-Length" in self.headers
            else self._chunks()
        )
        if self.path == "/upload":
            return self._upload(body)
        data = json.loads(body)
        if self.path == "/v0/auth/github-oidc":
            known = data == {"oidc_token": "identity"}
            return self._json({"registry_token": "of-the-registry"} if known else {}, 200 if known else 401)
        if self.path == "/v0/publish" and self.headers["Authorization"] == "Bearer of-the-registry":
            (package,) = data["packages"]
            description = self.server.description(package["identifier"], package["version"])
            if f"mcp-name: {data['name']}" not in description:
                return self._json({"error": "the package does not name the server"}, 400)
            self.server.published.append(data)
            return self._json({"published": data["name"]}, 200)
        return self._json({}, 404)

    def _upload(self, body: bytes) -> None:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        for part in BytesParser().parsebytes(head + body).walk():
            name = part.get_filename()
            content = part.get_payload(decode=True)
            if name and isinstance(content, bytes):
                self.server.files[name] = content
        self._answer(b"OK", "text/plain")

    def _chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _json(self, data: object, status: int) -> None:
        self._answer(json.dumps(data).encode(), "application/json", status)

    def _answer(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing on standard error."""


@contextmanager
def stand_ins() -> Generator[StandIns]:
    """The servers, for as long as the block runs."""
    server = StandIns()
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def program(folder: Path, name: str, source: str) -> Path:
    """A program called `name` in `folder`, written in Python."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{source}", encoding="utf-8")
    path.chmod(0o755)
    return path

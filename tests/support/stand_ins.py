"""A package index, an identity provider and an MCP registry on this machine, and the programs that speak to them."""

from __future__ import annotations

import base64
import json
import re
import socket
import ssl
import sys
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import cast

PUBLISHER = """\
import json, os, sys, urllib.error, urllib.request

def post(url, body, token=""):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        sys.exit(f"Error: {refused.code}: {refused.read().decode()}")

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

    `log` are the requests, in order; the index shows what was uploaded when it was looked at `delay` times. What
    stands in `refused` (`/v0/publish`) is answered with that status. `certificate` is for those who speak TLS.
    """

    def __init__(self, certificate: Path | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if certificate is not None:
            self._tls.load_cert_chain(certificate)
        self.refused: dict[str, int] = {}
        self.log: list[str] = []
        self.files: dict[str, bytes] = {}
        self.published: list[dict[str, object]] = []
        self.delay = 1

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def secure_url(self) -> str:
        """The same server, for the uploader: it asks for an identity over TLS alone."""
        return f"https://127.0.0.1:{self.server_port}"

    def finish_request(self, request: object, client_address: object) -> None:
        """Speak TLS with those who begin with a handshake, and plainly with everybody else."""
        assert isinstance(request, socket.socket)
        if request.recv(1, socket.MSG_PEEK) == b"\x16":
            with self._tls.wrap_socket(request, server_side=True) as secured:
                super().finish_request(secured, client_address)
        else:
            super().finish_request(request, client_address)

    def description(self, name: str, version: str) -> str:
        """The description of an uploaded wheel, as an index shows it."""
        for file, raw in self.files.items():
            if re.match(rf"{re.sub('[-_.]+', '_', name).lower()}-{re.escape(version)}-.*\.whl", file):
                with zipfile.ZipFile(BytesIO(raw)) as wheel:
                    member = next(one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
                    return wheel.read(member).decode()
        return ""


class _Handler(BaseHTTPRequestHandler):
    server: StandIns  # pyright: ignore[reportIncompatibleVariableOverride] - the one that made us

    def do_GET(self) -> None:
        self.server.log.append(f"GET {self.path.partition('?')[0]}")
        if self.path == "/_/oidc/audience":
            return self._json({"audience": "index"}, 200)
        if self.path.startswith("/oidc"):
            ours = self.headers["Authorization"] == "Bearer of-the-runner"
            audience = self.path.rpartition("audience=")[2]
            return self._json({"value": f"identity.for.{audience}"} if ours else {}, 200 if ours else 401)
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
        if status := self.server.refused.get(self.path):
            return self._json({"error": "refused"}, status)
        if self.path == "/upload/":
            minted = base64.b64encode(b"__token__:of-the-index").decode()
            ours = self.headers["Authorization"] == f"Basic {minted}"
            return self._upload(body) if ours else self._json({}, 403)
        return self._said(json.loads(body))

    def _said(self, data: dict[str, object]) -> None:
        """Answer what is said in JSON, to the index or to the registry."""
        if self.path == "/_/oidc/mint-token":
            known = data == {"token": "identity.for.index"}
            return self._json(
                {"success": known, "token": "of-the-index"} if known else {}, 200 if known else 422
            )
        if self.path == "/_/oidc/burn-token":
            return self._json({}, 200)
        if self.path == "/v0/auth/github-oidc":
            known = data == {"oidc_token": "identity.for.mcp"}
            return self._json({"registry_token": "of-the-registry"} if known else {}, 200 if known else 401)
        if self.path == "/v0/publish" and self.headers["Authorization"] == "Bearer of-the-registry":
            return self._publish(data)
        return self._json({}, 404)

    def _publish(self, data: dict[str, object]) -> None:
        for package in cast("list[dict[str, str]]", data["packages"]):
            if package["registryType"] == "pypi":
                description = self.server.description(package["identifier"], package["version"])
                if f"mcp-name: {data['name']}" not in description:
                    return self._json({"error": "the package does not name the server"}, 400)
        if data["version"] in (one["version"] for one in self.server.published):
            return self._json({"error": "this version is published"}, 400)
        self.server.published.append(data)
        return self._json({"published": data["name"]}, 200)

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
def stand_ins(certificate: Path | None = None) -> Generator[StandIns]:
    """The servers, for as long as the block runs."""
    server = StandIns(certificate)
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

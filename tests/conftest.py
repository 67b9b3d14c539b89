"""What every suite shares: where things are, a cache of its own, no network."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from tally import TALLY

settings.register_profile("search", deadline=None)
settings.register_profile("repeat", deadline=None, derandomize=True)
settings.load_profile("repeat" if os.environ.get("CI") else "search")

ROOT = Path(__file__).resolve().parents[1]
OTHER_CACHES = {"PIP_CACHE_DIR": "pip", "PYRIGHT_PYTHON_CACHE_DIR": "pyright-python"}
"""Caches of tools that tests start; they stay where they are, under the names that those tools read."""

LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference material next to the checkout; tests that need it are skipped where it is absent."""
    found = ROOT.parent / "shared"
    if not (found / "DESIGN.md").is_file():
        pytest.skip("the reference material is not next to this checkout")
    return found


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """A function that writes `{path: content}` below an empty folder and returns the folder."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        base = tmp_path / "project"
        base.mkdir(exist_ok=True)
        for name, content in files.items():
            path = base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return base

    return write


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test, and no process that a test starts, reads or writes the cache of whoever runs it."""
    theirs = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    with pytest.MonkeyPatch.context() as patch:
        for variable, folder in OTHER_CACHES.items():
            if variable not in os.environ:
                patch.setenv(variable, str(theirs / folder))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        for name in [name for name in os.environ if name.startswith("MCP_LOCKSTEP_BUILD")]:
            patch.delenv(name)
        yield


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that belongs to one test; an empty folder."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """In the test process a socket reaches this machine only."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: tuple[object, ...] | str | bytes) -> None:
        if isinstance(address, tuple):
            host = str(address[0])
            if not host.startswith(LOOPBACK):
                raise AssertionError(f"a test tried to reach {host}; tests reach this machine only")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker hands over what it counted."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["tally"] = dict(TALLY)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take what a worker counted."""
    TALLY.update(getattr(node, "workeroutput", {}).get("tally", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the counts."""
    for what, count in sorted(TALLY.items()):
        terminalreporter.write_line(f"{count:>9,} {what}")

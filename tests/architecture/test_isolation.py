"""Tests reach this machine only, and leave the caches of whoever runs them alone."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from mcp_lockstep.memo import cache_folder


def test_a_connection_to_elsewhere_is_stopped() -> None:
    with socket.socket() as outside, pytest.raises(AssertionError, match=r"192\.0\.2\.1"):
        outside.connect(("192.0.2.1", 80))


def test_a_connection_to_this_machine_is_made() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
        accepted, _ = server.accept()
        accepted.close()


def test_the_cache_is_a_temporary_one() -> None:
    assert Path(cache_folder()).is_relative_to(Path(os.environ["XDG_CACHE_HOME"]))
    assert Path(cache_folder()).is_relative_to(Path(tempfile.gettempdir()).resolve())

"""Interpreters with what generated code needs: this one if it has that, else one environment for all runs."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mcp_lockstep.bundled.targets import target


@pytest.fixture(scope="session")
def mcp2_python() -> str:
    """A Python that has what the target mcp2 requires."""
    if importlib.util.find_spec("mcp.server.mcpserver") is not None:
        return sys.executable
    return python_with(*target("mcp2").requirements, "pytest")


@pytest.fixture(scope="session")
def old_pydantic_python() -> str:
    """A Python that has the oldest pydantic that models are made for."""
    return python_with("pydantic==2.12.*")


def python_with(*requirements: str) -> str:
    """The interpreter of an environment with `requirements`, one for all runs; skips where it cannot be had."""
    digest = hashlib.sha256(repr((sys.version_info[:2], requirements)).encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"mcp-lockstep-live-{digest}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = folder / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        done = subprocess.run([str(python), "-m", "pip", "install", "--quiet", *requirements], check=False)
        if done.returncode:
            pytest.skip(f"{', '.join(requirements)} cannot be installed here")
        ready.touch()
    return str(python)

"""The interpreter that runs generated servers: this one if it has the SDK, else one environment for all runs."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mcp_lockstep.targets import target


@pytest.fixture(scope="session")
def mcp2_python() -> str:
    """A Python that has what the target mcp2 requires."""
    if importlib.util.find_spec("mcp.server.mcpserver") is not None:
        return sys.executable
    requirements = target("mcp2").requirements
    digest = hashlib.sha256(repr((sys.version_info[:2], requirements)).encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"mcp-lockstep-live-{digest}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = folder / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        done = subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", *requirements, "pytest"], check=False
        )
        if done.returncode:
            pytest.skip("the SDK of the target mcp2 cannot be installed here")
        ready.touch()
    return str(python)

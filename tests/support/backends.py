"""A small server, and what three build backends make of it; built once, then copied."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

BACKENDS: Mapping[str, str] = {
    "hatchling": '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n',
    "setuptools": '[build-system]\nrequires = ["setuptools>=77"]\nbuild-backend = "setuptools.build_meta"\n',
    "flit_core": '[build-system]\nrequires = ["flit_core>=3.11"]\nbuild-backend = "flit_core.buildapi"\n',
}
"""Module of the backend -> how a project names it."""

PROJECT = """
[project]
name = "acme-weather"
version = "1.2.0"
description = "Forecasts."
readme = "README.md"
requires-python = ">=3.11"

[project.scripts]
acme-weather = "acme_weather:main"
"""

MANIFEST: dict[str, object] = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.github.acme/weather",
    "description": "Forecasts for a city.",
    "version": "1.2.0",
    "packages": [
        {
            "registryType": "pypi",
            "identifier": "acme-weather",
            "version": "1.2.0",
            "transport": {"type": "stdio"},
        }
    ],
}

README = "# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n\nForecasts.\n"
WHEEL = "acme_weather-1.2.0-py3-none-any.whl"
SDIST = "acme_weather-1.2.0.tar.gz"


def available(backend: str) -> bool:
    """Whether the backend is installed here."""
    return find_spec(backend) is not None


def write_project(base: Path, backend: str) -> Path:
    """The server as a project that `backend` builds."""
    package = base / "src/acme_weather"
    package.mkdir(parents=True)
    text = '"""Forecasts."""\n\n\ndef main() -> None:\n    """Serve."""\n'
    (package / "__init__.py").write_text(text, encoding="utf-8")
    (base / "pyproject.toml").write_text(BACKENDS[backend] + PROJECT, encoding="utf-8")
    (base / "README.md").write_text(README, encoding="utf-8")
    (base / "server.json").write_text(json.dumps(MANIFEST, indent=2) + "\n", encoding="utf-8")
    return base


def build(base: Path) -> None:
    """Build the sdist, and the wheel from it, into `dist`."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(base / "dist"), str(base)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def copy(base: Path, to: Path) -> Path:
    """A copy of a built project, to plant faults in."""
    shutil.copytree(base, to)
    return to

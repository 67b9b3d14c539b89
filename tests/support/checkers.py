"""Type checkers, linters and formatters, run on what was generated."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest


def tool(name: str, *arguments: str, cwd: Path, **variables: str) -> str:
    """What a checker says; fails with it where the checker is not content."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        cwd=cwd,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout

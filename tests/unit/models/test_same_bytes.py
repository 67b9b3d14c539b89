"""The same module and examples for any order of keys, hash seed and working directory."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from mcp_lockstep.bundled import catalog
from mcp_lockstep.schema.values import Json
from shuffling import shuffled

LABELS = ("mcp@2026-07-28", "server@2025-12-11", "mcpb@0.4", "rmcp-client@current", "registry-list@current")


def made(folder: Path, seed: int, label: str, *more: str) -> dict[str, bytes]:
    """What the command writes, by path."""
    folder.mkdir(parents=True)
    schema = cast("Json", catalog.documented(*label.split("@")))
    (folder / "s.json").write_text(json.dumps(shuffled(schema, random.Random(seed))), encoding="utf-8")
    command = [sys.executable, "-m", "mcp_lockstep", "models", "s.json", "-o", "m.py", *more]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    written = [path for path in folder.rglob("*") if path.is_file() and path.name != "s.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in written}


@pytest.mark.parametrize("label", LABELS)
def test_modules(tmp_path: Path, label: str) -> None:
    assert made(tmp_path / "a", 1, label) == made(tmp_path / "b c/deep", 2, label)


def test_examples(tmp_path: Path) -> None:
    first = made(tmp_path / "a", 1, "server@2025-12-11", "--instances", "examples")
    assert len(first) > 10
    assert first == made(tmp_path / "b c/deep", 2, "server@2025-12-11", "--instances", "examples")

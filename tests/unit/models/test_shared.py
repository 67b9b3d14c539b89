"""Modules of several revisions: what is equal is made once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcp_lockstep.generated.modules import relative_import

CONFIG = """
[[models]]
schema = "mcp@2025-11-25"
output = "src/x/older.py"
[[models]]
schema = "mcp@2026-07-28"
output = "src/x/newer.py"
shares = "src/x/older.py"
"""
USE = """
from x import newer, older
assert newer.PromptReference is older.PromptReference and newer.CallToolResult is not older.CallToolResult
assert newer.MessageError is older.MessageError and issubclass(newer.CallToolResult, older.Struct)
assert {*newer.__all__} <= {*vars(newer)}
prompt = {"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "prompts": [
    {"name": "a", "arguments": [{"name": "b", "more": 1}]}], "ttlMs": 1, "cacheScope": "public"}}
made = newer.parse_server_message(prompt, {1: "prompts/list"})
assert type(made.result) is newer.ListPromptsResult
assert type(made.result.prompts[0].arguments[0]) is older.PromptArgument
assert made.model_dump(by_alias=True, exclude_unset=True) == prompt
"""


def run(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        (sys.executable, *words), cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_equal_definitions_are_imported(tmp_path: Path) -> None:
    (tmp_path / "mcp-lockstep.toml").write_text(CONFIG, encoding="utf-8")
    code, said = run(tmp_path, "-m", "mcp_lockstep", "sync")
    assert code == 0, said
    assert run(tmp_path, "-m", "mcp_lockstep", "sync", "--dry-run")[0] == 0
    assert run(tmp_path, "-m", "mcp_lockstep", "check") == (0, "in step: . (2 modules of models)\n")
    newer = (tmp_path / "src/x/newer.py").read_text(encoding="utf-8")
    assert "\nfrom .older import (\n" in newer
    assert "class PromptReference(" not in newer
    assert run(tmp_path / "src", "-c", USE) == (0, "")
    (tmp_path / "src/x/older.py").unlink()
    assert run(tmp_path, "-m", "mcp_lockstep", "check")[0] == 1


@pytest.mark.parametrize("shares", ["src/x/nobody.py", "src/x/newer.py", "elsewhere/older.py"])
def test_a_module_that_cannot_be_imported_from(tmp_path: Path, shares: str) -> None:
    text = CONFIG.replace('shares = "src/x/older.py"', f'shares = "{shares}"')
    text = text.replace('output = "src/x/older.py"', 'output = "elsewhere/older.py"')
    (tmp_path / "mcp-lockstep.toml").write_text(text, encoding="utf-8")
    code, said = run(tmp_path, "-m", "mcp_lockstep", "check")
    assert (code, "mcp-lockstep.toml:8:" in said, "cannot import" in said) == (2, True, True), said


@pytest.mark.parametrize(
    ("path", "target", "expected"),
    [
        ("src/x/b.py", "src/x/a.py", ".a"),
        ("src/x/v2/b.py", "src/x/v1/a.py", "..v1.a"),
        ("src/x/b.py", "src/x/v1/a.py", ".v1.a"),
        ("b.py", "a.py", ".a"),
        ("src/x/b.py", "lib/a.py", ""),
        ("src/x/b.py", "src/x/a-b.py", ""),
        ("src/x/b.py", "src/x/a.txt", ""),
    ],
)
def test_how_a_module_names_another(path: str, target: str, expected: str) -> None:
    assert relative_import(path, target) == expected

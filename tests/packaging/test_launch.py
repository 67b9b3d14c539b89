"""`launch --run` on a wheel of the example: installed, started, and held against the contract."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main

pytestmark = [
    pytest.mark.xdist_group("packaging"),
    pytest.mark.skipif(importlib.util.find_spec("build") is None, reason="`build` is not installed here"),
]


@pytest.fixture(scope="module")
def weather(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example with its wheel in `dist`."""
    base = tmp_path_factory.mktemp("launch") / "weather"
    shutil.copytree(root / "examples/weather", base, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(base)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return base


def launched(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(("launch", *words))
    out = capsys.readouterr().out
    if "LS2703" in out:
        pytest.skip("what the example requires cannot be installed here")
    return code, out


def test_a_wheel_answers_with_what_the_contract_says(
    weather: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (wheel,) = (weather / "dist").glob("*.whl")
    code, out = launched(capsys, str(wheel), "--run")
    assert (code, out.splitlines()) == (
        0,
        [
            "clients run: uvx weather@0.1.0",
            f"  installed from {os.path.relpath(wheel)}",
            "  answers as weather 0.1.0 (2025-11-25): 5 tools, 1 resource, 1 resource template, 1 prompt",
        ],
    )
    assert list(tmp_path.iterdir()) == []


def test_an_old_wheel_differs_from_the_contract_of_its_project(
    weather: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = tmp_path / "weather"
    shutil.copytree(weather, base)
    contract = base / "contract.json"
    text = contract.read_text(encoding="utf-8").replace('"name": "set-alert"', '"name": "set-alarm"')
    contract.write_text(text, encoding="utf-8")
    code, out = launched(capsys, str(base), "--run")
    assert code == 1
    assert "error LS2708 served-differs: tool 'set-alarm': the server does not list it" in out
    assert "error LS2708 served-differs: tool 'set-alert': the contract does not have it" in out

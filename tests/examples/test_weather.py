"""The committed example is in step, passes both type checkers, its own test and the demo."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("example")


def run(*command: str, cwd: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """One Python program (`-m ...` or a file) in the environment of the tests, its output as text."""
    environment = {**os.environ, "PYTHONPATH": path, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    program = (sys.executable, *command)
    return subprocess.run(
        program, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=300
    )


@pytest.fixture(scope="module")
def example(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, so that no cache is written into the checkout."""
    copy = tmp_path_factory.mktemp("example") / "weather"
    shutil.copytree(root / "examples/weather", copy)
    return copy


def test_it_is_in_step(example: Path) -> None:
    done = run("-m", "mcp_lockstep", "check", cwd=example)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("in step: io.github.acme/weather 0.1.0")
    assert done.stdout.count("\n") == 1


def test_sync_has_nothing_to_do(example: Path) -> None:
    before = {path: path.read_bytes() for path in example.rglob("*") if path.is_file()}
    done = run("-m", "mcp_lockstep", "sync", cwd=example)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path: path.read_bytes() for path in example.rglob("*") if path.is_file()} == before


def test_mypy_finds_nothing(example: Path) -> None:
    done = run("-m", "mypy", "--strict", "src", cwd=example)
    assert done.returncode == 0, done.stdout


def test_pyright_finds_nothing(example: Path) -> None:
    done = run("-m", "pyright", "--pythonpath", sys.executable, "src", cwd=example)
    assert done.returncode == 0, done.stdout


def test_its_own_test_passes(example: Path) -> None:
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=example, path=str(example / "src"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_test_that_the_page_on_ci_shows_passes(root: Path, example: Path, tmp_path: Path) -> None:
    page = (root / "docs/ci.md").read_text(encoding="utf-8")
    (command, test) = re.findall(r"```console\npytest (.*?)\n```\n\n.*?```python\n(.*?)```", page, re.DOTALL)[
        0
    ]
    (tmp_path / "test_contract_over_stdio.py").write_text(test, encoding="utf-8")
    words = ("-m", "pytest", *command.split(), "-q", "-p", "no:cacheprovider", "-c", "pyproject.toml")
    done = run(*words, str(tmp_path), cwd=example)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_the_demo_goes_as_it_says(root: Path, tmp_path: Path) -> None:
    done = run(str(root / "examples/demo.py"), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the same as contract.json: True" in done.stdout

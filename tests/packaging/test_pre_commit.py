"""Our pre-commit hooks in a repository of somebody else, run for real, twice."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from backends import MANIFEST, write_project

pytestmark = [
    pytest.mark.xdist_group("packaging"),
    pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed here"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed here"),
]

LEFT_OUT = (
    ".git",
    ".venv",
    "dist",
    ".hypothesis",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
)
CONFIG = """\
repos:
  - repo: {repo}
    rev: v0
    hooks:
      - id: mcp-lockstep-validate
      - id: mcp-lockstep-check
      - id: mcp-lockstep-sync
        additional_dependencies: []
"""
"""Without `[gen]`: a project without a contract needs none of it, and forty packages less are installed."""


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    command = ["git", *identity, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def hooks(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout as a repository with one commit and the tag v0."""
    clone = tmp_path_factory.mktemp("hooks") / "mcp-lockstep"
    shutil.copytree(root, clone, ignore=shutil.ignore_patterns(*LEFT_OUT))
    git(clone, "init", "-q")
    git(clone, "add", "-A", "-f")
    git(clone, "commit", "-qm", "all")
    git(clone, "tag", "v0")
    return clone


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps its environments: made by the first run, used by the second."""
    return tmp_path_factory.mktemp("pre-commit")


def run(repository: Path, home: Path, *words: str) -> tuple[int, str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home), "PRE_COMMIT_COLOR": "never"}
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", *words]
    done = subprocess.run(
        command,
        cwd=repository,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    said = done.stdout + done.stderr
    if done.returncode == 3 and "pip" in said:
        pytest.skip("pre-commit cannot install packages here")
    return done.returncode, said


def test_the_hooks_find_mend_and_pass(hooks: Path, home: Path, tmp_path: Path) -> None:
    repository = write_project(tmp_path / "weather", "hatchling")
    (repository / ".pre-commit-config.yaml").write_text(CONFIG.format(repo=hooks.as_uri()), encoding="utf-8")
    manifest = repository / "server.json"
    stale = {**MANIFEST, "version": "1.1.0"}
    manifest.write_text(json.dumps(stale, indent=2) + "\n", encoding="utf-8")
    git(repository, "init", "-q")
    git(repository, "add", "-A")

    code, said = run(repository, home)
    assert code == 1, said
    assert "server.json:5:14: error LS1021 version-drift" in said
    assert "files were modified by this hook" in said
    assert json.loads(manifest.read_text(encoding="utf-8")) == MANIFEST

    git(repository, "add", "-A")
    code, said = run(repository, home)
    assert code == 0, said
    results = [line.rpartition(".")[2] for line in said.splitlines() if line.startswith("mcp-lockstep")]
    assert results == ["Passed", "Passed", "Passed"]


def test_validate_gets_the_server_json_files_alone(hooks: Path, home: Path, tmp_path: Path) -> None:
    repository = tmp_path / "many"
    (repository / "a").mkdir(parents=True)
    (repository / ".pre-commit-config.yaml").write_text(CONFIG.format(repo=hooks.as_uri()), encoding="utf-8")
    (repository / "a/server.json").write_text(json.dumps({**MANIFEST, "name": "weather"}), encoding="utf-8")
    (repository / "package.json").write_text("{}", encoding="utf-8")
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    code, said = run(repository, home, "mcp-lockstep-validate")
    assert code == 1, said
    assert "a/server.json:1:" in said
    assert "package.json" not in said

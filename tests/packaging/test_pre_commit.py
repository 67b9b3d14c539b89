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
from repositories import git

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


@pytest.fixture
def weather(hooks: Path, tmp_path: Path) -> Path:
    """A configured project in step, with our hooks, of which everything is staged and nothing committed."""
    repository = write_project(tmp_path / "weather", "hatchling")
    with (repository / "pyproject.toml").open("a", encoding="utf-8") as out:
        out.write('\n[tool.mcp-lockstep]\nplaces = [{ fact = "version", place = "VERSION" }]\n')
    (repository / "VERSION").write_text("1.2.0\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "mcp_lockstep", "sync"], cwd=repository, capture_output=True, check=True
    )
    (repository / ".pre-commit-config.yaml").write_text(CONFIG.format(repo=hooks.as_uri()), encoding="utf-8")
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    return repository


def bump(repository: Path, *files: str) -> None:
    """Write version 1.3.0 into `files`, in the place of 1.2.0."""
    for name in files:
        text = (repository / name).read_text(encoding="utf-8").replace("1.2.0", "1.3.0")
        (repository / name).write_text(text, encoding="utf-8")


def results(said: str) -> dict[str, str]:
    """What became of each of our hooks."""
    lines = [line for line in said.splitlines() if line.startswith("mcp-lockstep ")]
    return {line.partition(".")[0].split()[1]: line.rpartition(".")[2].rpartition(")")[2] for line in lines}


def staged(repository: Path, home: Path, *words: str) -> tuple[int, str]:
    """What a commit of what is staged would run."""
    return run(repository, home, *words, of=())


def run(repository: Path, home: Path, *words: str, of: tuple[str, ...] = ("--all-files",)) -> tuple[int, str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home), "PRE_COMMIT_COLOR": "never"}
    command = [sys.executable, "-m", "pre_commit", "run", *of, *words]
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


def test_a_commit_that_only_takes_a_file_away_is_checked(weather: Path, home: Path) -> None:
    git(weather, "commit", "-qm", "one")
    git(weather, "rm", "-q", "README.md")
    code, said = staged(weather, home)
    assert code == 1, said
    assert results(said) == {"validate": "Skipped", "check": "Failed", "sync": "Failed"}
    assert "LS1015 readme-marker-missing" in said


def test_a_commit_of_a_file_of_no_known_kind_is_checked(weather: Path, home: Path) -> None:
    git(weather, "commit", "-qm", "one")
    bump(weather, "VERSION")
    git(weather, "add", "VERSION")
    code, said = staged(weather, home)
    assert code == 1, said
    assert "VERSION:1:1: error LS1023 version-changed-here" in said
    assert (weather / "VERSION").read_text(encoding="utf-8") == "1.2.0\n"


def test_half_of_a_change_is_judged_without_the_other_half(weather: Path, home: Path) -> None:
    git(weather, "commit", "-qm", "one")
    bump(weather, "pyproject.toml", "VERSION", "server.json", "mcp-lockstep.lock")
    checked = [sys.executable, "-m", "mcp_lockstep", "check"]
    for _ in range(2):
        assert subprocess.run(checked, cwd=weather, capture_output=True, check=False).returncode == 0
    git(weather, "add", "pyproject.toml", "VERSION", "mcp-lockstep.lock")
    code, said = staged(weather, home)
    assert (code, results(said)["check"]) == (1, "Failed"), said
    assert "server.json:5:14: error LS102" in said
    assert json.loads((weather / "server.json").read_text(encoding="utf-8"))["version"] == "1.3.0"
    git(weather, "add", "-A")
    code, said = staged(weather, home)
    assert results(said) == {"validate": "Passed", "check": "Passed", "sync": "Passed"}, said


def test_a_new_file_of_sync_stops_the_commit_once(weather: Path, home: Path) -> None:
    git(weather, "rm", "-qf", "mcp-lockstep.lock")
    code, said = staged(weather, home)
    assert code == 1, said
    assert results(said) == {"validate": "Passed", "check": "Passed", "sync": "Failed"}
    assert "wrote mcp-lockstep.lock" in said
    git(weather, "add", "-A")
    code, said = staged(weather, home)
    assert code == 0, said


def test_servers_in_folders_of_a_monorepo(hooks: Path, home: Path, tmp_path: Path) -> None:
    repository = tmp_path / "monorepo"
    for name in ("one", "two"):
        write_project(repository / "servers" / name, "hatchling")
    config = CONFIG.format(repo=hooks.as_uri()).replace("-check\n", "-check\n        args: [-r, servers]\n")
    (repository / ".pre-commit-config.yaml").write_text(
        config + "        args: [servers/two]\n", encoding="utf-8"
    )
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    code, said = staged(repository, home)
    assert code == 0, said
    git(repository, "commit", "-qm", "one")
    manifest = repository / "servers/two/server.json"
    manifest.write_text(json.dumps({**MANIFEST, "version": "1.1.0"}, indent=2) + "\n", encoding="utf-8")
    git(repository, "add", "-A")
    code, said = staged(repository, home, "--verbose")
    assert code == 1, said
    assert "servers/two/server.json:5:14: error LS1021 version-drift" in said
    assert "valid: 1 file" in said
    assert json.loads(manifest.read_text(encoding="utf-8")) == MANIFEST

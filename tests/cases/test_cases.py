"""Projects with what is said of them and what becomes of them, through the API and through the command line.

`NAME/input/` is the project, `NAME/args` one command per line (default: `check`, `sync`). The rest is written by
`pytest tests/cases --update` and reviewed: `output.txt` what the commands print and their exit codes,
`findings.json` what the API finds in the input, `expected/` the files that the commands changed.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from mcp_lockstep.cli.output import as_json
from mcp_lockstep.findings import Refused, parse_place
from mcp_lockstep.judge import Accept, judge_tree, wanted
from mcp_lockstep.pipeline.sync import Order, prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/input"))
Files = dict[str, bytes]

SESSION = """
import shlex, sys
from mcp_lockstep.__main__ import main
for line in sys.argv[1:]:
    print("$ mcp-lockstep", line)
    print("exit", main(shlex.split(line)), end="\\n\\n" if line is not sys.argv[-1] else "\\n")
"""
"""One process for all commands of a case: to start Python for each would cost most of the time of the suite."""


@pytest.fixture(params=CASES, ids=[case.name for case in CASES])
def case(request: pytest.FixtureRequest) -> Path:
    assert isinstance(request.param, Path)
    return request.param


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    # The option is unknown where the whole suite is started from above.
    return bool(request.config.getoption("--update", default=False))


def test_through_the_command_line(case: Path, update: bool, tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(case / "input", folder)
    transcript = _run(folder, _commands(case))
    changed = _changed(_files(case / "input"), _files(folder))
    assert not [path.name for path in folder.rglob(".*mcp-lockstep*")]
    if update:
        _rewrite(case, transcript, changed)
    assert transcript == (case / "output.txt").read_text(encoding="utf-8")
    assert changed == _expected(case)


def test_through_the_api(case: Path, update: bool) -> None:
    files = _files(case / "input")
    found = json.dumps(_found(files), indent=1, ensure_ascii=False) + "\n"
    if update:
        (case / "findings.json").write_text(found, encoding="utf-8", newline="")
    assert found == (case / "findings.json").read_text(encoding="utf-8")
    if not _one_project(files):
        return
    after = files
    for line in _commands(case):
        words = shlex.split(line)
        if words[0] == "sync" and "--dry-run" not in words:
            after = _synced(after, _order(words))
    assert _changed(files, after) == _expected(case)


def _run(folder: Path, lines: list[str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SESSION, *lines],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "100"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.replace("\r\n", "\n")


def _commands(case: Path) -> list[str]:
    args = case / "args"
    return args.read_text(encoding="utf-8").splitlines() if args.exists() else ["check", "sync"]


def _found(files: Files) -> list[dict[str, object]]:
    project = Project(Tree(Memory(files)))
    found = [as_json(finding) for finding in wanted(judge_tree(project).findings, project.config)]
    return [
        {
            key: value
            for key, value in one.items()
            if key not in ("hint", "message") and value not in ("", None)
        }
        for one in found
    ]


def _one_project(files: Files) -> bool:
    return not Project(Tree(Memory(files))).config.servers


def _synced(files: Files, order: Order) -> Files:
    try:
        plan = prepare(Tree(Memory(files)), order).plan
    except Refused:
        return files
    after: dict[str, bytes | None] = {**files, **{change.path: change.after for change in plan.changes}}
    return {path: raw for path, raw in after.items() if raw is not None}


def _order(words: list[str]) -> Order:
    options = dict(pairwise(words))
    place, equals, value = options.get("--accept", "").partition("=")
    accept = Accept(parse_place(place), value if equals else None) if place else None
    return Order(accept, only=options.get("--only", ""))


def _files(folder: Path) -> Files:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _changed(before: Files, after: Files) -> Files:
    return {path: raw for path, raw in after.items() if before.get(path) != raw}


def _expected(case: Path) -> Files:
    return _files(case / "expected") if (case / "expected").is_dir() else {}


def _rewrite(case: Path, transcript: str, changed: Files) -> None:
    (case / "output.txt").write_text(transcript, encoding="utf-8", newline="")
    shutil.rmtree(case / "expected", ignore_errors=True)
    for path, raw in changed.items():
        file = case / "expected" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)

"""Small projects after real ones: what `check` finds in each, what `adopt` makes of it, what is left then.

`NAME/project/` is the project (`git-config` stands for `.git/config`), `found.txt` every finding of a check, notes
too, `left.txt` those after the adoption (absent: none), `missing.txt` the codes that keep it from being adopted.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mcp_lockstep.cli import run
from mcp_lockstep.cli.work import check_project, find_projects
from mcp_lockstep.lock import LOCK

PROJECTS = sorted(
    path.parent for path in (Path(__file__).resolve().parents[2] / "fixtures/projects").glob("*/project")
)
MADE = {"server.json", LOCK, "mcp-lockstep.toml"}


@pytest.fixture(params=PROJECTS, ids=[path.name for path in PROJECTS])
def case(request: pytest.FixtureRequest) -> Path:
    assert isinstance(request.param, Path)
    return request.param


@pytest.fixture
def folder(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Path:
    root = tmp_path / "project"
    shutil.copytree(case / "project", root)
    (root / ".git").mkdir()
    if (config := root / "git-config").exists():
        config.rename(root / ".git/config")
    monkeypatch.chdir(root)
    return root


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def found() -> list[str]:
    """One line per finding of a check in the working folder: severity, code, slug, place."""
    findings = [
        f for root in find_projects(["."], recursive=False).roots for f in check_project(root).findings
    ]
    return [f"{f.severity} {f.code.id} {f.code.slug} {f.place}:{f.position.line}" for f in findings]


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(words)
    return code, capsys.readouterr().out


def test_what_check_finds(case: Path, folder: Path) -> None:
    assert found() == lines(case / "found.txt")


def test_a_sound_project_gets_one_line(case: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if lines(case / "found.txt"):
        pytest.skip("there is something to say about it")
    code, out = printed(capsys, "check")
    assert code == 0
    if case.name != "monorepo":
        assert out.startswith("in step: ")
    assert out.count("\n") == 1


def test_adopted_without_questions(case: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, missing = files(folder), lines(case / "missing.txt")
    code, out = printed(capsys, "adopt", "--yes")
    assert "ghs_" not in out
    if missing:
        assert (code, files(folder)) == (1, before)
        assert all(word in out for word in missing)
        return
    left = lines(case / "left.txt")
    assert code == (1 if any(line.startswith("error") for line in left) else 0)
    assert found() == left
    if not left:
        code, out = printed(capsys, "check")
        assert (code, out.count("\n")) == (0, len(find_projects(["."], recursive=False).roots))
    after = files(folder)
    for path, raw in before.items():
        assert path in after
        assert not path.endswith((".py", ".yml", ".yaml", ".cfg", "Dockerfile")) or after[path] == raw
        assert _is_within(raw, after[path])
    assert all(b"ghs_" not in raw for path, raw in after.items() if path != ".git/config")
    assert {Path(path).name for path in set(after) - set(before)} <= MADE


def test_a_second_adoption_changes_nothing(
    case: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "init", "--yes")
    before = files(folder)
    _, out = printed(capsys, "init", "--yes")
    assert files(folder) == before
    assert "nothing to write" in out or lines(case / "missing.txt")


def test_nothing_is_written_unasked(case: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(folder)
    code, out = printed(capsys, "adopt", "--hook", ".")
    assert files(folder) == before
    assert code == (0 if "adopted already" in out else 1)
    if "nothing was written; " in out:
        # What was asked for otherwise is in the command that is offered, too.
        assert out.endswith("nothing was written; `mcp-lockstep adopt --hook . --yes` writes it\n")


def _is_within(old: bytes, new: bytes) -> bool:
    """Whether `new` is `old` with texts put in between."""
    left = iter(new)
    return all(byte in left for byte in old)

"""A verdict is found again by contents: of what is built, of what was read for it, and of mcp-lockstep itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crashes import put_tree
from mcp_lockstep import __version__, memo
from mcp_lockstep.hooks import recall
from mcp_lockstep.hooks.built import Built, Verdict
from mcp_lockstep.hooks.recall import keep, recalled

BUILT = Built("sdist", "1.2.0", "# Wéather\n")
VERDICT = Verdict((), False, '{"title": "Été\n"}\r\n'.encode(), ("contract.json", "docs/été.md"))
READ = {"server.json": b"{}", "absent.toml": None}


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with what was read in it."""
    return project(tmp_path / "one", monkeypatch)


def project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder.mkdir()
    (folder / "server.json").write_bytes(b"{}")
    monkeypatch.chdir(folder)
    return folder


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let mcp-lockstep lie in `folder`, where its installer recorded `lines`."""
    record = folder / f"mcp_lockstep-{__version__}.dist-info/RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    monkeypatch.setattr(recall, "_SITE", str(folder))


def test_a_verdict_comes_back_as_it_was(here: Path) -> None:
    assert recalled(str(here), BUILT) is None
    keep(str(here), BUILT, VERDICT, READ)
    assert recalled(str(here), BUILT) == VERDICT
    assert recalled(str(here), BUILT._replace(kind="wheel")) is None


@pytest.mark.parametrize(
    "other",
    [
        BUILT._replace(kind="editable"),
        BUILT._replace(version="1.2.1"),
        BUILT._replace(description="# Weather\n"),
        BUILT._replace(description=None),
    ],
)
def test_another_build_is_another_question(here: Path, other: Built) -> None:
    keep(str(here), BUILT, VERDICT, READ)
    assert recalled(str(here), other) is None


def test_the_same_files_in_another_folder_have_the_same_verdict(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An sdist is unpacked into a folder of another name each time."""
    keep(str(here), BUILT, VERDICT, READ)
    other = project(tmp_path / "two", monkeypatch)
    assert recalled(str(other), BUILT) == VERDICT
    (other / "absent.toml").write_bytes(b"")
    assert recalled(str(other), BUILT) is None


def test_another_copy_of_the_same_release_finds_it(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An isolated build installs us anew; the script beside us names the environment, and is none of our code."""
    lines = ("mcp_lockstep/judge.py,sha256=a,1", "mcp_lockstep/lock.py,sha256=b,1")
    install(tmp_path / "env-1", monkeypatch, *lines, "../../../bin/mcp-lockstep,sha256=c,1")
    keep(str(here), BUILT, VERDICT, READ)
    install(tmp_path / "env-2", monkeypatch, *reversed(lines), "../../../bin/mcp-lockstep,sha256=d,1")
    assert recalled(str(here), BUILT) == VERDICT
    install(tmp_path / "env-3", monkeypatch, lines[0], "mcp_lockstep/lock.py,sha256=e,1")
    assert recalled(str(here), BUILT) is None


def test_a_copy_that_nobody_installed_is_known_by_its_place_and_its_files(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "checkout/mcp_lockstep"
    put_tree(package, {"memo.py": b"", "rules/name.py": b"one = 1\n", "rules/name.txt": b""})
    keep(str(here), BUILT, VERDICT, READ)
    monkeypatch.setattr(memo, "__file__", str(package / "memo.py"))
    assert recalled(str(here), BUILT) is None
    keep(str(here), BUILT, VERDICT, READ)
    assert recalled(str(here), BUILT) == VERDICT
    (package / "rules/name.txt").write_bytes(b"changed")
    assert recalled(str(here), BUILT) == VERDICT
    os.utime(package / "rules/name.py", ns=(1, 1))
    assert recalled(str(here), BUILT) is None


@pytest.mark.parametrize("cut", [1, 41, 300, 1000])
def test_a_memo_that_is_cut_off_is_no_memo(here: Path, cache: Path, cut: int) -> None:
    verdict = VERDICT._replace(manifest=b"x" * 1000)
    keep(str(here), BUILT, verdict, READ)
    (file,) = (cache / "mcp-lockstep").iterdir()
    file.write_bytes(file.read_bytes()[:-cut])
    assert recalled(str(here), BUILT) is None
    keep(str(here), BUILT, verdict, READ)
    assert recalled(str(here), BUILT) == verdict


def test_what_lies_elsewhere_is_neither_kept_nor_found(here: Path, cache: Path, tmp_path: Path) -> None:
    keep(str(tmp_path), BUILT, VERDICT, READ)
    assert not (cache / "mcp-lockstep").exists()
    keep(str(here), BUILT, VERDICT._replace(manifest=None), READ)
    assert not (cache / "mcp-lockstep").exists()
    keep(str(here), BUILT, VERDICT, READ)
    assert recalled(str(tmp_path), BUILT) is None

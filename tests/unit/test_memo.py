"""The unchanged case: the same answer again, and never a stale one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from crashes import put_tree
from mcp_lockstep import memo
from mcp_lockstep.__main__ import main
from mcp_lockstep.cli import check as check_command
from mcp_lockstep.cli.work import check_project
from projects import NAME, sound

VERSION = "0.1.0"
IN_STEP = f"in step: {NAME} 1.2.0"


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound project, which is the working folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    put_tree(
        folder,
        {**sound(lock=True), "src/weather/tools/__init__.py": b"", "src/weather/tools/a.py": b"tool = 1\n"},
    )
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every project that was really judged."""
    seen: list[str] = []

    def counted(root: str, *rest: object) -> object:
        seen.append(root)
        return check_project(root, *rest)  # type: ignore[arg-type]  # the arguments are handed on as they came

    monkeypatch.setattr(check_command, "check_project", counted)
    return seen


def check(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["check", *words])
    return code, capsys.readouterr().out


def test_an_unchanged_check_is_not_worked_out_again(
    here: Path, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    first = check(capsys)
    assert first[0] == 0
    assert first[1].startswith(IN_STEP)
    assert check(capsys) == check(capsys) == first
    assert worked == ["."]


def test_a_python_that_is_built_without_the_hash_takes_another(
    here: Path, worked: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = memo.key_of("question")
    monkeypatch.setitem(sys.modules, "_blake2", None)
    assert len(memo.key_of("question")) == len(usual) == 32
    assert memo.key_of("question") != usual
    first = check(capsys)
    assert check(capsys) == first
    assert worked == ["."]
    edit(here / "server.json", "1.2.0", "1.3.0")
    assert check(capsys)[0] == 1


CHANGES: dict[str, Callable[[Path], object]] = {
    "changed manifest": lambda at: edit(at / "server.json", "1.2.0", "1.3.0"),
    "changed code": lambda at: edit(at / "src/weather/app.py", "1.2.0", "1.3.0"),
    "changed own place": lambda at: edit(at / "VERSION", "1.2.0", "1.3.0"),
    "changed readme": lambda at: edit(at / "README.md", "acme/weather", "acme/tides"),
    "changed configuration": lambda at: edit(at / "pyproject.toml", "schema =", "shema ="),
    "added module": lambda at: (at / "src/weather/_version.py").write_text(
        "__version__ = '9'\n", encoding="utf-8"
    ),
    "added module below": lambda at: (at / "src/weather/tools/b.py").write_text("tool = (", encoding="utf-8"),
    "added package": lambda at: put_file(at / "extra/__init__.py", "__version__ = '9'\n"),
    "added second configuration": lambda at: put_file(at / "mcp-lockstep.toml", "sdk = 'mcp1'\n"),
    "removed manifest": lambda at: (at / "server.json").unlink(),
    "removed own place": lambda at: (at / "VERSION").unlink(),
    "removed readme": lambda at: (at / "README.md").unlink(),
}


def edit(path: Path, old: str, new: str) -> None:
    raw = path.read_bytes()
    assert old.encode() in raw
    path.write_bytes(raw.replace(old.encode(), new.encode()))


def put_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_every_change_is_seen(
    here: Path, change: Callable[[Path], object], worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(capsys)[0] == 0
    change(here)
    code, output = check(capsys)
    assert code != 0 or not output.startswith(f"{IN_STEP} (20 places)")
    assert worked == [".", "."]


def test_a_marker_above_the_project_is_seen(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another finding than the one that is left out, about a text that no tree of the project holds."""
    edit(here / "README.md", f"mcp-name: {NAME}", "")
    (here.parent / ".git").mkdir()
    words = ("--ignore", "readme-marker-missing")
    assert check(capsys, *words)[0] == 0
    put_file(here.parent / "README.md", f"mcp-name: {NAME}\n")
    code, output = check(capsys, *words)
    assert (code, "LS1010 readme-marker-elsewhere" in output) == (1, True)
    (here.parent / "README.md").unlink()
    assert check(capsys, *words)[0] == 0


def test_taking_a_change_back_brings_the_old_answer(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = check(capsys)
    edit(here / "VERSION", "1.2.0", "1.3.0")
    assert check(capsys)[0] == 1
    edit(here / "VERSION", "1.3.0", "1.2.0")
    assert check(capsys) == first


@pytest.mark.parametrize(("schema", "times"), [("schema.json", 1), ("git:HEAD:schema.json", 2)])
def test_where_a_revision_of_git_points_to_is_in_no_file(
    schema: str, times: int, here: Path, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with (here / "pyproject.toml").open("a", encoding="utf-8") as handle:
        handle.write(f'[[tool.mcp-lockstep.models]]\nschema = "{schema}"\noutput = "src/weather/models.py"\n')
    for _ in range(2):
        assert check(capsys, "--ignore", "LS0", "--ignore", "LS4", "--ignore", "LS5")[0] == 0
    assert len(worked) == times


def test_findings_are_never_remembered(
    here: Path, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    edit(here / "VERSION", "1.2.0", "1.3.0")
    assert check(capsys) == check(capsys)
    assert worked == [".", "."]


@pytest.mark.parametrize(
    "words", [("-v",), ("--strict",), ("--only", "name"), ("--ignore", "LS1021"), (".",)]
)
def test_other_arguments_are_another_question(
    here: Path, words: tuple[str, ...], worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    check(capsys)
    check(capsys, *words)
    check(capsys, *words)
    assert worked == [".", "."]


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_another_terminal_is_another_question(
    here: Path, variable: str, value: str, worked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    main(["check"])
    monkeypatch.setenv(variable, value)
    main(["check"])
    assert worked == [".", "."]


def test_another_folder_is_another_question(
    here: Path, worked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(capsys)
    monkeypatch.chdir(here / "src/weather/tools")
    assert check(capsys)[1].startswith(".:1:1: error LS0017 nothing-to-check: ")
    assert worked == [".", "."]


def test_another_version_of_the_tool_is_another_question(here: Path) -> None:
    memo.remember(memo.command_key("1", ["check"]), {}, "old\n")
    assert memo.replay(memo.command_key("1", ["check"])) == "old\n"
    assert memo.replay(memo.command_key("2", ["check"])) is None


def test_a_folder_that_is_gone_has_no_memo(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    key = memo.command_key("1", ["check"])
    memo.remember(key, {}, "old\n")
    assert (key, memo.replay(key)) == ("", None)
    assert not (cache / "mcp-lockstep").exists()


def test_options_that_do_more_than_ask_are_not_remembered(
    here: Path, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (("--fix",), ("--format", "json")):
        check(capsys, *words)
        check(capsys, *words)
    assert len(worked) == 4


def test_a_new_server_is_seen_by_a_search(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_tree(tmp_path / "all", {f"servers/a/{name}": raw for name, raw in sound().items()})
    monkeypatch.chdir(tmp_path / "all")
    assert check(capsys, "-r")[0] == 0
    (tmp_path / "all/servers/b").mkdir()
    (tmp_path / "all/servers/b/server.json").write_bytes(b"{")
    assert check(capsys, "-r")[0] == 2


def test_a_new_server_of_a_monorepo_is_seen(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {f"a/{name}": raw for name, raw in sound().items()}
    put_tree(
        tmp_path / "all", {**files, "mcp-lockstep.toml": b"[[servers]]\npath = 'a'\n", "b/server.json": b"{"}
    )
    monkeypatch.chdir(tmp_path / "all")
    assert check(capsys)[0] == 0
    put_file(tmp_path / "all/mcp-lockstep.toml", "[[servers]]\npath = 'a'\n[[servers]]\npath = 'b'\n")
    assert check(capsys)[0] == 2


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    first = check(capsys)
    assert first[0] == 0
    assert check(capsys) == first


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"x" * 100, b"\n\n", b"0\n/nowhere\n\nin step: lies\n"])
def test_a_broken_memo_is_no_memo(
    here: Path, cache: Path, raw: bytes, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    first = check(capsys)
    (file,) = (cache / "mcp-lockstep").iterdir()
    file.write_bytes(raw)
    assert check(capsys) == first
    assert worked == [".", "."]


def test_what_changed_while_the_check_ran_is_not_remembered_as_clean(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def late(*rest: object) -> None:
        edit(here / "VERSION", "1.2.0", "1.3.0")
        put_file(here / "src/weather/late.py", "tool = (")
        memo.remember(*rest)  # type: ignore[arg-type]  # the arguments are handed on as they came

    monkeypatch.setattr(check_command, "remember", late)
    assert check(capsys)[0] == 0
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert check(capsys)[0] == 1


@pytest.mark.parametrize("name", ["new\nline", "été"])
def test_paths_of_any_spelling(
    tmp_path: Path,
    cache: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    put_tree(tmp_path / name, sound())
    monkeypatch.chdir(tmp_path / name)
    assert check(capsys)[0] == check(capsys)[0] == 0
    edit(tmp_path / name / "VERSION", "1.2.0", "1.3.0")
    assert check(capsys)[0] == 1


def test_a_working_folder_that_is_gone(tmp_path: Path, cache: Path) -> None:
    """Neither a memo nor a traceback."""
    gone = tmp_path / "gone"
    gone.mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); from mcp_lockstep.__main__ import main; sys.exit(main(['check']))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=gone, capture_output=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr
    assert "internal" not in done.stderr


def test_output_that_the_terminal_cannot_show(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "été"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-m", "mcp_lockstep", "check", "été"],
            cwd=tmp_path,
            capture_output=True,
            encoding="ascii",
            env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(r"nothing to keep in step in \xe9t\xe9")


@pytest.mark.parametrize("value", ["c", "./c", "~/c", ""])
def test_a_cache_that_is_no_whole_path_is_none(
    here: Path,
    value: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It would lie in the project, and go into its sdist."""
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("HOME", "nowhere")
    before = sorted(here.rglob("*"))
    assert check(capsys)[0] == check(capsys)[0] == 0
    assert sorted(here.rglob("*")) == before
    assert memo.cache_folder() == ""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert memo.cache_folder() == str(tmp_path / ".cache/mcp-lockstep")


def test_a_link_that_leads_out_is_a_change(
    here: Path, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(capsys)[0] == 0
    code = here / "src/weather/tools/a.py"
    code.rename(tmp_path / "a.py")
    code.symlink_to(tmp_path / "a.py")
    assert check(capsys)[0] == 2


def test_a_link_within_the_project_is_none(
    here: Path, cache: Path, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = here / "src/weather/tools/a.py"
    code.rename(here / "src/weather/tools/b.py")
    code.symlink_to("b.py")
    assert check(capsys) == check(capsys)
    assert worked == ["."]


@pytest.mark.parametrize("target", ["server.json", "other.json"])
def test_a_link_that_leads_to_itself_is_a_change(
    target: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(capsys)[0] == 0
    (here / "server.json").unlink()
    (here / "server.json").symlink_to(target)
    (here / "other.json").symlink_to("server.json")
    assert check(capsys)[0] == 2


def test_a_pipe_is_waited_for_by_nobody(here: Path, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys)[0] == 0
    os.mkfifo(here / "setup.cfg")
    assert check(capsys)[0] == 2
    (file,) = (cache / "mcp-lockstep").iterdir()
    file.unlink()
    os.mkfifo(file)
    assert check(capsys)[0] == 2


def test_a_pipe_in_the_place_of_an_empty_file_is_a_change(
    here: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(capsys)[0] == 0
    empty = here / "src/weather/tools/__init__.py"
    empty.unlink()
    os.mkfifo(empty)
    assert check(capsys)[0] == 2


def test_nothing_is_left_of_a_memo_that_cannot_be_written(
    here: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(capsys)[0] == 0
    (file,) = (cache / "mcp-lockstep").iterdir()
    file.unlink()
    file.mkdir()
    assert check(capsys)[0] == 0
    assert list((cache / "mcp-lockstep").iterdir()) == [file]

"""What stands where standard output goes: a full disk, a pipe that nobody reads, a terminal of another encoding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crashes import put_tree
from mcp_lockstep import cli
from mcp_lockstep.__main__ import main
from projects import sound

TEXT = "Grüße → “日本” 😀"
CONTRACT = {"tools": [{"name": "é😀", "description": TEXT, "inputSchema": {"type": "object"}}]}


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a sound project whose texts are not ASCII."""
    files = {
        path: raw.replace(b"Tells the weather.", TEXT.encode()) for path, raw in sound(lock=True).items()
    }
    put_tree(tmp_path / "it", files)
    monkeypatch.chdir(tmp_path / "it")
    return tmp_path / "it"


def started(*words: str, out: int | None = None, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own, with its standard output in `out` or caught."""
    return subprocess.run(
        [sys.executable, "-m", "mcp_lockstep", *words],
        stdout=subprocess.PIPE if out is None else out,
        stderr=subprocess.PIPE,
        env={**os.environ, **variables},
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    "words",
    [
        ("export", "client"),
        ("export", "mcpb"),
        ("export", "registry-list"),
        ("render",),
        ("compare", "old.json", "new.json", "--format", "json"),
        ("schemas", "show", "./schema.json"),
        ("check", "--format", "json", "missing-é"),
        ("validate", "--format", "sarif", "server.json", "missing-é"),
    ],
    ids=" ".join,
)
def test_what_programs_read_is_utf_8_on_every_terminal(
    words: tuple[str, ...], encoding: str, here: Path
) -> None:
    old, new = here / "old.json", here / "new.json"
    old.write_text(json.dumps(CONTRACT, ensure_ascii=False), encoding="utf-8")
    schema = json.dumps({"type": "object", "title": TEXT}, ensure_ascii=False)
    (here / "schema.json").write_text(schema, encoding="utf-8")
    new.write_text(json.dumps({"tools": []}), encoding="utf-8")
    done = started(*words, PYTHONIOENCODING=encoding)
    shown = json.dumps(json.loads(done.stdout.decode("utf-8")), ensure_ascii=False)
    assert b"Traceback" not in done.stderr
    assert "\\u" not in shown and "\\x" not in shown


def test_a_comment_for_a_pull_request_has_its_arrow_on_every_terminal(here: Path) -> None:
    (here / "old.json").write_text(json.dumps(CONTRACT, ensure_ascii=False), encoding="utf-8")
    done = started("compare", "old.json", "old.json", "--format", "markdown", PYTHONIOENCODING="ascii")
    assert done.stdout.decode("utf-8").endswith("→ <code>old&#46;json</code>**: no difference\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full is wanted")
@pytest.mark.parametrize("words", [("--help",), ("--version",), ("check",), ("status",)], ids=" ".join)
def test_a_full_disk_is_said_in_one_line(words: tuple[str, ...], here: Path) -> None:
    for _ in range(2):  # the second `check` is answered by its memo
        with open("/dev/full", "wb") as full:
            done = started(*words, out=full.fileno())
        assert done.returncode == 2
        assert done.stderr == b"mcp-lockstep: No space left on device: the output\n"
        started(*words)


@pytest.mark.skipif(sys.platform == "win32", reason="closes a stream as a POSIX shell does")
@pytest.mark.parametrize("words", [("--help",), ("check",), ("status",)], ids=" ".join)
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_pipe_that_nobody_reads_any_more(words: tuple[str, ...], buffered: str, here: Path) -> None:
    started(*words)
    reader, writer = os.pipe()
    os.close(reader)
    done = started(*words, out=writer, PYTHONUNBUFFERED=buffered)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("columns", ["abc", "0", "-5", "9" * 30, "²", ""])
def test_a_width_that_is_none(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["check", "--help"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert (
        first == "usage: mcp-lockstep check [-h] [-r] [--fix] [--strict] [-v] [--only FACT] [--ignore CODE]"
    )


def test_a_user_who_gives_up_while_the_modules_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_argv: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "run", interrupted)
    assert main(["status"]) == 130

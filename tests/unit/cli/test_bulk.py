"""`validate` of thousands of files: what somebody who looks on sees, and how much memory it takes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from mcp_lockstep.cli.output import WRITERS
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.validate import NOTHING_TO_VALIDATE
from packages import package, server

if sys.platform == "win32":
    pytest.skip("terminals and what processes used are asked for as POSIX has it", allow_module_level=True)

FEW, MANY = 620, 6_200
"""Both are more than one process judges alone."""

SAID = 2
"""Warnings about each file, of 3,000 characters each: findings that were kept would take most of the memory."""

SLUG = "env-name-not-portable"

COMMAND = [sys.executable, "-m", "mcp_lockstep", "validate", "."]
COLOUR = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with `FEW` files, and one with `MANY`."""
    base = tmp_path_factory.mktemp("bulk")
    variables = [{"name": f"{letter}-" + "x" * 1500} for letter in "ab"]
    raw = json.dumps(server(package(environmentVariables=variables))).encode()
    for name, number in (("few", FEW), ("many", MANY)):
        for index in range(number):
            path = base / name / f"{index // 100}" / f"{index}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
    return base / "few", base / "many"


def environment(**more: str) -> dict[str, str]:
    """That of the tests, with a terminal of known abilities."""
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE")}
    return {**plain, "TERM": "xterm-256color", "COLUMNS": "100", **more}


def watched(folder: Path, both: bool = False, **more: str) -> tuple[str, str]:
    """What a terminal shows that standard error leads to, or `both`; and what comes out of the pipe beside it."""
    import pty

    ours, theirs = pty.openpty()
    output = theirs if both else subprocess.PIPE
    process = subprocess.Popen(
        COMMAND, cwd=folder, env=environment(**more), stdin=theirs, stdout=output, stderr=theirs
    )
    os.close(theirs)
    piped: list[bytes] = []
    # What is said of all files does not fit into a pipe, so that one has to be emptied, too.
    reader = Thread(target=lambda: piped.append(process.stdout.read() if process.stdout else b""))
    reader.start()
    shown = _drained(ours)
    assert process.wait() == 0
    reader.join()
    if process.stdout:
        process.stdout.close()
    return shown.decode(), b"".join(piped).decode()


def _drained(terminal: int) -> bytes:
    found: list[bytes] = []
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:
            # Linux tells so that nobody holds the other end any more.
            part = b""
        if not part:
            os.close(terminal)
            return b"".join(found)
        found.append(part)


def test_a_bar_is_shown_on_a_terminal_and_gone_in_the_end(folders: tuple[Path, Path]) -> None:
    shown, piped = watched(folders[1])
    text = COLOUR.sub("", shown)
    assert COLOUR.search(shown)
    assert re.search(r"validating ━+", text)
    shares = [int(share) for share in re.findall(r"(\d+)%", text)]
    assert shares == sorted(shares)
    assert len(set(shares)) > 2
    assert shares[-1] == 100
    # The last thing is to clear the line.
    assert text.rpartition("validating")[2].rstrip().endswith("\x1b[2K")
    assert SLUG not in shown
    assert piped.endswith(f"{MANY * SAID:,} warnings in {MANY:,} of {MANY:,} files\n")
    assert "validating" not in piped
    assert "\x1b" not in piped


def test_findings_stand_above_the_bar_where_both_go_to_one_terminal(folders: tuple[Path, Path]) -> None:
    shown, _ = watched(folders[0], both=True)
    lines = COLOUR.sub("", shown).replace("\r", "").split("\n")
    assert sum(f" LS2164 {SLUG}: " in line for line in lines) == FEW * SAID
    assert lines[-2].endswith(f"\x1b[2K{FEW * SAID:,} warnings in {FEW:,} of {FEW:,} files")


def test_no_colour_is_no_colour(folders: tuple[Path, Path]) -> None:
    shown, _ = watched(folders[0], NO_COLOR="1")
    assert "validating" in shown
    assert [code for code in COLOUR.findall(shown) if re.search(r"[\[;](?:3[0-8]|4[0-8]|9\d)\b", code)] == []
    shown, _ = watched(folders[0], both=True, NO_COLOR="1")
    assert f"warning LS2164 {SLUG}: " in shown


def test_a_terminal_that_cannot_move_back_gets_no_bar(folders: tuple[Path, Path]) -> None:
    shown, _ = watched(folders[0], TERM="dumb")
    assert "\x1b" not in shown


def test_a_pipe_gets_no_bar(folders: tuple[Path, Path]) -> None:
    done = subprocess.run(
        COMMAND, cwd=folders[0], env=environment(), capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "validating" not in done.stdout


def test_few_files_get_no_bar(tmp_path: Path) -> None:
    (tmp_path / "server.json").write_text(json.dumps(server(package())), encoding="utf-8")
    assert watched(tmp_path) == ("", "valid: 1 file\n")


MEASURED = """
import ctypes, os, resource, subprocess, sys
# Workers whose parent is gone become children of this process: what they used is counted, too.
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Prints the exit code of a command, and how many KiB the largest process used that it led to."""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans over")
def test_ten_times_the_files_take_no_more_memory(folders: tuple[Path, Path]) -> None:
    sizes: list[int] = []
    for folder in folders:
        words = [sys.executable, "-c", MEASURED, *COMMAND]
        done = subprocess.run(
            words, cwd=folder, env=environment(), capture_output=True, encoding="utf-8", check=True
        )
        code, size = map(int, done.stdout.split())
        assert code == 0
        sizes.append(size)
    few, many = sizes
    # The findings of the files that there are more of would take 40 MB.
    assert many - few < 16 * 1024, sizes


@pytest.mark.parametrize("form", WRITERS)
def test_a_finding_is_printed_before_the_next_one_is_asked_for(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed: list[str] = []

    def findings() -> Iterator[Finding]:
        for number in range(5):
            printed.append(capsys.readouterr().out)
            yield Finding(NOTHING_TO_VALIDATE, Place(f"{number}.json"), f"the finding {number}")

    WRITERS[form](findings())
    assert [f"the finding {number}" in text for number, text in enumerate(printed[1:])] == [True] * 4

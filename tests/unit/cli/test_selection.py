"""What `check dist/*` names: artefacts are judged, what lies beside them is told once, and an open gate is an error."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from archives import INFO, SDIST, TOP, WHEEL, metadata, write_sdist, write_wheel
from mcp_lockstep.__main__ import main
from packages import write_project

BESIDE = (
    "SHA256SUMS",
    "provenance.json",
    "weather-1.2.0.tar.bz2",
    "weather-1.2.0.tar.gz.asc",
    "weather-1.2.0.tar.gz.publish.attestation",
    "weather-1.2.0.zip",
)
"""What lies in the folder of a release, too."""


@pytest.fixture(autouse=True)
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Path:
    """A folder `dist` with a sound wheel and a sound sdist, below the working folder."""
    scripts = "[console_scripts]\nweather = weather:main\n"
    write_wheel(
        tmp_path / "dist" / WHEEL, {f"{INFO}/METADATA": metadata(), f"{INFO}/entry_points.txt": scripts}
    )
    write_sdist(tmp_path / "dist" / SDIST, {f"{TOP}/PKG-INFO": metadata()})
    monkeypatch.chdir(tmp_path)
    return tmp_path / "dist"


def check(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    code = main(["check", *words])
    caught = capsys.readouterr()
    assert caught.err == ""
    return code, caught.out.splitlines()


def everything(dist: Path) -> list[str]:
    """What a shell makes of `dist/*`."""
    return sorted(f"dist/{path.name}" for path in dist.iterdir())


IN_STEP = [f"in step: weather 1.2.0 (dist/{WHEEL})", f"in step: weather 1.2.0 (dist/{SDIST})"]


def test_what_lies_beside_artefacts_is_told_once(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in BESIDE:
        (dist / name).write_bytes(b"PK")
    assert check(capsys, *everything(dist)) == (0, [*IN_STEP, "3 notes (-v)"])
    code, lines = check(capsys, "-v", "--strict", *everything(dist))
    assert code == 0
    assert [line for line in lines if "LS6109" in line] == [
        "dist/SHA256SUMS:1:1: note LS6109 files-passed-over: passed over, being no wheel, sdist or bundle: "
        + ", ".join(f"dist/{name}" for name in BESIDE[:5])
        + " and 1 more"
    ]


def test_the_note_can_be_left_out_and_an_error_cannot(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (dist / "SHA256SUMS").write_bytes(b"")
    wheel, ignored = f"dist/{WHEEL}", ("--ignore", "LS61", "--ignore", "LS62")
    assert check(capsys, wheel, "dist/SHA256SUMS", *ignored) == (0, IN_STEP[:1])
    assert check(capsys, "dist/SHA256SUMS", *ignored)[0] == 2
    assert check(capsys, "away", "--ignore", "LS0")[0] == 2


def test_a_server_json_in_the_folder_is_judged(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (dist / "server.json").write_text("{", encoding="utf-8")
    code, lines = check(capsys, *everything(dist))
    assert code == 2
    assert next(line for line in lines if "error" in line).startswith("dist/server.json:1:2: error LS0002")


@pytest.mark.parametrize(
    ("pattern", "artefacts"),
    [
        ("dist/*", IN_STEP),
        ("d*/*", IN_STEP),
        ("**/*.whl", IN_STEP[:1]),
        ("dist/*.tar.gz", IN_STEP[1:]),
        ("dist/weather-1.[0-9].0.tar.gz", IN_STEP[1:]),
        ("dist/weather-?.2.0-*", IN_STEP[:1]),
    ],
)
def test_a_pattern_that_no_shell_has_expanded(
    pattern: str, artefacts: list[str], dist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That of Windows never does, and a setting of an action passes through none."""
    code, lines = check(capsys, pattern)
    assert (code, lines[:-1]) == (0, artefacts)


def test_an_sdist_that_is_not_read_is_no_note(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An index would take it, and so would nobody have looked at it."""
    with zipfile.ZipFile(dist / f"{TOP}.zip", "w") as archive:
        archive.writestr(f"{TOP}/PKG-INFO", metadata())
    with zipfile.ZipFile(dist / "site.zip", "w") as archive:
        archive.writestr(f"{TOP}/PKG-INFO", metadata())
    code, lines = check(capsys, "--strict", *everything(dist))
    told = f"dist/{TOP}.zip is an sdist packed as .zip, which is not read"
    assert (code, lines[0]) == (1, f"dist/{TOP}.zip:1:1: warning LS6109 files-passed-over: {told}")
    assert check(capsys, "--strict", "--ignore", "LS6109", *everything(dist))[0] == 0
    _, lines = check(capsys, "-v", *everything(dist))
    assert [line for line in lines if line.endswith("no wheel, sdist or bundle: dist/site.zip")]
    code, lines = check(capsys, f"dist/{TOP}.zip")
    assert (code, lines[0]) == (2, f"dist/{TOP}.zip:1:1: error LS6107 archive-unknown: {told}")


def test_a_path_that_is_there_is_no_pattern(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(dist, dist.parent / "d[ia]st")
    (dist / WHEEL).write_bytes(b"")
    assert check(capsys, f"d[ia]st/{WHEEL}")[1][0] == f"in step: weather 1.2.0 (d[ia]st/{WHEEL})"


def test_what_a_pattern_matches_is_looked_up_each_time(
    dist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (dist.parent / "servers").mkdir()
    for name in ("one", "two"):
        write_project(dist.parent / "servers" / name)
        code, lines = check(capsys, "servers/*")
        assert (code, len(lines)) == (0, 1 if name == "one" else 2)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ["dist/a.asc"],
            "dist/a.asc:1:1: error LS6107 archive-unknown: dist/a.asc is no wheel, sdist or bundle",
        ),
        (
            ["dist/a.asc", "dist/b.json"],
            (
                "dist/a.asc:1:1: error LS6107 archive-unknown: "
                "none of these 2 files is a wheel, an sdist or a bundle: dist/a.asc, dist/b.json"
            ),
        ),
        (["dist/*.egg"], "dist/*.egg:1:1: error LS0011 file-missing: nothing matches dist/*.egg"),
        (["away"], "away:1:1: error LS0011 file-missing: away is not there"),
        (["dist/away.whl"], "dist/away.whl:1:1: error LS0011 file-missing: dist/away.whl is not there"),
        (
            ["dist/away.tar.gz"],
            "dist/away.tar.gz:1:1: error LS0011 file-missing: dist/away.tar.gz is not there",
        ),
    ],
)
def test_a_gate_that_judges_nothing_is_not_open(
    names: list[str], message: str, dist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.asc", "b.json"):
        (dist / name).write_bytes(b"")
    code, lines = check(capsys, *names)
    assert (code, lines[0]) == (2, message)


def test_what_is_not_there_hides_nothing(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (dist / WHEEL).write_bytes(b"")
    code, lines = check(capsys, f"dist/{WHEEL}", f"dist/{SDIST}", "dist/away.whl", "away")
    assert code == 2
    assert [line.partition(" error ")[2][:6] for line in lines if " error " in line] == [
        "LS0011",
        "LS0011",
        "LS6101",
    ]


@pytest.mark.parametrize("name", [WHEEL, SDIST])
def test_a_folder_that_is_called_like_an_artefact(
    name: str, dist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (dist / name).unlink()
    (dist / name).mkdir()
    code, lines = check(capsys, f"dist/{name}")
    assert code == 2
    assert lines[0].startswith(f"dist/{name}:1:1: error LS6101 archive-damaged: dist/{name} is a folder, a ")


def test_the_folder_itself_is_no_project(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["dist"], ["dist", "-r"]):
        code, (line, hint, *_) = check(capsys, *words)
        assert code == 2
        assert line.startswith("dist:1:1: error LS0017 nothing-to-check: there is no ")
        assert hint == "    `mcp-lockstep check dist/*` judges what was built"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["."], "LS0017 nothing-to-check: there is no pyproject.toml and no server.json in ."),
        (
            ["a", "-r"],
            "LS0017 nothing-to-check: there is no server.json and no configuration in a, nor in a folder",
        ),
        (["a/server.json"], "LS0011 file-missing: a/server.json is not there"),
        (["server.json"], "LS0011 file-missing: server.json is not there"),
    ],
)
def test_a_gate_that_looks_at_nothing_is_not_open(
    words: list[str],
    said: str,
    tmp_path: Path,
    cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "it/a").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "it")
    for _ in range(2):
        code, (line, *_) = check(capsys, *words)
        assert code == 2
        assert line.startswith(f"{words[0]}:1:1: error {said}")


@pytest.mark.parametrize("words", [[], ["-r"]])
def test_a_folder_that_may_not_be_entered_is_not_passed_over(
    words: list[str],
    tmp_path: Path,
    cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "shut").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.access", lambda *_: False)
    code, (line, *_) = check(capsys, "shut", *words)
    assert (code, line) == (
        2,
        "shut:1:1: error LS0014 file-unreadable: shut cannot be read: Permission denied",
    )


def test_a_configuration_alone_is_a_project(
    tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `explain LS0017` says; what it is to keep in step is there no more than in a bare pyproject.toml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mcp-lockstep.toml").write_text('registry = "private"\n', encoding="utf-8")
    code, (line, *_) = check(capsys)
    assert (code, line.partition(":")[0]) == (0, "nothing to keep in step in .")


def test_one_fact_of_which_there_is_nothing_is_in_step(
    dist: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = '[project]\nname = "weather"\nversion = "1.2.0"\n'
    (dist.parent / "pyproject.toml").write_text(project, encoding="utf-8")
    assert check(capsys, "--only", "version") == (0, ["in step: 1.2.0 (1 place)"])
    assert check(capsys, "--only", "environment") == (0, ["in step: . (environment)"])


def test_a_project_that_cannot_be_read_is_told_once(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (dist.parent / "server.json").write_text("{", encoding="utf-8")
    for words in ([], ["."], ["--only", "version"]):
        code, lines = check(capsys, *words, *everything(dist))
        assert code == 2
        assert [line[:25] for line in lines if "LS0" in line] == ["server.json:1:2: error LS"]


@pytest.mark.parametrize(
    "words",
    [
        ["check", "."],
        ["sync"],
        ["status"],
        ["render"],
        ["launch"],
        ["validate"],
        ["models"],
        ["compare", "a"],
    ],
)
def test_an_empty_path_is_no_folder(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, ""]) == 2
    assert capsys.readouterr().err.endswith(": it is empty\n")

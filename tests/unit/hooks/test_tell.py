"""What a hook prints: one line per finding, a last line that says what ended the build, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_lockstep.findings import Code, Finding, Place, Position
from mcp_lockstep.hooks import judged
from mcp_lockstep.hooks import rendered as rendering
from mcp_lockstep.hooks.built import Built, Kind
from mcp_lockstep.hooks.codes import BUILT_VERSION_DIFFERS
from mcp_lockstep.hooks.tell import DEBUG, decide, fault, line, refusal, rendered, tell
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree
from packages import drift, write_project

DRIFT = Code("LS1021", "version-drift", "error", "", "")
OLD = Code("LS2101", "old-schema", "warning", "", "")
ADVICE = Code("LS2999", "advice", "note", "", "")
AT = Finding(DRIFT, Place("server.json", "#", "/version"), "it is 1, 2 is wanted", Position(5, 14, 5, 21))
WHEEL = Built("wheel", "1.2.0", "mcp-name: io.github.acme/weather\n")
SDIST = WHEEL._replace(kind="sdist")


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (AT, "server.json:5:14: error LS1021 version-drift: it is 1, 2 is wanted"),
        (
            AT._replace(hint="run sync"),
            "server.json:5:14: error LS1021 version-drift: it is 1, 2 is wanted (run sync)",
        ),
        (AT._replace(place=Place("")), "error LS1021 version-drift: it is 1, 2 is wanted"),
        (
            AT._replace(level="note"),
            "server.json:5:14: note LS1021 version-drift: it is 1, 2 is wanted",
        ),
        (
            AT._replace(message="a\nb", hint="c\nd"),
            "server.json:5:14: error LS1021 version-drift: a b (c d)",
        ),
    ],
)
def test_a_finding_is_one_line(finding: Finding, said: str) -> None:
    assert line(finding) == said


@pytest.mark.parametrize("sign", ["\x1b[31m", "\r", "\u202e", "\0", "\ud800"])
def test_no_finding_writes_on_the_terminal(sign: str) -> None:
    text = line(AT._replace(message=f"it is {sign}", hint=sign))
    assert text.isprintable()
    assert text.encode("utf-8")


def test_errors_and_warnings_are_told_and_notes_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    old, advice = Finding(OLD, Place("a"), "old"), Finding(ADVICE, Place("a"), "advice")
    tell([advice, old, AT])
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.splitlines() == [
        f"mcp-lockstep: {line(AT)}",
        "mcp-lockstep: a:1:1: warning LS2101 old-schema: old",
    ]
    tell([advice])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("kind", "findings", "said"),
    [
        ("sdist", [AT], "no sdist is built: 1 error; `mcp-lockstep check` says the same before a build"),
        ("wheel", [AT, AT], "no wheel is built: 2 errors; `mcp-lockstep check` says the same before a build"),
        (
            "editable",
            [AT, Finding(OLD, Place("a"), "old")],
            "no editable wheel is built: 1 error; `mcp-lockstep check` says the same before a build",
        ),
        (
            "sdist",
            [AT, Finding(BUILT_VERSION_DIFFERS, Place("server.json"), "x")],
            "no sdist is built: 2 errors",
        ),
    ],
)
def test_the_last_line_of_a_refused_build(kind: Kind, findings: list[Finding], said: str) -> None:
    """`check` cannot see what the build alone makes, so it is not said to."""
    assert refusal(kind, findings).code == f"mcp-lockstep: {said}"


INTERNAL = (
    "mcp-lockstep: LS9001 internal: ValueError: {}; this is a fault of mcp-lockstep, "
    "MCP_LOCKSTEP_DEBUG=1 shows where"
)


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_our_fault_does_not_end_a_wheel(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    fault(ValueError("a\x1b[31mb\nc"), kind)
    assert capsys.readouterr().err == INTERNAL.format("a\\x1b[31mb\\nc") + "\n"


def test_our_fault_ends_an_sdist_that_would_be_unjudged(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        fault(ValueError("x"), "sdist")
    assert stopped.value.code == INTERNAL.format("x")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("kind", ["wheel", "editable", "sdist"])
def test_whoever_looks_for_our_fault_gets_it_whole(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEBUG, "1")
    error = ValueError("x")
    with pytest.raises(ValueError, match="x") as caught:
        fault(error, kind)
    assert caught.value is error


# What is decided


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound project as the working folder."""
    folder = tmp_path / "project"
    write_project(folder)
    monkeypatch.chdir(folder)
    return folder


def test_a_sound_project_is_not_spoken_of(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = decide(".", SDIST)
    assert verdict is not None
    assert (verdict.refused, verdict.manifest) == (False, (here / "server.json").read_bytes())
    assert verdict.inputs == ("README.md", "pyproject.toml")
    assert capsys.readouterr() == ("", "")


def test_a_marker_above_the_project_is_no_input_and_part_of_the_memo(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here.parent / ".git").mkdir()
    (here / "README.md").write_text("# Weather\n", encoding="utf-8")
    with (here / "pyproject.toml").open("a", encoding="utf-8") as handle:
        handle.write('[tool.mcp-lockstep]\nignore = { LS1015 = "private", LS6002 = "private" }\n')
    (here.parent / "README.md").write_text("# All servers\n", encoding="utf-8")
    built = SDIST._replace(description="# Weather\n")
    for _ in range(2):
        verdict = decide(".", built)
        assert verdict is not None
        assert verdict.inputs == ("README.md", "pyproject.toml")
    (here.parent / "README.md").write_text("mcp-name: io.github.acme/weather\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="no sdist is built: 1 error"):
        decide(".", built)
    assert "LS1010 readme-marker-elsewhere" in capsys.readouterr().err


@pytest.mark.parametrize(("schema", "again"), [("schema.json", False), ("git:HEAD:schema.json", True)])
def test_what_depends_on_a_revision_of_git_is_judged_each_time(
    schema: str, again: bool, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (here / "pyproject.toml").open("a", encoding="utf-8") as handle:
        handle.write(f'[[tool.mcp-lockstep.models]]\nschema = "{schema}"\noutput = "src/models.py"\n')
    looked: list[str] = []

    def look(root: str) -> judged.Look:
        looked.append(root)
        return judged.Look(Project(Tree(Disk(root))), ())

    monkeypatch.setattr(judged, "look", look)
    assert decide(".", WHEEL) == decide(".", WHEEL)
    assert looked == [".", "."][: 1 + again]


def test_drift_refuses_an_sdist(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drift(here)
    with pytest.raises(SystemExit, match="no sdist is built: 2 errors") as stopped:
        decide(".", SDIST)
    assert isinstance(stopped.value.code, str), "so that Python prints it and ends with 1"
    said = capsys.readouterr().err.splitlines()
    assert [text.split(" error ")[1].split(":")[0] for text in said] == ["LS1021 version-drift"] * 2


def test_drift_is_told_to_a_wheel(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = decide(".", WHEEL)
    assert verdict is not None
    drift(here)
    verdict = decide(str(here), WHEEL)
    assert verdict is not None
    assert verdict.manifest == (here / "server.json").read_bytes().replace(b"1.1.0", b"1.2.0")
    assert verdict.inputs == ()
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_without_server_json_nothing_is_decided(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "server.json").unlink()
    (here / "pyproject.toml").write_text("[broken", encoding="utf-8")
    assert decide(".", SDIST) is None
    assert rendered(".", WHEEL) is None
    assert capsys.readouterr() == ("", "")


def test_a_fault_of_ours_while_judging(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(root: str, *_: object) -> None:
        raise ValueError(root)

    monkeypatch.setattr(judged, "look", broken)
    monkeypatch.setattr(rendering, "rendered_in", broken)
    assert decide(".", WHEEL) is None
    assert rendered(".", WHEEL) is None
    assert capsys.readouterr().err.splitlines() == [INTERNAL.format(".")] * 2
    with pytest.raises(SystemExit) as stopped:
        decide(".", SDIST)
    assert stopped.value.code == INTERNAL.format(".")


def test_the_metadata_before_a_wheel_gets_the_same_server_json(here: Path) -> None:
    drift(here)
    verdict = decide(".", WHEEL)
    assert verdict is not None
    assert rendered(".", WHEEL) == verdict.manifest
    (here / "server.json").write_bytes(b"{")
    assert rendered(".", WHEEL) is None

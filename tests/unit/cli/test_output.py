"""The forms in which findings are printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_lockstep.cli import output
from mcp_lockstep.cli.explain import all_codes
from mcp_lockstep.cli.output import count, print_findings
from mcp_lockstep.cli.printable import printable, typed
from mcp_lockstep.findings import Code, Finding, Place, Position

ERROR = Code("LS0901", "an-error", "error", "S.", "E.")
WARNING = Code("LS0902", "a-warning", "warning", "S.", "E.")
NOTE = Code("LS0903", "a-note", "note", "S.", "E.")

FINDINGS = (
    Finding(NOTE, Place("a.py"), "a note"),
    Finding(WARNING, Place("b,c:d.md", "#", "mcp-name"), "50% of it\nis prose", Position(2, 3, 2, 9)),
    Finding(
        ERROR,
        Place("z.json", "#", "/a~1b/0"),
        "z is\x1b[31m red",
        Position(7, 1, 8, 2),
        have="x",
        want="y",
        hint="do it",
        fact="version",
        fixable=True,
    ),
    Finding(ERROR, Place("pyproject.toml", ":", "project.version"), "early", Position(1, 1, 1, 1)),
    Finding(ERROR, Place(""), "nowhere"),
)


def test_text_has_the_worst_first_and_no_notes(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(FINDINGS)
    assert capsys.readouterr().out == (
        "error LS0901 an-error: nowhere\n"
        "pyproject.toml:1:1: error LS0901 an-error: early\n"
        "z.json:7:1: error LS0901 an-error: z is\\x1b[31m red\n"
        "    do it\n"
        "b,c:d.md:2:3: warning LS0902 a-warning: 50% of it\\nis prose\n"
    )
    print_findings(FINDINGS, verbose=True)
    assert capsys.readouterr().out.endswith("a.py:1:1: note LS0903 a-note: a note\n")


def test_colours_only_where_they_are_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    print_findings(FINDINGS[3:4])
    assert "\x1b[31merror\x1b[0m" in capsys.readouterr().out
    for variable, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(variable, value)
            print_findings(FINDINGS[3:4])
        assert "\x1b" not in capsys.readouterr().out


def test_json_conforms_to_its_schema_and_keeps_every_text(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    print_findings(FINDINGS, "json")
    report = json.loads(capsys.readouterr().out)
    schema = json.loads((root / "schemas/report.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(report)
    assert report["summary"] == {"errors": 3, "warnings": 1, "notes": 1}
    assert [f["message"] for f in report["findings"]] == [
        "nowhere",
        "early",
        "z is\x1b[31m red",
        "50% of it\nis prose",
        "a note",
    ]
    assert report["findings"][2] == {
        "code": "LS0901",
        "slug": "an-error",
        "severity": "error",
        "file": "z.json",
        "line": 7,
        "column": 1,
        "endLine": 8,
        "endColumn": 2,
        "pointer": "/a~1b/0",
        "fact": "version",
        "have": "x",
        "want": "y",
        "message": "z is\x1b[31m red",
        "hint": "do it",
        "fixable": True,
    }


def test_the_schema_of_a_report_takes_every_code_and_nothing_else(root: Path) -> None:
    schema = json.loads((root / "schemas/report.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema)
    for code in all_codes():
        report = {"findings": [output.as_json(Finding(code, Place("f"), "m"))], "summary": count(())}
        validator.validate(report)
    assert not validator.is_valid({"findings": [], "summary": {"errors": 0, "warnings": 0}})
    assert not validator.is_valid({"findings": [{}], "summary": count(())})


def test_annotations_cannot_be_broken_out_of(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(FINDINGS, "github")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert lines[1:] == [
        "::error file=pyproject.toml,line=1,col=1,endLine=1,endColumn=1,title=LS0901 an-error::early",
        "::error file=z.json,line=7,col=1,endLine=8,endColumn=2,title=LS0901 an-error::z is\\x1b[31m red%0Ado it",
        "::warning file=b%2Cc%3Ad.md,line=2,col=3,endLine=2,endColumn=9,title=LS0902 a-warning::50%25 of it\\nis prose",
        "::notice file=a.py,line=1,col=1,endLine=1,endColumn=1,title=LS0903 a-note::a note",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("été ✓ 🌊", "été ✓ 🌊"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\r\nb\tc", "a\\r\\nb\\tc"),
        ("\x00\u2028", "\\x00\\u2028"),
    ],
)
def test_nothing_printed_moves_the_cursor(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_count() -> None:
    assert count(FINDINGS) == {"errors": 3, "warnings": 1, "notes": 1}
    assert count(()) == {"errors": 0, "warnings": 0, "notes": 0}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("servers/a", "servers/a"),
        ("a b", "'a b'"),
        ("-rf", "./-rf"),
        ("--help", "./--help"),
        ("$(x)", "'$(x)'"),
    ],
)
def test_a_folder_in_a_command_that_is_offered_is_no_option(path: str, words: str) -> None:
    assert typed(path) == words

"""`mcp-lockstep compare`: what it reads, prints and returns."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from archives import write_sdist
from mcp_lockstep.__main__ import main
from repositories import git

Write = Callable[[Mapping[str, str | bytes]], Path]
Capture = pytest.CaptureFixture[str]


def one_tool(name: str = "t", /, **properties: object) -> str:
    """A contract with one tool."""
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return json.dumps({"tools": [{"name": name, "inputSchema": schema}]}, indent=2)


OLD = one_tool(a={"type": "string"}, b={"type": "integer", "maximum": 5})
NEW = one_tool(a={"type": "string"}, b={"type": "integer", "maximum": 4})


@pytest.fixture(autouse=True)
def _elsewhere(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)


def test_what_breaks_is_told_with_its_place(project: Write, capsys: Capture) -> None:
    project({"old.json": OLD, "new.json": NEW})
    assert main(["compare", "old.json", "new.json"]) == 1
    assert capsys.readouterr().out == (
        "breaks writers:\n"
        "  new.json#/tools/0/inputSchema/properties/b/maximum: bound changed: maximum 5 -> maximum 4  [LS7042]\n"
        "1 breaking (1 for writers)\n"
    )


def test_what_breaks_nobody_is_counted_and_shown_on_demand(project: Write, capsys: Capture) -> None:
    project({"old.json": OLD, "new.json": NEW})
    assert main(["compare", "new.json", "old.json"]) == 0
    assert capsys.readouterr().out == "1 compatible (-v shows all)\n"
    assert main(["compare", "new.json", "old.json", "-v"]) == 0
    assert "compatible:\n  old.json#/tools/0/" in capsys.readouterr().out


def test_the_same_is_no_difference(project: Write, capsys: Capture) -> None:
    project({"old.json": OLD})
    assert main(["compare", "old.json", "old.json"]) == 0
    assert capsys.readouterr().out == "no difference\n"


def test_the_report_has_the_class_and_both_values(project: Write, capsys: Capture, root: Path) -> None:
    project({"old.json": OLD, "new.json": NEW})
    assert main(["compare", "old.json", "new.json", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    schema = json.loads((root / "schemas/report.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(report)
    (found,) = report["findings"]
    assert (found["class"], found["breaks"]) == ("breaking", ["writers"])
    assert (found["old"], found["new"]) == ("maximum 5", "maximum 4")
    assert (found["file"], found["line"]) == ("new.json", 1 + NEW[: NEW.index('"maximum"')].count("\n"))
    assert report["summary"] == {"errors": 1, "warnings": 0, "notes": 0}


def test_a_revision_of_the_same_path(project: Write, capsys: Capture) -> None:
    project({"contract.json": OLD, "parts/t.json": json.dumps(json.loads(OLD)["tools"][0])})
    git(Path(), "init", "-q")
    git(Path(), "add", "-A")
    git(Path(), "commit", "-qm", "one")
    project({"contract.json": NEW})
    assert main(["compare", "git:HEAD", "contract.json"]) == 1
    assert main(["compare", "git:HEAD", "."]) == 1
    assert main(["compare", "git:HEAD:contract.json", "contract.json"]) == 1
    assert main(["compare", "contract.json", "git:HEAD:contract.json"]) == 0
    assert main(["compare", "git:HEAD:parts", "contract.json"]) == 1
    assert main(["compare", "git:HEAD:parts", "git:HEAD:parts/t.json"]) == 0
    capsys.readouterr()
    assert main(["compare", "contract.json", "git:HEAD:contract.json", "-v"]) == 0
    assert "git:HEAD:contract.json#/tools/0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "code"),
    [
        ("git:nope", "LS0015"),
        ("git:--output=x", "LS0015"),
        ("git:HEAD:missing.json", "LS0011"),
        ("missing.json", "LS0011"),
        ("mcp@1999-01-01", "LS0191"),
        ("mcp@2026-07-28", "LS7002"),
        ("server.json", "LS7001"),
        ("not-json.json", "LS0002"),
        ("https://a.example/contract.json", "LS3002"),
        ("broken.whl", "LS6101"),
        ("empty.whl", "LS7001"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_what_cannot_be_compared_is_refused(
    project: Write, capsys: Capture, old: str, code: str, form: str
) -> None:
    base = project(
        {
            "contract.json": OLD,
            "server.json": '{"name": "a/b", "packages": []}',
            "not-json.json": "{",
            "broken.whl": b"PK nothing",
        }
    )
    with zipfile.ZipFile(base / "empty.whl", "w") as wheel:
        wheel.writestr("a/__init__.py", "")
    git(Path(), "init", "-q")
    git(Path(), "add", "contract.json")
    git(Path(), "commit", "-qm", "one")
    assert main(["compare", old, "contract.json", "--format", form]) == 2
    assert code in capsys.readouterr().out
    assert not (base / "x").exists()


def test_a_wheel_that_holds_a_contract(project: Write, capsys: Capture) -> None:
    base = project({"contract.json": NEW})
    with zipfile.ZipFile(base / "w-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("w/_generated/contract.json", '{"//": "Generated",\n' + OLD[1:])
    assert main(["compare", "w-1-py3-none-any.whl", "contract.json"]) == 1
    assert "1 breaking (1 for writers)" in capsys.readouterr().out


def test_bundled_revisions_are_compared_by_name(root: Path, capsys: Capture) -> None:
    """The page about this command shows a part of what is printed, and all of it is still so."""
    page = (root / "docs/commands/compare.md").read_text(encoding="utf-8")
    shown = page.partition("$ mcp-lockstep compare mcp@2025-11-25 mcp@2026-07-28\n")[2].partition("```")[0]
    assert main(["compare", "mcp@2025-11-25", "mcp@2026-07-28"]) == 1
    printed = capsys.readouterr().out.splitlines()
    lines = [line for line in shown.splitlines() if line != "  ..."]
    assert len(lines) > 8
    assert [line for line in lines if line not in printed] == []


def test_a_folder_without_a_contract_is_called_as_it_was_named(capsys: Capture) -> None:
    Path("nothing/here").mkdir(parents=True)
    assert main(["compare", "nothing", "nothing/here"]) == 2
    said = "nothing/here:1:1: error LS3001 source-unknown: nothing/here is a folder without JSON files; one file for"
    assert capsys.readouterr().out.startswith(said)


def test_a_class_is_not_the_root_of_a_schema(project: Write, capsys: Capture) -> None:
    schema = {"title": "M", "type": "object", "properties": {"x": {"type": "string"}}}
    module = "class M(BaseModel):\n    x: str | MISSING = MISSING\n"
    definitions = {"$defs": {"M": schema}}
    project({"s.json": json.dumps(schema), "m.py": module, "d.json": json.dumps(definitions)})
    for words in (("s.json", "m.py"), ("m.py", "s.json")):
        assert main(["compare", *words]) == 2
        out = capsys.readouterr().out
        assert out.startswith(f"{words[1]}:1:1: error LS7002 ")
        assert "m.py holds classes, and s.json is a schema of one value\n" in out
    assert main(["compare", "d.json", "m.py"]) == 0


HOSTILE = "`|</code><script>alert(1)</script> @octocat [x](http://evil.example) \u202e\n\n## #1 &amp; | a~1"


def test_foreign_text_stays_text_in_markdown(project: Write, capsys: Capture) -> None:
    project({"old.json": one_tool(HOSTILE, **{HOSTILE: {}}), "new.json": one_tool(HOSTILE)})
    assert main(["compare", "old.json", "new.json", "--format", "markdown"]) == 1
    out = capsys.readouterr().out
    (row,) = [line for line in out.splitlines() if line.startswith("| writers")]
    assert row.count("|") == 6
    cells = re.findall(r"<code>(.*?)</code>", row)
    assert all(re.fullmatch(r"([\w …\"',()/-]|&#\d+;)*", cell) for cell in cells)
    assert "\u202e" not in out and "octocat" in out and "@octocat" not in out


def test_foreign_text_stays_on_its_line(project: Write, capsys: Capture) -> None:
    project({"old.json": one_tool(HOSTILE, **{HOSTILE: {}}), "new.json": one_tool(HOSTILE)})
    assert main(["compare", "old.json", "new.json"]) == 1
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 3 and "\u202e" not in out


def test_markdown_has_so_many_rows_and_no_more(project: Write, capsys: Capture) -> None:
    many = {f"p{index}": {"type": "string"} for index in range(30)}
    project(
        {
            "old.json": one_tool("t", **many),
            "new.json": one_tool("t", **{name: {"type": "integer"} for name in many}),
        }
    )
    assert main(["compare", "old.json", "new.json", "--format", "markdown", "--rows", "10"]) == 1
    out = capsys.readouterr().out
    assert sum(line.startswith("| writers |") for line in out.splitlines()) == 10
    assert out.endswith("20 more: `mcp-lockstep compare` prints all of them.\n")
    assert main(["compare", "old.json", "new.json", "--format", "markdown"]) == 1
    assert " more:" not in capsys.readouterr().out


def test_what_breaks_nobody_is_folded_away_in_markdown(project: Write, capsys: Capture) -> None:
    project({"old.json": OLD, "new.json": NEW})
    assert main(["compare", "new.json", "old.json", "--format", "markdown"]) == 0
    out = capsys.readouterr().out
    assert "<summary>1 that breaks nobody</summary>" in out and out.endswith("</details>\n")


def test_a_comment_is_never_longer_than_it_may_be(project: Write, capsys: Capture) -> None:
    many = {f"{'`' * 90}{index}": {"type": "string"} for index in range(300)}
    project({"old.json": one_tool("t", **many), "new.json": one_tool("t")})
    assert main(["compare", "old.json", "new.json", "--format", "markdown", "--rows", "300"]) == 1
    out = capsys.readouterr().out
    assert len(out) < 65_536 and " more: " in out


def test_modules_of_models_are_compared_by_their_source(project: Write, capsys: Capture) -> None:
    old = "raise SystemExit('never run')\nclass M(BaseModel):\n    a: str\n"
    project(
        {"old.py": old, "new.py": old.replace("str", "int"), "none.py": "x = 1\n", "broken.py": "def (\n"}
    )
    assert main(["compare", "old.py", "new.py"]) == 1
    out = capsys.readouterr().out
    assert "breaks writers and readers:\n  new.py::M.a: type changed: string -> integer  [LS7040]\n" in out
    assert main(["compare", "old.py", "old.py"]) == 0
    assert main(["compare", "none.py", "old.py"]) == 2
    assert main(["compare", "broken.py", "old.py"]) == 2


def test_an_sdist_is_compared_by_the_contract_inside(project: Write, capsys: Capture) -> None:
    base = project({"contract.json": OLD})
    write_sdist(base / "w-1.tar.gz", {"w-1/src/w/_generated/contract.json": OLD, "w-1/contract.json": "{"})
    assert main(["compare", str(base / "w-1.tar.gz"), str(base / "contract.json")]) == 0
    capsys.readouterr()
    write_sdist(base / "w-1.tar.gz", {"../w-1/contract.json": OLD})
    assert main(["compare", str(base / "w-1.tar.gz"), str(base / "contract.json")]) == 1
    assert "LS6104" in capsys.readouterr().out


def test_a_pulled_copy_comes_before_the_bundled_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.json").write_text('{"type": "object", "properties": {"a": {}}}', encoding="utf-8")
    (tmp_path / "new.json").write_text('{"type": "object", "properties": {"b": {}}}', encoding="utf-8")
    assert main(["schemas", "pull", "mcp@draft", "old.json"]) == 0
    capsys.readouterr()
    assert main(["compare", "mcp@draft", "mcp@draft"]) == 0
    assert capsys.readouterr().out == "no difference\n"
    main(["compare", "mcp@draft", "new.json"])
    assert "mcp-lockstep.schemas/mcp@draft.json" in capsys.readouterr().out

"""What cannot be the value of a fact is told where it stands, and no other place follows it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcp_lockstep.cli import run
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.facts.validity import fault_of
from mcp_lockstep.findings import Place, Refused, parse_place
from mcp_lockstep.judge import Accept, Judgement, judge_tree
from mcp_lockstep.lock import LOCK
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree
from projects import Files, put, sound, spots

OF = {spot.place: spot for spot in spots("pyproject.toml")}
OWNER = OF["pyproject.toml:project.version"]
Write = Callable[[Mapping[str, str | bytes]], Path]


def judged(files: Files, accept: Accept | None = None) -> Judgement:
    return judge_tree(Project(Tree(Memory(files))), accept)


@pytest.mark.parametrize(
    ("value", "home", "usable"),
    [
        ("1.2.0", "pyproject", True),
        ("1.0.0-rc.1", "pyproject", True),
        ("1!2.0+local", "pyproject", True),
        ("2025-06-18", "pyproject", False),
        ("2025-06-18", "manifest", True),
        ("1.0.0-next.1", "manifest", True),
        ("1.x", "manifest", False),
        ("not a version", "manifest", False),
        ("not a version", "pyproject", False),
        ("latest", "code", False),
        ("", "own", False),
    ],
)
def test_versions(value: str, home: str, usable: bool) -> None:
    reading = Reading("version", home, Place("x"), value)  # type: ignore[arg-type] # homes are literals there
    assert (fault_of(reading) == "") is usable
    assert fault_of(reading._replace(state="stamped")) == ""


@pytest.mark.parametrize("value", ["not a version", "1.x", ">=1.0", "latest", "2.0.0 beta!"])
def test_an_owner_that_holds_no_version_decides_nothing(value: str) -> None:
    files = put(sound(), OWNER, "1.2.0", value)
    found = judged(files)
    (finding,) = found.findings
    assert (finding.code.slug, finding.severity, str(finding.place)) == (
        "version-unusable",
        "error",
        OWNER.place,
    )
    line = files["pyproject.toml"].decode().splitlines()[finding.position.line - 1]
    assert line[finding.position.column - 1 :].startswith(f'"{value}"')
    assert found.edits == ()
    assert {change.path for change in prepare(Tree(Memory(files))).plan.changes} <= {LOCK}


@pytest.mark.parametrize("accept", ["server.json#/version=1.x", "VERSION=not a version", "VERSION=latest"])
def test_such_a_value_cannot_be_accepted(accept: str) -> None:
    place, _, value = accept.partition("=")
    with pytest.raises(Refused, match="no place follows it") as refused:
        judged(sound(), Accept(parse_place(place), value))
    (finding,) = refused.value.findings
    assert (finding.code.slug, str(finding.place)) == ("version-unusable", place)


def test_what_follows_is_mended_and_told_once() -> None:
    files = put(sound(), OF["server.json#/version"], "1.2.0", "latest")
    (finding,) = judged(files).findings
    assert (finding.code.slug, finding.want, finding.fixable) == ("reserved-version-string", "1.2.0", True)
    changes = {change.path: change.after for change in prepare(Tree(Memory(files))).plan.changes}
    assert changes["server.json"] == sound()["server.json"]


def test_a_name_that_is_none_does_not_spread() -> None:
    files = put(sound(), OF["pyproject.toml:tool.mcp-lockstep.name"], "io.github.acme/weather", "weather")
    found = judged(files)
    assert [f.code.slug for f in found.findings] == ["server-name-unusable"]
    assert found.edits == ()


@pytest.mark.parametrize(
    ("line", "wrong", "wanted"),
    [
        ("version = 1.0", "version", "a text"),
        ('name = ["a"]', "name", "a text"),
        ('scripts = "x"', "scripts", "a table of texts"),
        ("scripts = {a = 1}", "scripts", "a table of texts"),
        ('dynamic = "version"', "dynamic", "a list of texts"),
        ("dynamic = [1]", "dynamic", "a list of texts"),
        ("readme = true", "readme", "a text or a table"),
        ("dependencies = {}", "dependencies", "a list of texts"),
    ],
)
def test_wrong_types_in_the_project_table(project: Write, line: str, wrong: str, wanted: str) -> None:
    given = {"name": 'name = "weather"', "version": 'version = "1.0"', wrong: line}
    root = project({"pyproject.toml": "[project]\n" + "\n".join(given.values()) + "\n"})
    found = judge_tree(Project(Tree(Memory({"pyproject.toml": (root / "pyproject.toml").read_bytes()}))))
    (finding,) = found.findings
    row = [*given].index(wrong) + 2
    assert (finding.code.slug, str(finding.place), finding.want, finding.position.line) == (
        "project-table-wrong",
        f"pyproject.toml:project.{wrong}",
        wanted,
        row,
    )
    assert run(["check", str(root)]) == 2


def test_a_project_that_is_no_table() -> None:
    (finding,) = judged({"pyproject.toml": b'project = "weather"\n'}).findings
    assert (finding.message, str(finding.place)) == (
        "`project` is 'weather'; a table is wanted",
        "pyproject.toml:project",
    )


def test_a_link_to_nowhere_is_no_absent_file(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    root = project({"pyproject.toml": '[project]\nname = "weather"\nversion = "1.0"\n'})
    os.symlink("gone.json", root / "server.json")
    assert run(["check", str(root)]) == 2
    out = capsys.readouterr().out
    assert "server.json is a link to gone.json, which is not there" in out
    assert out.count("LS") == 1


def test_a_readme_elsewhere_is_one_finding(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: raw for name, raw in sound().items() if name != "README.md"}
    pyproject = files["pyproject.toml"].replace(b'"README.md"', b'"../README.md"')
    assert pyproject != files["pyproject.toml"]
    root = project({**files, "pyproject.toml": pyproject})
    (root.parent / "README.md").write_text("# x\n", encoding="utf-8")
    assert run(["check", str(root)]) == 2
    out = capsys.readouterr().out
    assert out.count(" LS") == 1
    assert "leads out of the project" in out


def test_the_next_command_names_the_folder(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(put(sound(), OF["server.json#/version"], "1.2.0", "1.1.0"))
    assert run(["check", str(root)]) == 1
    assert capsys.readouterr().out.endswith(f"1 error; `mcp-lockstep sync {root}` mends 1\n")


def test_what_sync_refuses_is_not_counted(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    files = put(sound(), OF["server.json#/version"], "1.2.0", "1.1.0")
    root = project({**files, "mcp-lockstep.toml": "colour = 1\n"})
    assert run(["check", str(root)]) == 2
    assert "mends" not in capsys.readouterr().out

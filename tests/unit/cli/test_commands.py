"""The command line as a whole: commands, exit codes, help, and what happens when something breaks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from crashes import put_tree, tree_of
from mcp_lockstep import cli
from mcp_lockstep.__main__ import main
from mcp_lockstep.cli.explain import all_codes
from projects import Files, put, sound, spots

VERSION_SPOT = next(s for s in spots("pyproject.toml") if s.place == "VERSION")
README_SPOT = next(s for s in spots("pyproject.toml") if s.place == "README.md#mcp-name")
FORMATTED = ("check", "status")
"""Commands with `--format`."""


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a sound project in `it`."""
    put_tree(tmp_path / "it", sound(lock=True))
    monkeypatch.chdir(tmp_path / "it")
    return tmp_path / "it"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(words)
    caught = capsys.readouterr()
    return code, caught.out + caught.err


def break_it(here: Path) -> Files:
    files = put(sound(lock=True), VERSION_SPOT, "1.2.0", "1.3.0")
    put_tree(here, files)
    return files


# Usage


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_the_overview_lists_every_command(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, *words)
    assert code == 0
    assert [line for line in cli.COMMANDS if f"  {line} " not in out] == []


@pytest.mark.parametrize("command", list(cli.COMMANDS))
def test_every_command_has_help_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, command, "--help")
    assert code == 0
    assert f"mcp-lockstep {command}" in out
    assert "examples:" in out


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, flag) == (0, "mcp-lockstep 0.1.0\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--accept", "server.json#/nowhere"), "it/server.json:1:1: error LS0105 no-such-place: "),
        (
            ("--accept", "server.json#/nowhere", "--dry-run"),
            "it/server.json:1:1: error LS0105 no-such-place: ",
        ),
        (("--force", "VERSION"), "it/VERSION:1:1: error LS5006 not-generated: "),
    ],
)
def test_what_is_no_place_of_a_project_is_told_as_it_is_seen_from_here(
    words: tuple[str, ...], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.chdir(here.parent)
    code, out = run(capsys, "sync", "it", *words)
    assert (code, out.startswith(said)) == (2, True), out


@pytest.mark.parametrize(("word", "meant"), [("chek", "Did you mean `check`? "), ("frobnicate", "")])
def test_a_command_that_is_none_is_told_the_nearest(
    word: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"mcp-lockstep: {word!r} is no command. {meant}`mcp-lockstep --help` lists them.\n"
    assert run(capsys, word) == (2, said)


@pytest.mark.parametrize(
    "words",
    [
        ("chek",),
        ("check", "--nothing"),
        ("check", "--verb"),
        ("check", "--only", "colour"),
        ("check", "--format", "xml"),
        ("check", "nowhere"),
        ("check", "VERSION"),
        ("sync", "nowhere"),
        ("sync", "VERSION"),
        ("status", "nowhere"),
        ("explain", "LS9999"),
        ("explain", ""),
        ("check", "--baseline", "nowhere.json"),
        ("check", "--baseline", "VERSION"),
        ("sync", "--accept", "server.json#/nowhere"),
        ("sync", "--force", "server.json"),
        ("sync", "--force", "nowhere.py"),
    ],
)
def test_wrong_usage_is_two_and_says_what_is_wrong(
    here: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree_of(here)
    code, out = run(capsys, *words)
    assert code == 2
    assert out
    assert "Traceback" not in out
    assert tree_of(here) == before


def test_a_fault_of_ours_is_four_and_one_line(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("mcp_lockstep.cli.check.check_project", broken)
    monkeypatch.delenv("MCP_LOCKSTEP_DEBUG", raising=False)
    code, out = run(capsys, "check")
    assert code == 4
    assert out.startswith("LS9001 internal: ZeroDivisionError: oops\n")
    monkeypatch.setenv("MCP_LOCKSTEP_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["check"])


@pytest.mark.parametrize("words", [(), ("--format", "json")])
def test_a_reader_that_goes_away_is_no_fault(here: Path, words: tuple[str, ...]) -> None:
    break_it(here)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "mcp_lockstep", "check", *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    os.close(writer)
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_said_as_it_is(here: Path) -> None:
    command = [sys.executable, "-m", "mcp_lockstep", "check", "-v"]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (2, "mcp-lockstep: No space left on device: the output\n")


# check


def test_a_code_that_is_ignored_and_does_not_exist_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (here / "pyproject.toml").read_text(encoding="utf-8")
    ignore = '[tool.mcp-lockstep]\nignore = { "version-drfit" = "slip", "LS2" = "ours" }\n'
    changed = text.replace("[tool.mcp-lockstep]\n", ignore)
    (here / "pyproject.toml").write_text(changed, encoding="utf-8", newline="")
    code, out = run(capsys, "check")
    assert code == 0, out
    number = changed.splitlines().index(ignore.splitlines()[1]) + 1
    said = "warning LS0301 no-such-code: `ignore` names 'version-drfit', and there is no such code"
    assert f"pyproject.toml:{number}:30: {said}\n" in out
    assert "'LS2'" not in out


def test_a_sound_project_gets_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "check")
    assert (code, out.count("\n")) == (0, 1)
    assert out.startswith("in step: io.github.acme/weather 1.2.0 (")


def test_a_drift_is_named_with_its_place_both_values_and_what_to_type(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(here)
    code, out = run(capsys, "check")
    assert code == 1
    assert "VERSION:1:1: error LS1023 version-changed-here: version is 1.3.0; " in out
    assert "pyproject.toml:project.version decides and still says 1.2.0" in out
    assert "`mcp-lockstep sync --accept VERSION`" in out
    assert out.endswith("1 error; `mcp-lockstep sync` mends 1\n")


@pytest.mark.parametrize("path", ["it", "it/", "./it", "it/server.json"])
def test_a_project_is_named_by_its_folder_or_its_manifest(
    here: Path, path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(here)
    monkeypatch.chdir(here.parent)
    code, out = run(capsys, "check", path)
    assert code == 1
    assert out.startswith("it/VERSION:1:1: ")
    assert "`mcp-lockstep sync it --accept VERSION`" in out


def test_fix_mends_first(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_it(here)
    code, out = run(capsys, "check", "--fix")
    assert code == 0
    assert out.startswith("in step")
    assert tree_of(here) == sound(lock=True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            'contract = "lost.json"',
            "error LS0011 file-missing: `contract` names lost.json, which is not there",
        ),
        ('sdk = "mcp1"', "error LS5110 target-unknown: there is no target 'mcp1'; there are mcp2"),
        ('servers = [{ path = "lost" }]', "error LS0011 file-missing: `path` names lost, which is no folder"),
    ],
)
def test_what_the_configuration_names_and_is_not_there_is_told_where_it_is_named(
    line: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (here / "pyproject.toml").read_text(encoding="utf-8")
    contract = '\ncontract = "contract.json"' if "sdk" in line else ""
    changed = text.replace("[tool.mcp-lockstep]\n", f"[tool.mcp-lockstep]\n{line}{contract}\n")
    (here / "contract.json").write_text('{"tools": []}', encoding="utf-8")
    (here / "pyproject.toml").write_text(changed, encoding="utf-8")
    number = changed.splitlines().index(line) + 1
    column = line.index('"') + 1
    assert run(capsys, "check")[1].startswith(f"pyproject.toml:{number}:{column}: {said}")
    os.chdir(here.parent)
    assert run(capsys, "check", "it")[1].startswith(f"it/pyproject.toml:{number}:{column}: {said}")


def test_a_code_that_is_ignored_on_the_command_line_and_does_not_exist_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = run(capsys, "check", "--ignore", "version-drfit")
    assert code == 0
    assert out.startswith(
        "warning LS0301 no-such-code: `--ignore` names 'version-drfit', and there is no such code"
    )


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("src", "src:1:1: error LS0012 file-is-folder: src is a folder, a file is wanted\n"),
        ("lost.json", "lost.json:1:1: error LS0011 file-missing: lost.json is not there\n"),
    ],
)
def test_a_baseline_that_is_no_file(
    path: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = run(capsys, "check", "--baseline", path)
    assert code == 2
    assert out.startswith(said)


def test_only_and_ignore(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put_tree(here, put(break_it(here), README_SPOT, "io.github.acme/weather", "io.github.acme/tides"))
    assert run(capsys, "check")[0] == 1
    code, out = run(capsys, "check", "--only", "name")
    assert (code, "README.md:" in out, "VERSION:" in out) == (1, True, False)
    for ignored in ("LS1023", "version-changed-here", "LS102"):
        out = run(capsys, "check", "--ignore", ignored)[1]
        assert ("README.md:" in out, "VERSION:" in out) == (True, False)
    assert run(capsys, "check", "--ignore", "LS1")[0] == 0
    assert run(capsys, "check", "--ignore", "")[0] == 1


def test_a_baseline_leaves_out_what_it_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_it(here)
    report = run(capsys, "check", "--format", "json")[1]
    (here / "known.json").write_text(report, encoding="utf-8")
    assert run(capsys, "check", "--baseline", "known.json")[0] == 0
    put_tree(
        here,
        {
            **put(break_it(here), README_SPOT, "io.github.acme/weather", "io.github.acme/tides"),
            "known.json": report.encode(),
        },
    )
    code, out = run(capsys, "check", "--baseline", "known.json")
    assert (code, "README.md:" in out, "VERSION:" in out) == (1, True, False)


@pytest.mark.parametrize("command", FORMATTED)
@pytest.mark.parametrize("state", ["sound", "broken", "refused"])
def test_every_report_conforms_to_the_schema(
    command: str, state: str, here: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [command, "--format", "json"]
    if state == "broken":
        put_tree(
            here,
            {**break_it(here), "README.md": b"", "server.json": b'{"version": "1.1.0", "packages": [1]}'},
        )
    if state == "refused":
        words.append("nowhere")
    code, out = run(capsys, *words)
    assert code == {"sound": 0, "broken": 1, "refused": 2}[state]
    report = json.loads(out)
    schema = json.loads((root / "schemas/report.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(report)
    assert bool(report["findings"]) == (state != "sound")


def test_the_commands_with_a_format_are_the_ones_listed_here(capsys: pytest.CaptureFixture[str]) -> None:
    found = [name for name in cli.COMMANDS if "--format {" in run(capsys, name, "--help")[1]]
    assert set(FORMATTED) <= set(found)


@pytest.mark.parametrize(
    "head",
    ['{"x": "', '\ufeff{"x": "', '{\t"x": "', '{"x": "🌊é', '\ufeff{\t"x": "🌊', '{"x": "e\u0301'],
)
def test_columns_count_code_points(here: Path, head: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A byte order mark has no column; a tab, an astral character, a combining accent have one each."""
    text = f'{head}", "version": "1.1.0"}}'
    put_tree(here, {**sound(lock=True), "plugin.json": text.encode()})
    (finding,) = json.loads(run(capsys, "check", "--format", "json")[1])["findings"]
    start = text.removeprefix("\ufeff").index('"1.1.0"')
    assert (finding["line"], finding["column"], finding["endColumn"]) == (1, start + 1, start + 8)


# sync


def test_sync_says_what_it_replaced_and_how_to_take_it_back(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(here)
    code, out = run(capsys, "sync")
    assert (code, out) == (
        0,
        "VERSION: 1.3.0 -> 1.2.0\n    to take it back: mcp-lockstep sync --accept VERSION=1.3.0\n",
    )
    assert run(capsys, "sync") == (0, "in step: nothing to write\n")
    assert tree_of(here) == sound(lock=True)


def test_a_dry_run_shows_and_writes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = break_it(here)
    code, out = run(capsys, "sync", "--dry-run")
    assert (code, out) == (1, "--- a/VERSION\n+++ b/VERSION\n@@ -1 +1 @@\n-1.3.0\n+1.2.0\n")
    assert tree_of(here) == broken
    run(capsys, "sync")
    assert run(capsys, "sync", "--dry-run") == (0, "")


def test_a_commit_hook_is_told_of_what_was_written(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "sync", "--fail-on-change") == (0, "in step: nothing to write\n")
    (here / "mcp-lockstep.lock").unlink()
    said = "wrote mcp-lockstep.lock: what all places agree on\n"
    assert run(capsys, "sync", "--fail-on-change") == (1, said)
    assert tree_of(here) == sound(lock=True)
    break_it(here)
    assert run(capsys, "sync", "--fail-on-change")[0] == 1
    assert tree_of(here) == sound(lock=True)


def test_annotations_end_with_all_that_a_verbose_report_says(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_tree(here, sound(lock=True))
    verbose = run(capsys, "check", "-v")
    assert "clients run: uvx " in verbose[1]
    assert run(capsys, "check", "--format", "github") == verbose


def test_accept_with_and_without_a_value(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_it(here)
    assert run(capsys, "sync", "--accept", "VERSION")[0] == 0
    assert b'version = "1.3.0"' in tree_of(here)["pyproject.toml"]
    assert run(capsys, "check")[1].startswith("in step: io.github.acme/weather 1.3.0")
    assert run(capsys, "sync", "--accept", "VERSION=1.2.0")[0] == 0
    assert tree_of(here) == sound(lock=True)


def test_sync_of_a_folder_tells_commands_for_it(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(here)
    monkeypatch.chdir(here.parent)
    assert run(capsys, "sync", "it") == (
        0,
        "it/VERSION: 1.3.0 -> 1.2.0\n    to take it back: mcp-lockstep sync it --accept VERSION=1.3.0\n",
    )


# status, explain


def test_status_marks_the_owner_and_what_disagrees(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_it(here)
    code, out = run(capsys, "status")
    assert code == 1
    lines = [line.split() for line in out.splitlines()]
    assert ["*", "pyproject.toml:project.version", "1.2.0"] in lines
    assert ["!", "VERSION", "1.3.0"] in lines
    assert ["server.json#/packages/1/identifier", "1.2.0"] in lines
    assert [words[0] for words in lines].count("*") == 5


def test_status_gives_facts_and_places_as_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = b'[project]\nname = "one"\ndynamic = ["version"]\n'
    put_tree(here, {**break_it(here), "servers/one/pyproject.toml": one})
    code, out = run(capsys, "status", "--format", "json")
    assert code == 1
    report = json.loads(out)
    assert report["summary"]["errors"] == len([f for f in report["findings"] if f["severity"] == "error"]) > 0
    (project,) = report["projects"]
    assert project["folder"] == "."
    facts = {fact["fact"]: fact for fact in project["facts"]}
    version = facts["version"]
    owner = "pyproject.toml:project.version"
    assert (version["kind"], version["value"], version["owner"]) == ("identity", "1.2.0", owner)
    places = {place["place"]: place for place in version["places"]}
    assert places[owner] == {"place": owner, "state": "known", "value": "1.2.0", "differs": False}
    assert (places["VERSION"]["value"], places["VERSION"]["differs"]) == ("1.3.0", True)
    code, out = run(capsys, "status", "--format", "json", "servers/one")
    (project,) = json.loads(out)["projects"]
    assert project == {
        "folder": "servers/one",
        "facts": [
            {
                "fact": "version",
                "kind": "identity",
                "value": None,
                "owner": None,
                "places": [{"place": owner, "state": "dynamic", "value": None, "differs": False}],
            },
            {
                "fact": "identifier",
                "kind": "identity",
                "value": "one",
                "owner": "pyproject.toml:project.name",
                "places": [
                    {
                        "place": "pyproject.toml:project.name",
                        "state": "known",
                        "value": "one",
                        "differs": False,
                    }
                ],
            },
        ],
    }


def test_status_of_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "status") == (
        0,
        "no facts: neither a pyproject.toml nor a server.json says anything\n",
    )


def test_explain_knows_every_code_by_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "explain")
    assert code == 0
    assert len(out.splitlines()) == len(all_codes()) > 150
    for known in all_codes()[::25]:
        for name in (known.id, known.slug):
            told = run(capsys, "explain", name)[1]
            assert told.startswith(f"{known.id} {known.slug} ({known.severity})\n")


def test_explain_of_a_prefix_lists(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "explain", "LS102")[1]
    assert [line.split()[0] for line in out.splitlines()] == [
        code.id for code in all_codes() if code.id.startswith("LS102")
    ]


@pytest.mark.skipif(os.name == "nt", reason="closes a stream as a POSIX shell does")
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_stream_that_the_shell_closed_takes_nothing_and_breaks_nothing(here: Path, closed: str) -> None:
    break_it(here)
    command = f'"{sys.executable}" -m mcp_lockstep check {closed}'
    done = subprocess.run(["sh", "-c", command], cwd=here, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_the_root_of_a_workspace_is_not_said_to_lack_its_files(
    tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_tree(tmp_path / "all", {"pyproject.toml": b'[tool.uv.workspace]\nmembers = ["packages/*"]\n'})
    code, out = run(capsys, "check", str(tmp_path / "all"))
    assert code == 0
    assert "`-r` looks below it" in out
    assert "no pyproject.toml" not in out

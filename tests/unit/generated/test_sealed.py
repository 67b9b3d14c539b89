"""Generated files: missing, stale, edited, not ours."""

from __future__ import annotations

import pytest

from made import contract_data, made_project, with_contract
from mcp_lockstep import __version__
from mcp_lockstep.findings import Refused, exit_code
from mcp_lockstep.generated.recipe import read_seal
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.pipeline.sync import Order, prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

GENERATED = tuple(
    f"src/weather/_generated/{name}"
    for name in ("__init__.py", "checks.py", "contract.json", "models.py", "runtime.py", "stubs.py")
)
Files = dict[str, bytes]


def told(files: Files) -> list[tuple[str, str]]:
    findings = judge_tree(Project(Tree(Memory(files)))).findings
    return sorted((finding.code.slug, finding.place.path) for finding in findings)


def test_these_are_all_the_generated_files_and_each_has_a_seal() -> None:
    files = made_project()
    assert {path for path in files if "/_generated/" in path} == set(GENERATED)
    for path in GENERATED:
        seal = read_seal(files[path])
        assert seal is not None
        assert (seal.version, seal.intact) == (__version__, True)


@pytest.mark.parametrize("path", GENERATED)
def test_a_file_edited_by_hand_is_refused_and_forced(path: str) -> None:
    files = made_project()
    edited = {**files, path: files[path] + b"\n"}
    assert told(edited) == [("generated-edited", path)]
    synced = prepare(Tree(Memory(edited)))
    assert synced.plan.changes == ()
    assert exit_code(synced.left) == 3
    assert synced.left[0].hint.endswith(f"`mcp-lockstep sync --force {path}`")
    if path == GENERATED[0]:
        forced = prepare(Tree(Memory(edited)), Order(force=frozenset({path})))
        assert [(change.path, change.after) for change in forced.plan.changes] == [(path, files[path])]
        assert forced.left == ()


@pytest.mark.parametrize("raw", [b"", b"x = 1\n", b"\xff"])
def test_a_file_that_is_not_ours_is_refused(raw: bytes) -> None:
    path = GENERATED[0]
    foreign = {**made_project(), path: raw}
    assert told(foreign) == [("generated-unsealed", path)]
    assert exit_code(prepare(Tree(Memory(foreign))).left) == 3


def test_a_missing_file_is_written_again_and_nothing_else() -> None:
    files = made_project()
    missing = {path: raw for path, raw in files.items() if path != GENERATED[3]}
    assert told(missing) == [("generated-missing", GENERATED[3])]
    changes = prepare(Tree(Memory(missing))).plan.changes
    assert [(change.path, change.after) for change in changes] == [(GENERATED[3], files[GENERATED[3]])]


def test_line_ends_of_a_checkout_are_no_edit() -> None:
    files = {
        path: raw.replace(b"\n", b"\r\n") if "/_generated/" in path else raw
        for path, raw in made_project().items()
    }
    assert told(files) == []


def test_the_mark_of_another_version_is_a_note_and_no_reason_to_write() -> None:
    files = made_project()
    head, rest = files[GENERATED[3]].split(b"\n", 1)
    older = {**files, GENERATED[3]: head.replace(__version__.encode(), b"0.0.9") + b"\n" + rest}
    (finding,) = judge_tree(Project(Tree(Memory(older)))).findings
    assert (finding.code.slug, finding.severity) == ("generated-by-another-version", "note")
    assert prepare(Tree(Memory(older))).plan.changes == ()


def test_the_spelling_of_the_contract_is_no_change_of_it() -> None:
    files = made_project()
    assert told(with_contract(files, contract_data(files))) == []


def test_another_contract_makes_its_files_stale_and_one_edited_file_holds_them_all_back() -> None:
    files = made_project()
    contract = contract_data(files)
    tools = contract["tools"]
    assert isinstance(tools, list)
    tools[0]["description"] = "Another text."
    changed = with_contract(files, contract)
    stale = [path for slug, path in told(changed) if slug == "generated-stale"]
    assert stale == [GENERATED[2], GENERATED[3], GENERATED[5]]
    changed[GENERATED[3]] += b"# mine\n"
    synced = prepare(Tree(Memory(changed)))
    assert exit_code(synced.left) == 3
    assert synced.plan.changes == ()


@pytest.mark.parametrize(
    "path", ["README.md", "src/weather/app.py", "nowhere.py", "src/weather/_generated/other.py"]
)
def test_only_generated_files_can_be_forced(path: str) -> None:
    with pytest.raises(Refused, match="is no generated file"):
        prepare(Tree(Memory(made_project())), Order(force=frozenset({path})))

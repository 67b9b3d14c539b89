"""What is written, in which order, and what a killed command leaves behind."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest

from crashes import Calls, Killed, When, leftovers, put_tree, tree_of, watched
from made import contract_data, made_project, with_contract
from mcp_lockstep.documents import Edit
from mcp_lockstep.findings import Refused
from mcp_lockstep.generated.recipe import seal_python
from mcp_lockstep.pipeline.sync import prepare, sync_project
from mcp_lockstep.plan import (
    JOURNAL,
    Change,
    Generated,
    Plan,
    Seed,
    apply,
    changes,
    emit,
    recover,
)
from mcp_lockstep.tree import Disk, Memory, Tree
from projects import Files, put, sound, spots

LOCK = "mcp-lockstep.lock"
RECIPE, OTHER_RECIPE = "a" * 64, "b" * 64


# Emit


def made(text: str) -> Callable[[], str]:
    return lambda: seal_python(RECIPE, "contract.json", text)


def never() -> str:
    raise AssertionError("a file of the same recipe was made again")


def emitted(files: Files, *writes: Generated | Seed, force: str = "") -> tuple[dict[str, bytes], list[str]]:
    result = emit(Tree(Memory(files)), writes, frozenset([force] if force else ()))
    return dict(result.files), [finding.code.slug for finding in result.findings]


def test_a_seed_is_written_once() -> None:
    assert emitted({}, Seed("a.py", "x = 1\n")) == ({"a.py": b"x = 1\n"}, [])
    assert emitted({"a.py": b""}, Seed("a.py", "x = 1\n")) == ({}, [])


def test_a_generated_file_is_made_when_its_recipe_differs_and_only_then() -> None:
    now = made("x = 1\n")().encode()
    assert emitted({}, Generated("m.py", RECIPE, made("x = 1\n"))) == ({"m.py": now}, [])
    assert emitted({"m.py": now}, Generated("m.py", RECIPE, never)) == ({}, [])
    assert emitted({"m.py": now}, Generated("m.py", OTHER_RECIPE, made("x = 2\n")))[0] == {
        "m.py": made("x = 2\n")().encode()
    }


@pytest.mark.parametrize(
    ("raw", "slug"),
    [
        (made("x = 1\n")().encode() + b"y = 2\n", "generated-edited"),
        (made("x = 1\n")().encode().replace(b"x = 1", b"x = 3"), "generated-edited"),
        (b"x = 1\n", "generated-unsealed"),
        (b"", "generated-unsealed"),
    ],
)
def test_a_generated_file_edited_by_hand_is_refused_and_forced(raw: bytes, slug: str) -> None:
    write = Generated("m.py", OTHER_RECIPE, made("x = 2\n"))
    assert emitted({"m.py": raw}, write) == ({}, [slug])
    assert emitted({"m.py": raw}, write, force="other.py") == ({}, [slug])
    assert emitted({"m.py": raw}, write, force="m.py") == ({"m.py": made("x = 2\n")().encode()}, [])


def test_line_ends_of_a_checkout_break_no_seal() -> None:
    raw = made("x = 1\n")().encode().replace(b"\n", b"\r\n")
    assert emitted({"m.py": raw}, Generated("m.py", RECIPE, never)) == ({}, [])


# Changes


def test_changes_come_in_order_with_the_lock_last_and_nothing_unchanged() -> None:
    tree = Tree(Memory({"z": b"1", "b": b"old", LOCK: b"l", "gone": b"g"}))
    planned = changes(tree, {LOCK: b"m", "z": b"2", "a": b"new", "gone": None}, [Edit("b", 0, 1, "X")])
    assert planned == (
        Change("a", None, b"new"),
        Change("b", b"old", b"Xld"),
        Change("gone", b"g", None),
        Change("z", b"1", b"2"),
        Change(LOCK, b"l", b"m"),
    )
    assert changes(tree, {"z": b"1"}, [Edit("b", 0, 1, "o")]) == ()


def test_edits_go_into_what_was_emitted() -> None:
    tree = Tree(Memory({"a": b"old"}))
    assert changes(tree, {"a": b"new"}, [Edit("a", 0, 1, "kn")]) == (Change("a", b"old", b"knew"),)


# Apply


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_apply_writes_everything_and_leaves_nothing_else(root: Path) -> None:
    put_tree(root, {"a": b"1", "gone": b"g"})
    apply(
        str(root),
        Plan((Change("a", b"1", b"2"), Change("gone", b"g", None), Change("new/deep/b", None, b"3"))),
    )
    assert tree_of(root) == {"a": b"2", "new/deep/b": b"3"}


def test_an_edit_made_meanwhile_is_not_overwritten(root: Path) -> None:
    put_tree(root, {"a": b"1", "b": b"by hand"})
    with pytest.raises(Refused, match="b changed while the command ran") as caught:
        apply(str(root), Plan((Change("a", b"1", b"2"), Change("b", b"1", b"2"))))
    assert caught.value.findings[0].code.slug == "changed-meanwhile"
    assert tree_of(root) == {"a": b"1", "b": b"by hand"}


def test_permissions_stay(root: Path) -> None:
    put_tree(root, {"run.sh": b"1"})
    (root / "run.sh").chmod(0o750)
    apply(str(root), Plan((Change("run.sh", b"1", b"2"),)))
    assert stat.S_IMODE((root / "run.sh").stat().st_mode) == 0o750


def test_a_link_inside_the_project_is_written_through(root: Path) -> None:
    put_tree(root, {"docs/README.md": b"1"})
    (root / "README.md").symlink_to("docs/README.md")
    apply(str(root), Plan((Change("README.md", b"1", b"2"),)))
    assert (root / "README.md").is_symlink()
    assert (root / "docs/README.md").read_bytes() == b"2"


@pytest.mark.parametrize("path", ["../out", "link/out", "a/../../out"])
def test_nothing_is_written_outside_of_the_project(root: Path, path: str) -> None:
    (root.parent / "elsewhere").mkdir()
    (root / "link").symlink_to("../elsewhere")
    with pytest.raises(Refused, match="leads out of the project"):
        apply(str(root), Plan((Change(path, None, b"x"),)))
    assert sorted(p.name for p in root.parent.rglob("out")) == []


def test_a_link_in_the_way_of_a_temporary_file_is_not_followed(root: Path) -> None:
    put_tree(root, {"a": b"1"})
    victim = root.parent / "victim"
    victim.write_bytes(b"mine")
    for name in (".a.mcp-lockstep~", f".{JOURNAL}.mcp-lockstep~"):
        (root / name).symlink_to(victim)
    apply(str(root), Plan((Change("a", b"1", b"2"),)))
    assert victim.read_bytes() == b"mine"
    assert tree_of(root) == {"a": b"2"}


def test_what_cannot_be_written_is_said_and_ended_later(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_tree(root, {"a": b"1", "sub": b"a file"})
    monkeypatch.chdir(root)
    plan = Plan((Change("a", b"1", b"2"), Change("sub/b", None, b"3")))
    with pytest.raises(Refused) as caught:
        apply(".", plan)
    (found,) = caught.value.findings
    assert (found.code.exit, found.place.path) == (2, "sub")
    assert found.message == "sub cannot be written: File exists"
    assert found.hint == "mend that; `mcp-lockstep sync` ends what was begun"
    (root / "sub").unlink()
    assert recover(str(root)) == ()
    assert tree_of(root) == {"a": b"2", "sub/b": b"3"}


def test_writing_needs_no_cache(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    put_tree(root, {"a": b"1"})
    apply(str(root), Plan((Change("a", b"1", b"2"),)))
    assert tree_of(root) == {"a": b"2"}


@pytest.mark.parametrize("path", ["new\nline", "sp ace", "é✓", "-"])
def test_the_journal_holds_every_path(root: Path, path: str) -> None:
    put_tree(root, {path: b"1"})
    with watched(Calls(replaces_of(root, path)["replace"], "before")), pytest.raises(Killed):
        apply(str(root), Plan((Change(path, b"1", b"2"),)))
    assert recover(str(root)) == ()
    assert tree_of(root) == {path: b"2"}


def replaces_of(root: Path, path: str) -> dict[str, int]:
    """The number of the call that puts the file in place, in a run that is not killed."""
    order: list[str] = []

    class Named(Calls):
        def step(self, work: Callable[[], object], half: Callable[[], object] | None = None) -> object:
            order.append("")
            return super().step(work, half)

    before = tree_of(root)
    with watched(Named()):
        apply(str(root), Plan((Change(path, before[path], b"2"),)))
    put_tree(root, before)
    # The last call removes the journal; the one before it puts the file in place.
    return {"replace": len(order) - 2}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe",
        b"0\nx",
        sha256(b"junk").hexdigest().encode() + b"\njunk",
        sha256(b"- !!! YQ==").hexdigest().encode() + b"\n- !!! YQ==",
    ],
)
def test_a_journal_that_is_none_is_removed(root: Path, raw: bytes) -> None:
    put_tree(root, {"a": b"1", JOURNAL: raw})
    assert recover(str(root)) == ()
    assert tree_of(root) == {"a": b"1"}


# Crashes


def bumped(value: str = "1.3.0") -> Files:
    owner = next(spot for spot in spots("pyproject.toml") if spot.place == "pyproject.toml:project.version")
    return put(sound(lock=True), owner, "1.2.0", value)


def sync_calls(root: Path) -> int:
    put_tree(root, bumped())
    with watched(Calls()) as calls:
        sync_project(str(root))
    return calls.count


def whole(root: Path, before: Files, after: Files) -> None:
    for name, raw in tree_of(root).items():
        if "mcp-lockstep~" not in name and name != JOURNAL:
            assert raw in (before.get(name), after[name]), f"{name} is neither old nor new"


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The project after a sync that nobody killed."""
    root = tmp_path_factory.mktemp("ended")
    put_tree(root, bumped())
    assert sync_project(str(root)).left == ()
    return tree_of(root)


@pytest.mark.parametrize(("when", "first"), [("before", 0), ("before", 1), ("after", 0)])
def test_a_sync_killed_at_any_call_is_ended_by_the_next(
    root: Path, ended: Files, when: When, first: int
) -> None:
    points = sync_calls(root)
    assert points >= 40
    for at in range(first, points, 2):
        put_tree(root, bumped())
        with watched(Calls(at, when)), pytest.raises(Killed):
            sync_project(str(root))
        whole(root, bumped(), ended)
        assert sync_project(str(root)).left == ()
        assert tree_of(root) == ended, f"killed {when} call {at}"


@pytest.mark.parametrize("name", ["server.json", "README.md", "src/weather/app.py", LOCK])
def test_an_edit_after_a_crash_is_kept_and_reported(root: Path, ended: Files, name: str) -> None:
    points = sync_calls(root)
    reported = 0
    for at in range(1, points, 4):
        put_tree(root, bumped())
        with watched(Calls(at, "after")), pytest.raises(Killed):
            sync_project(str(root))
        path = root / name
        path.write_bytes(path.read_bytes() + b"\n# by hand\n" * (name != "server.json") + b"\n")
        mine = path.read_bytes()
        begun = (root / JOURNAL).exists() and at < points - 1
        left = sync_project(str(root)).left
        listed = name != "README.md" and begun
        assert [f.place.path for f in left if f.code.slug == "changed-meanwhile"] == [name] * listed
        reported += listed
        if name != LOCK:
            assert path.read_bytes() == mine.replace(b"1.2.0", b"1.3.0") or name == "README.md"
            assert path.read_bytes().endswith(mine[-2:])
        assert leftovers(root) == []
        assert sync_project(str(root)).plan.changes == ()
        assert {k: v for k, v in tree_of(root).items() if k != name} == {
            k: v for k, v in ended.items() if k != name
        }
    assert reported > 3 or name == "README.md"


SHAPES = {
    "files of one folder": (
        {"a": b"1", "b": b"2", LOCK: b"l"},
        {"a": b"10", "b": b"20", LOCK: b"m"},
    ),
    "new folders, and a file that goes": (
        {"a": b"1", "old/gone": b"2"},
        {"a": b"10", "new/deep/er/x": b"3", "new/y": b"4", LOCK: b"m"},
    ),
    "bytes that are no text": (
        {"a": b"\xff\x00\r\n", "b": b""},
        {"a": b"", "b": b"\xfe" * 5000, LOCK: b"m"},
    ),
}


def plan_between(before: Files, after: Files) -> Plan:
    return Plan(changes(Tree(Memory(before)), {**dict.fromkeys(before), **after}, ()))


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("before", "after"), list(SHAPES.values()), ids=list(SHAPES))
def test_apply_killed_at_any_call(root: Path, before: Files, after: Files, when: When) -> None:
    plan = plan_between(before, after)
    put_tree(root, before)
    with watched(Calls()) as calls:
        apply(str(root), plan)
    assert tree_of(root) == after
    for at in range(calls.count):
        put_tree(root, before)
        with watched(Calls(at, when)), pytest.raises(Killed):
            apply(str(root), plan)
        begun = (root / JOURNAL).exists()
        assert recover(str(root)) == ()
        done = after if begun or at == calls.count - 1 else before
        assert tree_of(root) == done, f"killed {when} call {at} of {calls.count}"


def test_a_sync_of_code_killed_at_any_call(root: Path) -> None:
    """Generated files, a new function, an edited signature and the lock: all of it, or what the next one ends."""
    before = made_project()
    contract = contract_data(before)
    tools = cast("list[dict[str, Any]]", contract["tools"])
    tools[0]["inputSchema"]["properties"]["hours"] = {"type": "boolean"}
    tools.append({**tools[-1], "name": "another"})
    before = with_contract(before, contract)
    put_tree(root, before)
    plan = prepare(Tree(Disk(str(root)))).plan
    assert len(plan.changes) >= 6
    after = {**before, **{change.path: change.after or b"" for change in plan.changes}}
    with watched(Calls()) as calls:
        apply(str(root), plan)
    assert tree_of(root) == after
    for at in range(0, calls.count, 2):
        for change in plan.changes:
            _restore(root / change.path, change.before)
        with watched(Calls(at, "after" if at % 4 else "before")), pytest.raises(Killed):
            apply(str(root), plan)
        whole(root, before, after)
        begun = (root / JOURNAL).exists()
        assert recover(str(root)) == ()
        assert tree_of(root) == (after if begun or at >= calls.count - 2 else before)


def _restore(path: Path, raw: bytes | None) -> None:
    if raw is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(raw)


def test_a_recovery_killed_at_any_call_is_ended_by_the_next(root: Path) -> None:
    before, after = SHAPES["new folders, and a file that goes"]
    plan = plan_between(before, after)

    def cut_off() -> None:
        put_tree(root, before)
        with watched(Calls(12)), pytest.raises(Killed):
            apply(str(root), plan)
        assert (root / JOURNAL).exists()

    cut_off()
    with watched(Calls()) as calls:
        recover(str(root))
    assert calls.count >= 10
    for at in range(calls.count):
        cut_off()
        with watched(Calls(at)), pytest.raises(Killed):
            recover(str(root))
        assert recover(str(root)) == ()
        assert tree_of(root) == after, f"killed before call {at}"


KILLED = """\
import os, sys
from crashes import Calls, watched
from mcp_lockstep.pipeline.sync import sync_project
with watched(Calls(int(sys.argv[2]), sys.argv[3], lambda: os._exit(137))):
    sync_project(sys.argv[1])
"""


@pytest.mark.parametrize(
    ("at", "when"), [(0, "after"), (4, "before"), (6, "after"), (17, "before"), (30, "after")]
)
def test_a_process_that_ends_at_once(root: Path, ended: Files, at: int, when: str) -> None:
    put_tree(root, bumped())
    support = Path(__file__).resolve().parents[1] / "support"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(root), str(at), when],
        env={**os.environ, "PYTHONPATH": str(support)},
        check=False,
    )
    assert done.returncode == 137
    whole(root, bumped(), ended)
    assert sync_project(str(root)).left == ()
    assert tree_of(root) == ended


def test_a_tree_is_read_again_after_recovery(root: Path, ended: Files) -> None:
    """What recovery writes is what the same sync then starts from: nothing is left for a third one."""
    put_tree(root, bumped())
    with watched(Calls(20)), pytest.raises(Killed):
        sync_project(str(root))
    assert sync_project(str(root)).plan.changes == ()
    assert tree_of(root) == ended
    assert Tree(Disk(str(root))).read(JOURNAL) is None

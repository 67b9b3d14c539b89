"""Contract, generated files and functions of a whole project against each other."""

from __future__ import annotations

import copy
from typing import Any, cast

import pytest

from made import contract_data, made_project, with_contract
from mcp_lockstep.documents.prose import markdown
from mcp_lockstep.findings import Place, exit_code
from mcp_lockstep.judge import Accept, judge_tree
from mcp_lockstep.lock import LOCK, read_lock
from mcp_lockstep.pipeline.sync import Order, Synced, prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

Files = dict[str, bytes]
FORECAST = "src/weather/tools/get_forecast.py"
DELETE = "src/weather/tools/delete_alert.py"
Tool = dict[str, Any]


def told(files: Files) -> list[tuple[str, str, str]]:
    findings = judge_tree(Project(Tree(Memory(files)))).findings
    return sorted((finding.severity, finding.code.slug, finding.place.path) for finding in findings)


def sync(files: Files, order: Order | None = None) -> tuple[Files, Synced]:
    synced = prepare(Tree(Memory(files)), order or Order())
    after: dict[str, bytes | None] = {**files, **{c.path: c.after for c in synced.plan.changes}}
    return {path: raw for path, raw in after.items() if raw is not None}, synced


def edited(files: Files, path: str, old: str, new: str) -> Files:
    text = files[path].decode()
    assert text.count(old) == 1
    return {**files, path: text.replace(old, new).encode()}


def tools_of(files: Files) -> tuple[dict[str, object], dict[str, Tool]]:
    contract = copy.deepcopy(contract_data(files))
    tools = cast("list[Tool]", contract["tools"])
    return contract, {tool["name"]: tool for tool in tools}


TABLE = b"""# Weather

<!-- tools:start -->
| tool | for |
|------|-----|
| delete-alert | Once. |
| gone | Once. |
<!-- tools:end -->
"""


def test_a_table_in_the_readme_has_the_tools_of_the_contract() -> None:
    files = {**made_project(), "README.md": TABLE}
    contract, tools = tools_of(files)
    tools["get-forecast"]["description"] = "Tell | the weather.\n\nOf one place."
    files = with_contract(files, contract)
    assert told(files).count(("error", "readme-tools-drift", "README.md")) == len(tools) + 1
    after, synced = sync(files)
    assert synced.left == ()
    rows = after["README.md"].decode().partition("|------|-----|\n")[2].splitlines()[:-1]
    names = [row.split(" | ")[0].removeprefix("| ") for row in rows]
    assert names == ["delete-alert", *(markdown(name) for name in tools if name != "delete-alert")]
    assert r"| get-forecast | Tell \| the weather. |" in rows
    assert sync(after)[0] == after
    assert told(after) == []


def test_a_table_in_the_readme_waits_for_a_contract_that_can_be_used() -> None:
    files = {**made_project(), "README.md": TABLE, "contract.json": b"{"}
    assert {slug for _, slug, path in told(files) if path == "README.md"} == {"readme-marker-missing"}


def test_a_new_parameter_is_added_to_the_function_and_the_body_stays() -> None:
    files = edited(
        made_project(), FORECAST, "    raise NotImplementedError", "    return await ask(place)  # mine"
    )
    contract, tools = tools_of(files)
    tools["get-forecast"]["inputSchema"]["properties"]["hours"] = {"type": "boolean", "default": False}
    after, synced = sync(with_contract(files, contract))
    assert synced.left == ()
    text = after[FORECAST].decode()
    assert "hours: bool = False" in text
    assert "    return await ask(place)  # mine" in text
    lock, _ = read_lock(Tree(Memory(after)))
    assert lock is not None
    assert "hours: bool = False" in lock.tools["get-forecast"]
    assert sync(after)[1].plan.changes == ()
    unchanged = {p for p in files if p.startswith("src/weather/tools/") and p != FORECAST}
    assert {p for p in unchanged if after[p] != files[p]} == set()


def test_a_new_tool_gets_a_function_of_its_own() -> None:
    files = made_project()
    contract, tools = tools_of(files)
    new = {**copy.deepcopy(tools["delete-alert"]), "name": "pause-alert"}
    cast("list[Tool]", contract["tools"]).append(new)
    changed = with_contract(files, contract)
    assert ("error", "tool-not-implemented", "contract.json") in told(changed)
    after, synced = sync(changed)
    assert synced.left == ()
    assert set(after) - set(files) == {"src/weather/tools/pause_alert.py"}
    assert b'@mcp.contract("pause-alert")' in after["src/weather/tools/pause_alert.py"]


@pytest.mark.parametrize("body", ["    raise NotImplementedError", "    return await remove(id)"])
def test_a_tool_that_is_gone_leaves_its_function_and_prune_takes_untouched_ones(body: str) -> None:
    files = edited(made_project(), DELETE, "    raise NotImplementedError", body)
    contract, tools = tools_of(files)
    cast("list[Tool]", contract["tools"]).remove(tools["delete-alert"])
    after, synced = sync(with_contract(files, contract))
    assert after[DELETE] == files[DELETE]
    assert DELETE in {finding.place.path for finding in synced.left}
    pruned, _ = sync(after, Order(prune=True))
    assert (DELETE in pruned) == (body != "    raise NotImplementedError")


def test_a_default_changed_in_code_is_an_error_and_never_reaches_the_contract() -> None:
    files = edited(made_project(), FORECAST, "days: int = 3", "days: int = 4")
    found = told(files)
    assert [(severity, path) for severity, _, path in found] == [("error", FORECAST)]
    after, synced = sync(files)
    assert after["contract.json"] == files["contract.json"]
    assert exit_code(synced.left) in (0, 1)
    if synced.left == ():
        assert after == made_project()


def test_both_sides_changed_is_a_conflict_with_nothing_written_for_that_tool() -> None:
    files = edited(made_project(), FORECAST, "days: int = 3", "days: int = 4")
    contract, tools = tools_of(files)
    tools["get-forecast"]["inputSchema"]["properties"]["days"]["default"] = 5
    after, synced = sync(with_contract(files, contract))
    assert exit_code(synced.left) == 3
    assert after[FORECAST] == files[FORECAST]
    before, _ = read_lock(Tree(Memory(files)))
    lock, _ = read_lock(Tree(Memory(after)))
    assert before is not None
    assert lock is not None
    assert lock.tools["get-forecast"] == before.tools["get-forecast"]
    assert sync(after)[0] == after
    settled, again = sync(after, Order(Accept(Place("contract.json", "#", "get-forecast"))))
    assert again.left == ()
    assert b"days: int = 5" in settled[FORECAST]


def test_a_function_marked_to_keep_is_left_alone() -> None:
    files = edited(
        made_project(),
        FORECAST,
        '@mcp.contract("get-forecast")',
        '# mcp-lockstep: keep\n@mcp.contract("get-forecast")',
    )
    contract, tools = tools_of(files)
    tools["get-forecast"]["inputSchema"]["properties"]["hours"] = {"type": "boolean"}
    after, _ = sync(with_contract(files, contract))
    assert after[FORECAST] == files[FORECAST]


def test_without_a_lock_the_contract_decides() -> None:
    files = edited(made_project(), FORECAST, "days: int = 3", "days: int = 4")
    del files[LOCK]
    after, synced = sync(files)
    assert after == made_project()
    assert synced.left == ()


@pytest.mark.parametrize("raw", [b"", b"{", b'{"tools": 1}', b"\xff"])
def test_a_contract_that_cannot_be_read_stops_the_sync(raw: bytes) -> None:
    files = {**made_project(), "contract.json": raw}
    after, synced = sync(files)
    assert after == files
    assert exit_code(synced.left) in (1, 2)


def test_code_that_does_not_parse_is_told_and_left() -> None:
    broken = made_project()[FORECAST] + b"\ndef ("
    files = {**made_project(), FORECAST: broken}
    assert FORECAST in {path for _, _, path in told(files)}
    assert sync(files)[0][FORECAST] == broken


def test_the_last_tool_can_go() -> None:
    files = {**made_project(), "contract.json": b"[]"}
    after, synced = sync(files, Order(prune=True))
    assert synced.left == ()
    assert not [path for path in after if path.startswith("src/weather/tools/") and "__init__" not in path]
    assert told(after) == []
    assert sync(after)[0] == after


def test_an_import_goes_with_the_parameter_that_needed_it_and_a_body_that_uses_the_parameter_is_told() -> (
    None
):
    files = edited(made_project(), FORECAST, "    raise NotImplementedError", "    return await ask(units)")
    contract, tools = tools_of(files)
    for tool in tools.values():
        tool["inputSchema"]["properties"].pop("units", None)
    assert b"Units" in files[FORECAST]
    after, synced = sync(with_contract(files, contract))
    assert b"Units" not in after[FORECAST]
    assert b"class Units" not in after["src/weather/_generated/models.py"]
    assert [f.code.slug for f in synced.left if f.place.path == FORECAST] == ["parameter-still-used"]
    assert sync(after)[0] == after


def test_a_body_that_uses_a_model_that_is_gone_is_an_error_where_it_is_imported() -> None:
    files = edited(made_project(), FORECAST, "    raise NotImplementedError", "    return await ask(Units)")
    contract, tools = tools_of(files)
    for tool in tools.values():
        tool["inputSchema"]["properties"].pop("units", None)
    after, synced = sync(with_contract(files, contract))
    assert ("error", "model-gone", FORECAST) in told(after)
    assert exit_code(synced.left) == 1


def test_a_signature_is_not_edited_where_a_name_that_it_needs_means_something_else() -> None:
    files = edited(made_project(), DELETE, "\n\n@mcp", "\n\nclass Gone: ...\n\n\n@mcp")
    contract, tools = tools_of(files)
    tools["delete-alert"]["outputSchema"] = {"title": "Gone", "type": "object", "properties": {}}
    after, synced = sync(with_contract(files, contract))
    assert after[DELETE] == files[DELETE]
    assert [(f.severity, f.code.slug) for f in synced.left if f.code.slug == "name-taken"] == [
        ("error", "name-taken")
    ]
    assert exit_code(synced.left) == 1
    assert sync(after)[0] == after


def test_an_edited_generated_file_holds_back_all_that_belongs_to_it() -> None:
    models = "src/weather/_generated/models.py"
    files = made_project()
    files[models] += b"# mine\n"
    contract, tools = tools_of(files)
    tools["get-forecast"]["inputSchema"]["properties"]["hours"] = {"type": "boolean", "default": False}
    changed = with_contract(files, contract)
    after, synced = sync(changed)
    assert after == changed
    assert exit_code(synced.left) == 3
    forced, again = sync(changed, Order(force=frozenset({models})))
    assert again.left == ()
    assert b"# mine" not in forced[models]
    assert b"hours: bool = False" in forced[FORECAST]

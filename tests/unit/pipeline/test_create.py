"""A new project: whole, in step, and the same each time."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
import tomli

from made import CONTRACT, NAME, contract_data, made_plan, made_project
from mcp_lockstep.contract.sources import read_sources
from mcp_lockstep.emit.request import Request
from mcp_lockstep.findings import Refused
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.lock import LOCK, read_lock
from mcp_lockstep.pipeline.create import create
from mcp_lockstep.pipeline.sync import Order, prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree


def test_nothing_is_wrong_with_a_new_project_and_nothing_is_left_to_write() -> None:
    files = made_project()
    assert made_plan().findings == ()
    assert judge_tree(Project(Tree(Memory(files)))).findings == ()
    synced = prepare(Tree(Memory(files)))
    assert (synced.plan.changes, synced.replaced, synced.left) == ((), (), ())


def test_the_lock_is_written_last_and_holds_every_fact_and_signature() -> None:
    assert made_plan().changes[-1].path == LOCK
    lock, _ = read_lock(Tree(Memory(made_project())))
    assert lock is not None
    assert lock.facts["name"] == NAME
    assert lock.facts["version"] == "0.1.0"
    tools = contract_data(made_project())["tools"]
    assert isinstance(tools, list)
    assert len(lock.tools) == len(tools)


def test_every_file_is_well_formed() -> None:
    for path, raw in made_project().items():
        text = raw.decode()
        if path.endswith(".py"):
            ast.parse(text)
        elif path.endswith(".json"):
            json.loads(text)
        elif path.endswith((".toml", ".lock")):
            tomli.loads(text)
        assert text == "" or text.endswith("\n"), path
        assert "\r" not in text, path


def test_the_same_contract_gives_the_same_bytes() -> None:
    again = create(Tree(Memory({})), read_sources([str(CONTRACT)]), Request("weather", NAME))
    assert again == made_plan()


def test_files_that_stand_there_are_left() -> None:
    mine = {".gitignore": b"mine\n", "README.md": b"# Mine\n"}
    plan = create(Tree(Memory(mine)), read_sources([str(CONTRACT)]), Request("weather", NAME))
    assert {change.path for change in plan.changes} == {c.path for c in made_plan().changes} - set(mine)
    assert "readme-marker-missing" in {finding.code.slug for finding in plan.findings}


def test_every_generated_file_comes_back_as_it_was() -> None:
    files = made_project()
    gone = {path: raw for path, raw in files.items() if "/_generated/" in path}
    assert len(gone) >= 5
    synced = prepare(Tree(Memory({path: raw for path, raw in files.items() if path not in gone})))
    assert {change.path: change.after for change in synced.plan.changes} == gone
    assert synced.left == ()
    forced = prepare(Tree(Memory(files)), Order(force=frozenset(gone)))
    assert forced.plan.changes == ()


def test_a_schema_that_cannot_become_a_model_is_refused_at_its_place(tmp_path: Path) -> None:
    source = tmp_path / "tools.json"
    endless = '{"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}'
    source.write_text(f'{{"tools": [{{"name": "x", "inputSchema": {endless}}}]}}', encoding="utf-8")
    with pytest.raises(Refused) as refused:
        create(Tree(Memory({})), read_sources([str(source)]), Request("made"))
    (finding,) = refused.value.findings
    assert finding.code.slug == "schema-reference-endless"
    assert finding.place.address == "/tools/0/inputSchema/properties/a"
    assert finding.position.line == 1 and finding.code.exit == 2

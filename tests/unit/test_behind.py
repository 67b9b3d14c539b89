"""What `check` says of the backend behind ours, by its name alone."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.behind import judge_backend
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

FRONT = '[build-system]\nrequires = ["mcp-lockstep"]\nbuild-backend = "mcp_lockstep.hooks.backend"\n'


def project(pyproject: str) -> Project:
    return Project(Tree(Memory({"pyproject.toml": pyproject.encode()})))


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("", "no real one is named"),
        ("mcp_lockstep.hooks.backend", "mcp_lockstep.hooks.backend is mcp-lockstep itself"),
        ("mcp_lockstep", "mcp_lockstep is mcp-lockstep itself"),
        ("./_build", "./_build cannot be imported: it is not the full name of a module"),
        (".build", ".build cannot be imported: it is not the full name of a module"),
        ("flit_core.", "flit_core. cannot be imported: it is not the full name of a module"),
        ("flit_core:", "flit_core: cannot be imported: it is not the full name of a module"),
        ("flit-core", "flit-core cannot be imported: it is not the full name of a module"),
    ],
)
def test_a_name_that_the_build_would_refuse(backend: str, said: str) -> None:
    found = project(f"{FRONT}[tool.mcp-lockstep]\nbuild-backend = {json.dumps(backend)}\n")
    (finding,) = judge_backend(found)
    assert finding.message.startswith(said)
    assert (finding.code.id, finding.code.exit, finding.position[:2]) == ("LS6003", 2, (5, 17))
    assert str(finding.place) == "pyproject.toml:tool.mcp-lockstep.build-backend"
    assert finding in judge_tree(found).findings


def test_where_none_is_named_the_line_is_that_of_ours() -> None:
    (finding,) = judge_backend(project(FRONT))
    assert finding.message == "no real one is named: `build-backend` is missing in [tool.mcp-lockstep]"
    assert finding.position[:2] == (3, 17)


@pytest.mark.parametrize("backend", ["nobody.knows", "flit_core.buildapi", "own:Outer.Inner", "größe", 7])
def test_a_name_that_may_be_one_is_left_to_the_build(backend: object) -> None:
    found = project(
        f"{FRONT}[tool.mcp-lockstep]\nbuild-backend = {json.dumps(backend, ensure_ascii=False)}\n"
    )
    assert list(judge_backend(found)) == []


@pytest.mark.parametrize(
    "front", ["", FRONT.replace("mcp_lockstep.hooks.backend", "hatchling.build"), "[build"]
)
def test_without_ours_in_front_nothing_is_asked(front: str) -> None:
    assert list(judge_backend(project(front))) == []

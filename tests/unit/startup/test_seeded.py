"""When the settings module of a project is surely all that takes arguments, and takes flags alone."""

from __future__ import annotations

import pytest

from mcp_lockstep.code.observe import observe
from mcp_lockstep.project import Project
from mcp_lockstep.startup.seeded import takes_flags_only
from mcp_lockstep.tree import Memory, Tree

PATH = "src/weather/settings.py"
HEAD = """\
import argparse
class Arguments(argparse.Namespace):
    units: str
def arguments(given=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--units")
"""


def flags_only(more: str) -> bool:
    code = f"{HEAD}    {more}\n".encode()
    files = {
        "pyproject.toml": b'[project]\nname = "weather"\n[tool.mcp-lockstep]\ncontract = "contract.json"\n',
        "contract.json": b"{}",
        "src/weather/__init__.py": b"",
        PATH: code,
    }
    return takes_flags_only(Project(Tree(Memory(files))), [observe(PATH, code)])


def test_one_flag_after_the_other() -> None:
    assert flags_only("parser.add_argument('-l', '--level', default='1')")


@pytest.mark.parametrize(
    "more",
    [
        "parser.add_argument('place')",
        "parser.add_argument(NAME)",
        "parser.add_argument('--places', nargs='*')",
        "parser.add_subparsers()",
        "parser.add_mutually_exclusive_group()",
    ],
)
def test_what_may_take_more(more: str) -> None:
    assert not flags_only(more)

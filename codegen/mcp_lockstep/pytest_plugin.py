"""A pytest plugin for those who ask for it: a fixture that starts the server and holds its lists against the contract.

`pytest -p mcp_lockstep.pytest_plugin`, or `pytest_plugins = ["mcp_lockstep.pytest_plugin"]` in the top conftest.py.
There is no entry point: other projects' pytest in the same environment never loads it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence

import pytest

from mcp_lockstep.code.modules import module_name
from mcp_lockstep.contract.model import KEYS, KINDS, WORDS, Contract
from mcp_lockstep.contract.sources import read_contract
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.documents.data import JsonObject, table, text_of
from mcp_lockstep.findings import Refused
from mcp_lockstep.launch.run import talk
from mcp_lockstep.launch.wire import running
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree, join


class ServedContract(NamedTuple):
    """What the contract promises to a client that shakes hands, and what the server listed when it was asked."""

    promised: Contract
    served: Contract

    def differences(self) -> str:
        """Every item that is not the promised one, as a diff of its JSON; empty where all are."""
        return "\n".join(_differences(self.promised, self.served))

    def assert_kept(self) -> None:
        """Fail with the differences, if there are any."""
        __tracebackhide__ = True
        if found := self.differences():
            pytest.fail(f"the server does not keep its contract\n{found}", pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings of the plugin, for the ini table of pytest."""
    parser.addini(
        "lockstep_project",
        "folder of the project (default: pytest's root folder); the others are relative to it",
    )
    parser.addini(
        "lockstep_command", "command that serves over stdio (default: this Python -m PACKAGE)", "args"
    )
    parser.addini("lockstep_contract", "the contract (default: that of the configuration, or contract.json)")
    parser.addini(
        "lockstep_timeout", "seconds that the server has for each answer (default: 60)", default="60"
    )


@pytest.fixture(scope="session")
def lockstep_contract(pytestconfig: pytest.Config) -> ServedContract:
    """The contract of the project, and the lists of its server, started once over stdio in the project's folder."""
    root = str(pytestconfig.rootpath / str(pytestconfig.getini("lockstep_project")))
    project = Project(Tree(Disk(root)))
    try:
        path = str(pytestconfig.getini("lockstep_contract")) or project.config.contract or "contract.json"
        promised = read_contract(project.tree, path).contract
        command = _command(project, pytestconfig.getini("lockstep_command"))
        with running(
            command,
            {**os.environ, "PYTHONPATH": _import_path(root)},
            name=" ".join(command),
            timeout=_seconds(str(pytestconfig.getini("lockstep_timeout"))),
            secrets=(),
            folder=root,
        ) as session:
            served = talk(session, None).lists
    except Refused as refused:
        said = "\n".join(_said(refused))
    else:
        return ServedContract(_for_handshake(promised), served)
    # Not where it is caught: pytest would show that there was another exception.
    pytest.fail(said, pytrace=False)


def _command(project: Project, given: Sequence[str]) -> Sequence[str]:
    if given:
        return tuple(given)
    packages = [one for one in project.packages if "__main__.py" in project.tree.folder(one)]
    if len(packages) != 1:
        found = f"{' and '.join(packages)} have" if packages else "no package has"
        said = (
            f"set `lockstep_command`, in pytest's settings, to what starts the server: {found} a __main__.py"
        )
        pytest.fail(said, pytrace=False)
    return sys.executable, "-m", module_name(packages[0])


def _seconds(given: str) -> float:
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        pytest.fail(f"`lockstep_timeout` is {given!r}, a number of seconds is wanted", pytrace=False)
    return seconds


def _import_path(root: str) -> str:
    return os.pathsep.join(filter(None, (os.path.join(root, "src"), root, os.environ.get("PYTHONPATH", ""))))


def _said(refused: Refused) -> Iterator[str]:
    for finding in refused.findings:
        yield f"{finding.code.id} {finding.code.slug}: {finding.message}"
        if finding.code is FILE_MISSING:
            yield "put there what the server is to answer to tools/list, or set `lockstep_contract` to where it is"
        yield from finding.hint.splitlines()


def _for_handshake(contract: Contract) -> Contract:
    """What of the contract a client can take that shakes hands: objects as input and, where there is one, output."""
    tools = (tool for tool in contract.tools if table(tool.get("inputSchema")).get("type") == "object")
    return contract._replace(tools=tuple(map(_without_odd_output, tools)))


def _without_odd_output(tool: JsonObject) -> JsonObject:
    if "outputSchema" not in tool or table(tool.get("outputSchema")).get("type") == "object":
        return tool
    return {key: value for key, value in tool.items() if key != "outputSchema"}


def _differences(promised: Contract, served: Contract) -> Iterator[str]:
    for kind in KINDS:
        key = KEYS[kind]
        then = {text_of(item.get(key)): item for item in promised.of(kind)}
        now = {text_of(item.get(key)): item for item in served.of(kind)}
        for name in {**then, **now}:
            label = join(WORDS[kind].replace(" ", "-"), name)
            if name not in now:
                yield f"{label}: the server does not list it"
            elif name not in then:
                yield f"{label}: the contract does not have it"
            else:
                yield from _diff(label, then[name], now[name])


def _diff(label: str, then: JsonObject, now: JsonObject) -> Iterator[str]:
    from difflib import unified_diff

    return unified_diff(_lines(then), _lines(now), f"contract/{label}", f"served/{label}", lineterm="")


def _lines(item: JsonObject) -> list[str]:
    return json.dumps(item, indent=2, sort_keys=True, ensure_ascii=False).splitlines()

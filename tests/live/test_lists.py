"""Whole contracts of real servers, served by generated projects: what is listed equals the contract, in both eras."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from emitted import project_view, tool_list, write
from hostile import hostile_contract
from mcp_lockstep.contract.model import KINDS, Contract, canonical, root_is_object
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.naming import package_name
from tally import TALLY
from wire import ERAS, HANDSHAKE, Posts, lists, served, stdio

TOOL_LISTS = sorted((Path(__file__).resolve().parents[3] / "shared/toollists").glob("*.json"))
SERVED_OVER_HTTP = ("mcp-atlassian", "kubectl-mcp-server", "brave_brave-search-mcp-server")


def promised(contract: Contract, kind: str, era: str) -> list[str]:
    """What the contract lists, as canonical JSON, less what clients of that era could not take."""
    items = list(contract.of(next(known for known in KINDS if known == kind)))
    if kind == "tools":
        items = [_for(era, tool) for tool in items if root_is_object(tool)]
    return [canonical(item) for item in items]


def _for(era: str, tool: JsonObject) -> JsonObject:
    output = as_object(tool.get("outputSchema"))
    if era != HANDSHAKE or output is None or output.get("type") == "object":
        return tool
    return {key: value for key, value in tool.items() if key != "outputSchema"}


def differences(contract: Contract, found: dict[str, list[JsonObject]], era: str) -> Iterator[str]:
    """What is not as the contract says; counts what was compared."""
    for kind, items in found.items():
        wanted, got = promised(contract, kind, era), [canonical(item) for item in items]
        TALLY[f"{kind} listed as the contract has them, {era}"] += len(wanted)
        yield from (f"{era} {kind} missing: {item[:200]}" for item in wanted if item not in got)
        yield from (f"{era} {kind} extra: {item[:200]}" for item in got if item not in wanted)
        if wanted != got:
            yield f"{era} {kind}: another order"


def command(python: str, name: str) -> list[str]:
    """How a generated server is started."""
    return [python, "-m", str(package_name(name))]


@pytest.mark.parametrize("path", TOOL_LISTS, ids=lambda path: cast("Path", path).stem)
def test_every_list_equals_the_contract_over_stdio(path: Path, mcp2_python: str, tmp_path: Path) -> None:
    contract = tool_list(path)
    project = write(project_view(path.stem, contract), tmp_path)
    for era in ERAS:
        with stdio(command(mcp2_python, path.stem), project, era) as wire:
            assert list(differences(contract, lists(wire), era)) == []


@pytest.mark.parametrize("name", SERVED_OVER_HTTP)
def test_every_list_equals_the_contract_over_http(
    name: str, shared: Path, mcp2_python: str, tmp_path: Path
) -> None:
    contract = tool_list(shared / f"toollists/{name}.json")
    project = write(project_view(name, contract), tmp_path)
    with served(command(mcp2_python, name), project) as port:
        for era in ERAS:
            assert list(differences(contract, lists(Posts(port, era)), era)) == []


def test_hostile_names_and_texts_are_published_as_they_are(mcp2_python: str, tmp_path: Path) -> None:
    contract = hostile_contract()
    project = write(project_view("hostile", contract), tmp_path)
    for era in ERAS:
        with stdio(command(mcp2_python, "hostile"), project, era) as wire:
            assert list(differences(contract, lists(wire), era)) == []

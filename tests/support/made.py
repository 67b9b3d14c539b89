"""A project made from the contract of the example, in memory."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import cast

from mcp_lockstep.contract.sources import read_sources
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.emit.request import Request
from mcp_lockstep.pipeline.create import create
from mcp_lockstep.plan import Plan
from mcp_lockstep.tree import Memory, Tree

CONTRACT = Path(__file__).resolve().parents[2] / "examples/weather/contract.json"
NAME = "io.github.acme/weather"


@cache
def made_plan() -> Plan:
    """The plan of `new weather --from contract.json --name io.github.acme/weather`."""
    offer = read_sources([str(CONTRACT)])
    return create(Tree(Memory({})), offer, Request("weather", NAME))


def made_project() -> dict[str, bytes]:
    """The files of the new project."""
    return {change.path: change.after for change in made_plan().changes if change.after is not None}


def contract_data(files: dict[str, bytes]) -> JsonObject:
    """The contract in the files of a project."""
    return cast("JsonObject", json.loads(files["contract.json"]))


def with_contract(files: dict[str, bytes], contract: JsonObject) -> dict[str, bytes]:
    """The files with another contract."""
    return {**files, "contract.json": json.dumps(contract, indent=2).encode()}

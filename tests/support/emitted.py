"""Projects written for tests: from a contract to files on disk, without the command line."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import cast

from mcp_lockstep.bundled.targets import Templates, target
from mcp_lockstep.contract.limits import published, target_limits
from mcp_lockstep.contract.model import KINDS, Contract
from mcp_lockstep.documents.data import JsonObject, objects
from mcp_lockstep.emit.generated import generated
from mcp_lockstep.emit.seeds import seeds
from mcp_lockstep.emit.views import ProjectView
from mcp_lockstep.models.contract import contract_models
from mcp_lockstep.naming import ImportName, distribution_name, package_name


def project_view(name: str, contract: Contract) -> ProjectView:
    """A view of a project for `contract`, its models made when they are asked for."""
    tools = published(contract, target_limits("mcp2"))
    return ProjectView(
        name=f"io.github.acme/{name}",
        label=name,
        distribution=distribution_name(name),
        package=ImportName(package_name(name)),
        version="0.1.0",
        templates=Templates(target("mcp2")),
        contract=contract,
        models=cache(lambda: contract_models(tools)),
        description="A server for tests.",
    )


def files(view: ProjectView) -> dict[str, str]:
    """Every file of a project by its path."""
    made = {seed.path: seed.text for seed in seeds(view)}
    return made | {file.path: file.make() for file in generated(view)}


def write(view: ProjectView, folder: Path) -> Path:
    """Write a project and return its folder."""
    for name, text in files(view).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return folder


def contract_of(document: JsonObject) -> Contract:
    """A contract from an object whose lists are arrays, or whole answers to the list calls."""
    lists = [_items(document.get(kind), kind) for kind in KINDS]
    return Contract(*lists)


def tool_list(path: Path) -> Contract:
    """The contract in a file of captured lists."""
    return contract_of(cast("JsonObject", json.loads(path.read_text(encoding="utf-8"))))


def _items(value: object, kind: str) -> tuple[JsonObject, ...]:
    if isinstance(value, dict):
        answer = cast("JsonObject", value)
        inner = answer.get(kind, cast("JsonObject", answer.get("result") or {}).get(kind))
        return objects(inner)
    return objects(value)

"""A module of models, whole: imports, helpers, classes."""

from __future__ import annotations

from mcp_lockstep.models.overlay import overlaid
from mcp_lockstep.models.plan import ModulePlan, plan
from mcp_lockstep.models.skeleton import ordered
from mcp_lockstep.models.support import helpers, imports
from mcp_lockstep.schema.values import Node


def module_source(planned: ModulePlan) -> str:
    """The source of the module for `planned`, without a seal."""
    code = overlaid(ordered(planned), planned)
    support = helpers(code, planned.definitions)
    names = sorted([*(cls.name for cls in planned.classes), *(alias.name for alias in planned.aliases)])
    exported = "".join(f"    {name!r},\n" for name in names)
    needed = imports(f"{support}\n{code}")
    head = f"{needed}\n\n__all__ = [\n{exported}]"
    return "\n\n\n".join(part for part in (head, support, code) if part) + "\n"


def planned_module(document: Node) -> ModulePlan:
    """The plan for a normalised document."""
    return plan(document)

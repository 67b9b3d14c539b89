"""A module of models, whole: imports, helpers, classes."""

from __future__ import annotations

from ..schema.values import Node
from .overlay import overlaid
from .plan import ModulePlan, plan
from .skeleton import skeleton
from .support import helpers, imports


def module_source(planned: ModulePlan) -> str:
    """The source of the module for `planned`, without a seal."""
    code = overlaid(skeleton(planned), planned)
    support = helpers(code, planned.definitions)
    names = sorted([*(cls.name for cls in planned.classes), *(alias.name for alias in planned.aliases)])
    exported = "".join(f"    {name!r},\n" for name in names)
    head = f"from __future__ import annotations\n\n{imports(f'{support}{code}')}\n\n__all__ = [\n{exported}]"
    return "\n\n\n".join(part for part in (head, support, code) if part) + "\n"


def planned_module(document: Node) -> ModulePlan:
    """The plan for a normalised document."""
    return plan(document)

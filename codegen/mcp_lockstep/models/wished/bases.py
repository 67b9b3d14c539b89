"""A base class of the user's under the one that every module has."""

from __future__ import annotations

from mcp_lockstep.models.plan import ModulePlan
from mcp_lockstep.models.support import HELPERS
from mcp_lockstep.models.wished.types import import_line, local_name
from mcp_lockstep.wishes import Wishes


def based(planned: ModulePlan, wishes: Wishes) -> ModulePlan:
    """`planned` with the wished base class and its import."""
    if not wishes.base_class:
        return planned
    taken = HELPERS | planned.all_definitions.keys() | {line.split()[-1] for line in planned.custom.imports}
    name = local_name(wishes.base_class, taken)
    imports = (*planned.custom.imports, import_line(wishes.base_class, name))
    return planned._replace(custom=planned.custom._replace(base=name, imports=tuple(sorted({*imports}))))

"""A base class of the user's under the one that every module has."""

from __future__ import annotations

from mcp_lockstep.config.overrides import Overrides
from mcp_lockstep.models.overrides.types import import_line, local_name
from mcp_lockstep.models.plan import ModulePlan
from mcp_lockstep.models.support import HELPERS


def based(planned: ModulePlan, overrides: Overrides) -> ModulePlan:
    """`planned` with the base class given and its import."""
    if not overrides.base_class:
        return planned
    taken = HELPERS | planned.all_definitions.keys() | {line.split()[-1] for line in planned.custom.imports}
    name = local_name(overrides.base_class, taken)
    imports = (*planned.custom.imports, import_line(overrides.base_class, name))
    return planned._replace(custom=planned.custom._replace(base=name, imports=tuple(sorted({*imports}))))

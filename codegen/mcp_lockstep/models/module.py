"""A module of pydantic models, whole: imports, helpers, classes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mcp_lockstep.config.styles import USUAL, Style
from mcp_lockstep.models.dispatch import Dispatch, dispatch
from mcp_lockstep.models.overlay import overlaid
from mcp_lockstep.models.plan import Custom, Imported, ModulePlan
from mcp_lockstep.models.profiles import EXACT, ProfileStyle
from mcp_lockstep.models.skeleton import ordered
from mcp_lockstep.models.support import helpers, imports


def module_source(planned: ModulePlan, profile: ProfileStyle = EXACT, style: Style = USUAL) -> str:
    """The source of the module for `planned`, without a seal; `style` has the oldest Python and pydantic."""
    code = overlaid(ordered(planned), planned, profile)
    custom = planned.custom
    # A base or openness of the user's own may drop the envelope that reading by method goes by.
    messages = dispatch(planned) if custom == Custom() else Dispatch()
    bases = (*profile.bases, "wire") if messages.code else profile.bases
    used = f"{code}\n{messages.code}\n{messages.names}"
    support = helpers(used, planned.definitions, bases, planned.imported.helpers)
    if custom.base:
        support = support.replace("class Struct(BaseModel):", f"class Struct({custom.base}):")
    support = support.replace('extra="allow"', f'extra="{custom.policy}"')
    needed = "\n".join(
        [
            imports(f"{support}\n{code}\n{messages.code}", style),
            *_shared(planned.imported, used),
            *custom.imports,
        ]
    )
    names = [*(cls.name for cls in planned.classes), *(alias.name for alias in planned.aliases)]
    head = f"{needed}\n\n{exported([*names, *messages.names, *custom.exported])}"
    return "\n\n\n".join(part for part in (head, support, code, messages.code.strip()) if part) + "\n"


def _shared(imported: Imported, used: str) -> list[str]:
    """The import of what another module has already; of helpers only those that are `used`."""
    helping = [name for name in imported.helpers if re.search(rf"\b{name}\b", used)]
    rows = "".join(f"    {name},\n" for name in sorted([*imported.names, *helping]))
    return [f"from {imported.module} import (\n{rows})"] if rows else []


def exported(names: Iterable[str]) -> str:
    """The statement for `__all__`."""
    rows = "".join(f"    {name!r},\n" for name in sorted(names))
    return f"__all__ = [\n{rows}]"

"""What classes do with unknown properties, where somebody wants it otherwise."""

from __future__ import annotations

from mcp_lockstep.config.overrides import REST, Overrides, OverrideTrouble
from mcp_lockstep.models.overrides.names import near
from mcp_lockstep.models.plan import ModulePlan


def policed(planned: ModulePlan, overrides: Overrides, troubles: list[OverrideTrouble]) -> ModulePlan:
    """`planned` with the policies of the overrides. `*` is for classes about which the schema says nothing."""
    known = {cls.name for cls in planned.classes}
    for name in overrides.extra:
        if name != REST and name not in known:
            message = f"`extra.{name}`: there is no class {name}"
            troubles.append(OverrideTrouble(("extra", name), message, name, hint=near(name, known)))
    rest = overrides.extra.get(REST, "")
    classes = tuple(cls._replace(policy=overrides.extra.get(cls.name, "")) for cls in planned.classes)
    return planned._replace(classes=classes, custom=planned.custom._replace(policy=rest or "allow"))

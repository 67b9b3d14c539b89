"""What classes do with unknown properties, where somebody wished it otherwise."""

from __future__ import annotations

from mcp_lockstep.models.plan import ModulePlan
from mcp_lockstep.models.wished.names import near
from mcp_lockstep.wishes import REST, Wishes, WishTrouble


def policed(planned: ModulePlan, wishes: Wishes, troubles: list[WishTrouble]) -> ModulePlan:
    """`planned` with the wished policies. `*` is for all classes about which the schema says nothing itself."""
    known = {cls.name for cls in planned.classes}
    for name in wishes.extra:
        if name != REST and name not in known:
            message = f"`extra.{name}`: there is no class {name}"
            troubles.append(WishTrouble(("extra", name), message, name, hint=near(name, known)))
    rest = wishes.extra.get(REST, "")
    classes = tuple(cls._replace(policy=wishes.extra.get(cls.name, "")) for cls in planned.classes)
    return planned._replace(classes=classes, custom=planned.custom._replace(policy=rest or "allow"))

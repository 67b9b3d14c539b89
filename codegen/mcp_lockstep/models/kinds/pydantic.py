"""Pydantic models: everything that a schema says is in a type or in a validator."""

from __future__ import annotations

from mcp_lockstep.config.styles import Profile, Style
from mcp_lockstep.models.module import module_source
from mcp_lockstep.models.plan import FieldNames, ModulePlan
from mcp_lockstep.models.profiles import ERGONOMIC, EXACT, ProfileStyle
from mcp_lockstep.schema.values import Node
from mcp_lockstep.schema.vet import Trouble


class Pydantic:
    """Writes the models of one profile."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._profile = _profile(style.profile)

    def names(self) -> FieldNames:
        return self._profile.names()

    def source(self, planned: ModulePlan) -> str:
        return module_source(planned, self._profile, self._style)

    def unsaid(self, root: Node) -> tuple[Trouble, ...]:
        return ()


def _profile(profile: Profile) -> ProfileStyle:
    match profile:
        case "exact":
            return EXACT
        case "ergonomic":
            return ERGONOMIC

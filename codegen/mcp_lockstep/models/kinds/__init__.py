"""The kinds of generated models: each knows its names, its source, and what of a schema it cannot say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from mcp_lockstep.config.styles import Style
from mcp_lockstep.models.plan import FieldNames, ModulePlan
from mcp_lockstep.schema.values import Node
from mcp_lockstep.schema.vet import Trouble


class Printer(Protocol):
    """Writes modules of one style."""

    def names(self) -> FieldNames:
        """How the fields of a class are named."""
        ...

    def source(self, planned: ModulePlan) -> str:
        """The module for `planned`, without a seal."""
        ...

    def unsaid(self, root: Node) -> Iterable[Trouble]:
        """What the root schema says and the module does not; an error means that none is to be written."""
        ...


def printer(style: Style) -> Printer:
    """The printer for `style`. Each is loaded where it is asked for."""
    match style.kind:
        case "pydantic":
            from mcp_lockstep.models.kinds.pydantic import Pydantic

            return Pydantic(style)
        case "dataclass":
            from mcp_lockstep.models.kinds.dataclass import Dataclasses

            return Dataclasses(style)
        case "typeddict":
            from mcp_lockstep.models.kinds.typeddict import TypedDicts

            return TypedDicts(style)
        case "msgspec":
            from mcp_lockstep.models.kinds.msgspec import Structs

            return Structs()

"""What the keywords need of whoever reads a schema: they narrow a shape, and lead on to other schemas."""

from __future__ import annotations

from typing import Protocol

from mcp_lockstep.schema.instances.document import Schemas
from mcp_lockstep.schema.instances.shape import Shape, Want
from mcp_lockstep.schema.instances.values import Dice


class Narrowing(Protocol):
    """Reads schemas into shapes; `strict` denies the alternatives not chosen instead of hoping that they fail."""

    schemas: Schemas
    dice: Dice
    strict: bool

    def add(self, shape: Shape, want: Want) -> None:
        """Narrow `shape` to what `want` allows; DeadEnd if that is nothing."""
        ...

"""What a user asks of a new project."""

from __future__ import annotations

from typing import Literal, NamedTuple

Transport = Literal["stdio", "http"]


class Wishes(NamedTuple):
    """What the user asked of a new project.

    `folder` is its name on disk; `name` that in the registry (empty: a SOURCE says it, or nobody); `templates` a
    folder of own templates (None: none).
    """

    folder: str
    name: str = ""
    sdk: str = "mcp2"
    transport: Transport = "stdio"
    templates: str | None = None
    hook: bool = False

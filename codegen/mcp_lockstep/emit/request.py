"""What a user asks of a new project."""

from __future__ import annotations

from mcp_lockstep.contract.model import Transport
from mcp_lockstep.records import NamedTuple


class Request(NamedTuple):
    """What the user asked of a new project.

    `folder` is its name on disk; `name` that in the registry (empty: a SOURCE says it, or nobody); `transport` how
    clients talk to it (None: as a SOURCE says); `templates` a folder of own templates (None: none).
    """

    folder: str
    name: str = ""
    sdk: str = "mcp2"
    transport: Transport | None = None
    templates: str | None = None
    hook: bool = False

"""What judging a fact of the surface gives."""

from __future__ import annotations

from mcp_lockstep.documents import Edit
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Finding
from mcp_lockstep.records import NamedTuple

ARGUMENTS = "arguments"
"""The row of the fact table that flags, positional arguments and transports belong to."""


class Startup(NamedTuple):
    """Where the fact stands, what is wrong with it, and the edits of server.json that mend it."""

    readings: tuple[Reading, ...] = ()
    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()

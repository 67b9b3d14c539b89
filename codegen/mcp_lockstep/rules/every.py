"""Every kind of finding about server.json and its relatives, those included that need the network."""

from __future__ import annotations

from mcp_lockstep.findings import Code
from mcp_lockstep.rules import (
    BYTE_ORDER_MARK,
    arguments,
    bundle,
    former,
    image,
    keys,
    mcpb,
    meta,
    name,
    online,
    package,
    proposed,
    registry_list,
    repository,
    revision,
    samples,
    schema,
    secrets,
    text,
    transport,
    version,
    website,
)

_FAMILIES = (
    revision,
    schema,
    keys,
    text,
    samples,
    name,
    version,
    repository,
    website,
    meta,
    former,
    package,
    image,
    bundle,
    transport,
    arguments,
    registry_list,
    mcpb,
    secrets,
    proposed,
    online,
)

CODES: tuple[Code, ...] = tuple(
    sorted(
        {BYTE_ORDER_MARK}.union(
            *({c for c in vars(family).values() if isinstance(c, Code)} for family in _FAMILIES)
        )
    )
)
"""All of them, by id."""

"""What validate-pyproject asks us: the JSON Schema of our table in pyproject.toml."""

from __future__ import annotations

import json

from mcp_lockstep.bundled import resources
from mcp_lockstep.documents.data import JsonObject, table


def tool_schema(tool: str) -> JsonObject:
    """Configuration of mcp-lockstep, as ``[tool.$tool]``."""
    _ = tool
    return table(json.loads(resources.read("schemas", "config.json")))

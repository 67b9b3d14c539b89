from __future__ import annotations

from weather._generated.runtime import ResourceContent
from weather.app import mcp


@mcp.contract_resource("weather://stations/{id}")
async def station(*, id: str) -> ResourceContent:
    """What one station measured last."""
    raise NotImplementedError

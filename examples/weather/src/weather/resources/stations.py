from __future__ import annotations

from weather._generated.runtime import ResourceContent
from weather.app import mcp


@mcp.contract_resource("weather://stations")
async def stations() -> ResourceContent:
    """Every station, one a line."""
    raise NotImplementedError

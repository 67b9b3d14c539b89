from __future__ import annotations

from weather._generated.runtime import Content
from weather.app import mcp


@mcp.contract("delete-alert")
async def delete_alert(*, id: str) -> Content:
    """Stop one alert."""
    raise NotImplementedError

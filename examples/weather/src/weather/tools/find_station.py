from __future__ import annotations

from pydantic import MISSING

from weather._generated.models import SortBy
from weather._generated.runtime import Content
from weather.app import mcp


@mcp.contract("find-station")
async def find_station(
    *,
    query: str,
    country: str | MISSING = MISSING,
    limit: int = 10,
    sort_by: SortBy = "name",
) -> Content:
    """Find weather stations by name."""
    raise NotImplementedError

from __future__ import annotations

from pydantic import MISSING

from weather._generated.runtime import Content
from weather.app import mcp


@mcp.contract("compare-days")
async def compare_days(
    *, station: str, from_: str, to: str, labels: dict[str, str] | MISSING = MISSING
) -> Content:
    """Set two days at one station side by side."""
    raise NotImplementedError

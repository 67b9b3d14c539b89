from __future__ import annotations

from weather._generated.runtime import PromptContent
from weather.app import mcp


@mcp.contract_prompt("pack-for-trip")
async def pack_for_trip(*, place: str, days: str | None = None) -> PromptContent:
    """What to pack, given the weather there."""
    raise NotImplementedError

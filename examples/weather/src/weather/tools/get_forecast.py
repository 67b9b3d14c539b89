from __future__ import annotations

from pydantic import MISSING

from weather._generated.models import Forecast, Place, Units
from weather.app import mcp


@mcp.contract("get-forecast")
async def get_forecast(
    *, place: Place, days: int = 3, units: Units | MISSING = MISSING
) -> Forecast:
    """Say what the weather of the next days will be at one place."""
    raise NotImplementedError

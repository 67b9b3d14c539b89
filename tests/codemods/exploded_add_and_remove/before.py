@mcp.contract("get-forecast")
async def get_forecast(
    *,
    city: str,  # the city
    # how far ahead
    days: int = 3,  # days, at most 14
    ctx: Context,  # injected
) -> Forecast:  # a result
    """Forecast for a city."""
    return await fetch(city)

@mcp.contract("get-forecast")
async def get_forecast(
    *,
    city: str,  # the city
    # how far ahead
    ctx: Context,  # injected
    units: Units | MISSING = MISSING,
    label: str = "it's",
) -> Forecast:  # a result
    """Forecast for a city."""
    return await fetch(city)

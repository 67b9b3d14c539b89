"""Forecasts."""

from weather.app import mcp


@mcp.contract("get-forecast")   # the tool
async def get_forecast( city:str , # odd blanks stay
        ctx : Context,
        *, days : "int"=3, units: Union[pydantic.MISSING, Units]=MISSING) -> Optional["Forecast"] :
    """Forecast for a city."""
    return  await forecast( city,days )

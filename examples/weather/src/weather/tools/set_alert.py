from __future__ import annotations

from pydantic import MISSING

from weather._generated.models import (
    AboveWhen,
    Alert,
    BetweenWhen,
    Measure,
    SetAlertDay,
)
from weather.app import mcp


@mcp.contract("set-alert")
async def set_alert(
    *,
    station: str,
    when: AboveWhen | BetweenWhen,
    measure: Measure,
    note: str | None = None,
    days: list[SetAlertDay] | MISSING = MISSING,
) -> Alert:
    """Ask to be told when a measurement passes a limit."""
    raise NotImplementedError

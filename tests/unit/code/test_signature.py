from __future__ import annotations

import black
import pytest

from mcp_lockstep.code.signature import Parameter, Signature, parse_signature

CITY = Parameter("city", "str")
DAYS = Parameter("days", "int", "3")
UNITS = Parameter("units", "Units | MISSING", "MISSING")


def many(count: int) -> Signature:
    return Signature(tuple(Parameter(f"parameter_{number}", "str") for number in range(count)), "Forecast")


@pytest.mark.parametrize(
    ("signature", "text"),
    [
        (Signature(), "()"),
        (Signature((), "None"), "() -> None"),
        (
            Signature((CITY, DAYS, UNITS), "Forecast"),
            "(*, city: str, days: int = 3, units: Units | MISSING = MISSING) -> Forecast",
        ),
        (Signature((Parameter("anything"), Parameter("more", "", "1"))), "(*, anything, more=1)"),
    ],
)
def test_a_signature_is_text_and_back(signature: Signature, text: str) -> None:
    assert str(signature) == text
    assert parse_signature(text) == signature


@pytest.mark.parametrize("signature", [Signature(), Signature((CITY,)), *map(many, range(1, 9))])
def test_a_long_signature_is_broken_where_formatters_break_it(signature: Signature) -> None:
    text = f"async def forecast{signature.wrapped(88 - len('async def forecast:'), 88)}:\n    pass\n"
    assert black.format_str(text, mode=black.Mode()) == text
    assert max(map(len, text.splitlines())) <= 88

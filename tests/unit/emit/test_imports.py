"""Import lines are the ones that ruff and isort write."""

from __future__ import annotations

from keyword import iskeyword

import isort
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_lockstep.code.imports import names_used
from mcp_lockstep.code.signature import parse_signature
from mcp_lockstep.emit.imports import import_block, origins

NAMES = st.from_regex("[A-Za-z][A-Za-z0-9_]{0,30}", fullmatch=True).filter(lambda name: not iskeyword(name))


@given(st.sets(NAMES, min_size=1, max_size=12))
def test_isort_changes_nothing(names: set[str]) -> None:
    line = import_block({"weather._generated.models": names}, "weather") + "\n"
    assert isort.code(line, profile="black", known_first_party=["weather"]) == line


def test_three_sections() -> None:
    modules = {
        "weather.app": {"mcp"},
        "typing": {"Literal", "Any"},
        "pydantic": {"MISSING", "JsonValue"},
        "weather._generated.models": {"Units", "URL", "Forecast", "Item10", "Item9"},
    }
    assert import_block(modules, "weather") == (
        "from typing import Any, Literal\n\n"
        "from pydantic import MISSING, JsonValue\n\n"
        "from weather._generated.models import URL, Forecast, Item9, Item10, Units\n"
        "from weather.app import mcp"
    )


def test_a_long_line_is_wrapped() -> None:
    names = {f"LongNameNumber{n}" for n in range(5)}
    assert import_block({"weather._generated.models": names}, "weather").splitlines()[:2] == [
        "from weather._generated.models import (",
        "    LongNameNumber0,",
    ]


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("()", {}),
        ("(*, a: str, b: int = 3) -> Content", {"w._generated.runtime": {"Content"}}),
        (
            "(*, a: Any | MISSING = MISSING) -> Units",
            {"typing": {"Any"}, "pydantic": {"MISSING"}, "w._generated.models": {"Units"}},
        ),
        ("(*, a: Literal['Units', 'str'])", {"typing": {"Literal"}}),
        ("(*, a: dict[str, list[Content]])", {"w._generated.models": {"Content"}}),
    ],
)
def test_names_come_from_where_they_stand(signature: str, expected: dict[str, set[str]]) -> None:
    models = ["Units"] if "Content]" not in signature else ["Content"]
    assert origins(names_used(parse_signature(signature)), "w", models) == expected

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import TypeAdapter, ValidationError

from mcp_lockstep.models.base import (
    ONLY_BOOLEANS,
    ONLY_NUMBERS,
    JsonInt,
    JsonNumber,
    Struct,
    without_namesakes,
)

REFUSED = object()


def made(kind: Any, value: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return REFUSED


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (5, 5),
        (5.0, 5),
        (1e3, 1000),
        (10**40, 10**40),
        (5.5, REFUSED),
        (True, REFUSED),
        ("5", REFUSED),
        (None, REFUSED),
    ],
)
def test_whole_numbers(value: Any, wanted: Any) -> None:
    found = made(JsonInt, value)
    assert found == wanted
    assert wanted is REFUSED or type(found) is int


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (5, 5),
        (5.5, 5.5),
        (9007199254740993, 9007199254740993),
        (10**400, 10**400),
        (True, REFUSED),
        ("5", REFUSED),
    ],
)
def test_numbers_keep_every_digit(value: Any, wanted: Any) -> None:
    assert made(JsonNumber, value) == wanted


def test_literals_tell_numbers_from_booleans() -> None:
    one = Annotated[Literal[1], ONLY_NUMBERS]
    yes = Annotated[Literal[True], ONLY_BOOLEANS]
    assert [made(one, value) for value in (1, 1.0, True, 2)] == [1, 1, REFUSED, REFUSED]
    assert [made(yes, value) for value in (True, 1, 1.0, False)] == [True, REFUSED, REFUSED, REFUSED]


def test_unknown_properties_are_kept_beside_a_union_that_takes_all() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(dict[str, JsonNumber | Any])
    assert adapter.dump_python(adapter.validate_python({"a": True}), mode="json") == {"a": True}


def test_a_namesake_is_not_the_field() -> None:
    class Mail(Struct):
        from_: str = "x"

    mail = Mail.model_construct(_fields_set={"from_"}, from_="x")
    assert without_namesakes(mail, {"from_": 1}, {"from_": "from"}).model_fields_set == set()

"""Named tuples of ours behave as those of `typing` do."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from typing import Any
from typing import NamedTuple as Typed

import pytest

from mcp_lockstep.records import NamedTuple


class Ours(NamedTuple):
    """A stay."""

    city: str
    days: int = 3
    costs: Mapping[str, int] = {}

    @property
    def long(self) -> bool:
        """Whether it goes beyond a week."""
        return self.days > 7


class Theirs(Typed):
    """A stay."""

    city: str
    days: int = 3
    costs: Mapping[str, int] = {}


class Other(NamedTuple):
    """As wide as `Ours`, with which it shares a constructor, and of other names."""

    costs: str
    city: str
    days: str = "none"


class Single(NamedTuple):
    """One field."""

    value: tuple[int, ...]


class Empty(NamedTuple):
    """No field."""


PAIRS = [
    (Ours("Oslo"), Theirs("Oslo")),
    (Ours("Oslo", 5), Theirs("Oslo", 5)),
    (Ours("Oslo", costs={"bed": 1}), Theirs("Oslo", costs={"bed": 1})),
    (Ours(days=9, city="Oslo"), Theirs(days=9, city="Oslo")),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_an_instance_is_like_that_of_typing(ours: Ours, theirs: Theirs) -> None:
    assert ours == tuple(theirs)
    assert (ours.city, ours.days, ours.costs) == (theirs.city, theirs.days, theirs.costs)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._asdict() == theirs._asdict()
    assert ours._replace(days=1) == tuple(theirs._replace(days=1))
    assert Ours._make(theirs) == ours
    assert type(Ours._make(theirs)) is type(ours._replace(days=1)) is Ours


@pytest.mark.parametrize("name", ["_fields", "_field_defaults", "__match_args__", "__slots__", "__doc__"])
def test_a_class_is_like_that_of_typing(name: str) -> None:
    assert getattr(Ours, name) == getattr(Theirs, name)


def test_classes_of_one_width_keep_their_own_names() -> None:
    other = Other(city="Oslo", costs="much")
    assert (other.costs, other.city, other.days) == ("much", "Oslo", "none")
    assert (Ours("Oslo").city, Ours("Oslo").long, Ours("Oslo", 8).long) == ("Oslo", False, True)


def test_one_field_and_none() -> None:
    assert Single((1, 2)).value == (1, 2)
    assert tuple(Single((1, 2))) == ((1, 2),)
    assert (repr(Single(())), repr(Empty()), tuple(Empty())) == ("Single(value=())", "Empty()", ())


def test_it_is_taken_apart_by_name_and_place() -> None:
    match Ours("Oslo", 4):
        case Ours(city, days=4):
            assert city == "Oslo"
        case _:
            pytest.fail("no match")


@pytest.mark.parametrize("value", [Ours("Oslo", costs={"bed": 1}), Single((1,)), Empty()])
def test_it_crosses_to_another_process(value: Ours | Single | Empty) -> None:
    for copied in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert copied == value
        assert type(copied) is type(value)


@pytest.mark.parametrize("name", ["city", "mayor"])
def test_it_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Ours("Oslo"), name, "Bergen")


@pytest.mark.parametrize(
    ("given", "named", "message"),
    [
        ((), {}, r"Ours\.__new__\(\) missing 1 required positional argument: 'city'"),
        (("Oslo",), {"mayor": "nobody"}, "unexpected keyword argument 'mayor'"),
        (("Oslo", 3, {}, 4), {}, "takes from 2 to 4 positional arguments but 5 were given"),
    ],
)
def test_a_wrong_call_names_the_field(
    given: tuple[object, ...], named: Mapping[str, object], message: str
) -> None:
    make: type = Ours
    with pytest.raises(TypeError, match=message):
        make(*given, **named)


def test_a_replacement_needs_a_field() -> None:
    changes: dict[str, Any] = {"mayor": "nobody"}
    with pytest.raises(ValueError, match="Ours has no field mayor"):
        Ours("Oslo")._replace(**changes)

"""Names for any text: valid, deterministic, distinct, whatever the order."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_lockstep.naming import (
    MODEL_ATTRIBUTES,
    WINDOWS_NAMES,
    class_name,
    distinct,
    distribution_name,
    field_name,
    function_name,
    identifier,
    module_name,
    package_name,
)

PIECES = st.sampled_from(
    [
        "_",
        "__",
        "-",
        " ",
        ".",
        "/",
        "..",
        "a",
        "A",
        "b",
        "1",
        "class",
        "json",
        "é",
        "e\u0301",
        "日",
        "\ud800",
        "\u0345",
    ]
)
TEXTS = st.text(max_size=20) | st.lists(PIECES, max_size=6).map("".join)
MAKERS: list[Callable[[str], str]] = [
    identifier,
    function_name,
    field_name,
    class_name,
    module_name,
    package_name,
    distribution_name,
]
PYTHON_MAKERS = MAKERS[:-1]


@pytest.mark.parametrize("make", MAKERS)
@given(text=TEXTS)
def test_any_text_makes_a_name_again_and_again(make: Callable[[str], str], text: str) -> None:
    name = make(text)
    assert name == make(text)
    assert type(name)(name) == name


@pytest.mark.parametrize("make", PYTHON_MAKERS)
@given(text=TEXTS)
def test_the_compiler_keeps_the_name(make: Callable[[str], str], text: str) -> None:
    name = make(text)
    assert not name.startswith("_")
    assert not keyword.iskeyword(name)
    statement = ast.parse(f"{name} = 0").body[0]
    assert isinstance(statement, ast.Assign)
    target = statement.targets[0]
    assert isinstance(target, ast.Name)
    assert target.id == name


@given(TEXTS)
def test_modules_are_plain_file_names(text: str) -> None:
    name = module_name(text)
    assert name.isascii()
    assert name == name.lower()
    assert len(name) <= 81
    assert name not in WINDOWS_NAMES
    assert not set(name) & set("./\\")


@given(TEXTS, st.sets(TEXTS, max_size=4))
def test_fields_are_free_names(wire: str, taken: set[str]) -> None:
    assert field_name(wire, taken) not in taken | MODEL_ATTRIBUTES


@pytest.mark.parametrize("make", MAKERS)
@given(texts=st.lists(TEXTS, max_size=8, unique=True), data=st.data())
def test_distinct(make: Callable[[str], str], texts: list[str], data: st.DataObject) -> None:
    names = distinct(texts, make)
    assert list(names) == texts
    assert len(set(names.values())) == len(texts)
    assert distinct(data.draw(st.permutations(texts)), make) == names


@pytest.mark.parametrize("make", MAKERS)
@given(texts=st.lists(TEXTS, max_size=8), more=TEXTS)
def test_a_further_name_disturbs_only_one_of_its_own_spelling(
    make: Callable[[str], str], texts: list[str], more: str
) -> None:
    before, after = distinct(texts, make), distinct([*texts, more], make)
    renamed = [text for text in texts if before[text] != after[text]]
    assert len(set(renamed)) <= 1
    assert all(make(text) == make(more) or before[text] == make(more) for text in renamed)


@given(st.lists(TEXTS, max_size=8))
def test_a_name_that_is_one_already_stays(texts: list[str]) -> None:
    names = distinct(texts, identifier)
    assert all(names[text] == text for text in texts if identifier(text) == text)

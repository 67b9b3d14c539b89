"""JSON pointers."""

from __future__ import annotations

import pytest

from mcp_lockstep.documents import make_pointer, pointer_parts, value_at
from mcp_lockstep.documents.pointer import array_index, split_pointer


@pytest.mark.parametrize(
    ("parts", "pointer"),
    [
        ((), ""),
        (("a", "b"), "/a/b"),
        (("",), "/"),
        (("a/b", "~1", "~"), "/a~1b/~01/~0"),
        (("0", "-"), "/0/-"),
    ],
)
def test_parts_and_pointers_are_two_spellings(parts: tuple[str, ...], pointer: str) -> None:
    assert make_pointer(parts) == pointer
    assert pointer_parts(pointer) == parts


def test_indices_may_be_numbers() -> None:
    assert make_pointer(["packages", 0, "version"]) == "/packages/0/version"


def test_a_pointer_begins_with_a_slash() -> None:
    with pytest.raises(ValueError, match="not a JSON pointer"):
        pointer_parts("a/b")


def test_split_pointer_names_the_container() -> None:
    assert split_pointer("/a~1b/~0/c") == ("/a~1b/~0", "c")
    with pytest.raises(ValueError, match="root"):
        split_pointer("")


@pytest.mark.parametrize(
    ("part", "index"), [("0", 0), ("2", 2), ("3", None), ("01", None), ("-1", None), ("-", None)]
)
def test_only_plain_numbers_are_indices(part: str, index: int | None) -> None:
    assert array_index(part, 3) == index
    assert array_index("\u0662", 3) is None
    assert array_index("9" * 5000, 3) is None


def test_value_at_walks_objects_and_arrays() -> None:
    data = {"a": [1, {"b/c": None}], "0": "zero"}
    assert value_at(data, "") is data
    assert value_at(data, "/a/1/b~1c") is None
    assert value_at(data, "/0") == "zero"
    for pointer in ("/a/2", "/a/b", "/x", "/a/0/0", "/0/0"):
        with pytest.raises(KeyError):
            value_at(data, pointer)

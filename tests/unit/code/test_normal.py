from __future__ import annotations

import pytest

from mcp_lockstep.code.normal import same_annotation, same_default


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("str", "str"),
        ("Optional[str]", "str | None"),
        ("typing.Optional[str]", "None | str"),
        ("Union[str, int, None]", "int | None | str"),
        ("Optional[Union[int, str]]", "str | int | None"),
        ("'Units'", "Units"),
        ("'Units | None'", "Optional['Units']"),
        ("List[int]", "list[int]"),
        ("t.Dict[str, t.List[int]]", "dict[str, list[int]]"),
        ("Literal['a', 'b']", 'typing.Literal["b", "a"]'),
        ("Literal['[', 'a | b']", "Literal['a | b', '[']"),
        ("Annotated[Optional[int], Field(ge=1)]", "Annotated[int | None, Field(ge=1)]"),
        ("Callable[[Optional[int]], str]", "collections.abc.Callable[[int | None], str]"),
        ("models.Units | pydantic.MISSING", "MISSING | Units"),
        ("str | str", "str"),
        ("", ""),
    ],
)
def test_equal_annotations(left: str, right: str) -> None:
    assert same_annotation(left, right)
    assert same_annotation(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("str", "int"),
        ("str", "str | None"),
        ("str", ""),
        ("int", "Annotated[int, Field(ge=1)]"),
        ("Literal['Units']", "Literal[Units]"),
        ("dict[str, int]", "dict[int, str]"),
        ("a.Units", "b.Units"),
        ("((", "(("[:1]),
    ],
)
def test_different_annotations(left: str, right: str) -> None:
    assert not same_annotation(left, right)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("3", "3", True),
        ("'a'", '"a"', True),
        ("1_000", "1000", True),
        ("MISSING", "pydantic.MISSING", True),
        ("None", "MISSING", False),
        ("1", "1.0", False),
        ("True", "1", False),
        ("", "None", False),
        ("", "", True),
    ],
)
def test_defaults(left: str, right: str, same: bool) -> None:
    assert same_default(left, right) is same


def test_an_annotation_too_deep_to_be_read_is_compared_as_text() -> None:
    deep = " | ".join(["int"] * 5000)
    assert same_annotation(deep, deep)
    assert not same_annotation(deep, "int")

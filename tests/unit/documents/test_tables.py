"""Tables of Markdown are found, taken apart and written again in their own style."""

from __future__ import annotations

import pytest

from mcp_lockstep.documents.tables import table_in

PLAIN = "| tool | does |\n|---|---|\n| `a` | b |\n"


@pytest.mark.parametrize(
    ("text", "head", "rows"),
    [
        (PLAIN, ("tool", "does"), [("`a`", "b")]),
        ("text\n\n" + PLAIN + "\nmore | text\n", ("tool", "does"), [("`a`", "b")]),
        (PLAIN + "no bar, no row\n", ("tool", "does"), [("`a`", "b")]),
        ("a | b\n:-- | --:\n1 | 2\n", ("a", "b"), [("1", "2")]),
        ("  | a |\r\n  | - |\r\n  | 1 |\r\n", ("a",), [("1",)]),
        (r"| a | b |" + "\n|-|-|\n" + r"| x \| y | \\| z |" + "\n", ("a", "b"), [(r"x \| y", r"\\", "z")]),
        ("| a | b |\n|-|-|\n| 1 |\n|| 2 |\n", ("a", "b"), [("1",), ("", "2")]),
        ("| a |\n|---|", ("a",), []),
        ("| not | a table |\n\n| a |\n|---|\n| 1 |", ("a",), [("1",)]),
    ],
)
def test_the_first_table_is_taken_apart(
    text: str, head: tuple[str, ...], rows: list[tuple[str, ...]]
) -> None:
    found = table_in(text, (0, len(text)))
    assert found is not None
    assert found.head.cells == head
    assert [row.cells for row in found.rows] == rows
    lines = text[slice(*found.span)].split("\n")
    assert [line.removesuffix("\r") for line in lines] == [
        row.line for row in (found.head, found.rule, *found.rows)
    ]


@pytest.mark.parametrize(
    "text", ["", "| a | b |\n|---|\n", "| a |\n", "a\n---\n", "| a |\n| b |\n", "|---|\n"]
)
def test_what_is_no_table(text: str) -> None:
    assert table_in(text, (0, len(text))) is None


def test_only_the_part_is_looked_at() -> None:
    text = PLAIN * 2
    found = table_in(text, (len(PLAIN), len(text)))
    assert found is not None
    assert found.span == (len(PLAIN), len(text) - 1)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("-", "| - | row |"),
        ("+", "| + | row |"),
        ("1.", "| 1. | row |"),
        ("", "|  | row |"),
        ("-x", "-x | row"),
        ("1.5", "1.5 | row"),
    ],
)
def test_a_row_without_outer_bars_begins_no_list(name: str, line: str) -> None:
    text = "a | b\n--|--\n1 | 2"
    found = table_in(text, (0, len(text)))
    assert found is not None
    assert found.lines([*found.rows, (name, "row")]) == ["a | b", "--|--", "1 | 2", line]


ALIGNED = """\
| tool    | does      |
| ------- | :-------- |
| `count` | it counts |
"""
DASHED = """\
|tool     | does      |
|---------|----------:|
| `count` | it counts |
"""


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (PLAIN, ["| tool | does |", "|---|---|", "| `a` | b |", "| new | row |"]),
        ("a | b\n--|--\n1 | 2\n", ["a | b", "--|--", "1 | 2", "new | row"]),
        ("  | a | b |\n  |--|--|\n  |1|2|\n", ["  | a | b |", "  |--|--|", "  |1|2|", "  | new | row |"]),
        (
            ALIGNED,
            [
                "| tool    | does      |",
                "| ------- | :-------- |",
                "| `count` | it counts |",
                "| new     | row       |",
            ],
        ),
        (
            DASHED,
            [
                "| tool    | does      |",
                "|---------|----------:|",
                "| `count` | it counts |",
                "| new     | row       |",
            ],
        ),
    ],
)
def test_a_new_row_looks_like_the_others(text: str, after: list[str]) -> None:
    found = table_in(text, (0, len(text)))
    assert found is not None
    assert found.lines([*found.rows, ("new", "row")]) == after


def test_a_table_that_was_aligned_grows_whole() -> None:
    found = table_in(ALIGNED, (0, len(ALIGNED)))
    assert found is not None
    assert found.lines([*found.rows, ("`weigh_all`", "重さ")]) == [
        "| tool        | does      |",
        "| ----------- | :-------- |",
        "| `count`     | it counts |",
        "| `weigh_all` | 重さ      |",
    ]

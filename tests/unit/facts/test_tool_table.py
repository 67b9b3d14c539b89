"""The table of tools in a README: what is said of it, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hostile import NAMES, TEXTS
from mcp_lockstep.documents import MarkdownDocument, apply_edits
from mcp_lockstep.documents.prose import code, comment, summary
from mcp_lockstep.facts.tool_table import Tools, judge_table

START, END = "<!-- tools:start -->", "<!-- tools:end -->"
TWO: Mapping[str, str | None] = {"count": "Count the widgets in one box.", "weigh": "Weigh one box."}
HEAD = "| tool | does |\n|---|---|\n"
EXAMPLES = "| tool | example | what it does |\n|---|---|---|\n"
COUNT = "| `count` | Count the widgets in one box. |\n"
WEIGH = "| `weigh` | Weigh one box. |\n"


def region(inner: str) -> str:
    return f"# Widgets\n\n{START}\n{inner}{END}\n\nText.\n"


def judged(
    text: str, tools: Mapping[str, str | None] = TWO, complete: bool = True
) -> tuple[list[tuple[int, str | None, str | None]], str]:
    """(line, have, want) of each finding, and the text after the edits; a second look finds nothing."""
    marked = judge_table(MarkdownDocument("README.md", text.encode()), Tools(tools, complete))
    after = apply_edits(text, marked.edits)
    again = judge_table(MarkdownDocument("README.md", after.encode()), Tools(tools, complete))
    assert (again.findings, again.edits) == ((), ())
    return [(f.position.line, f.have, f.want) for f in marked.findings], after


@pytest.mark.parametrize(
    "text",
    [
        "# Widgets\n\n" + HEAD + COUNT,
        f"# Widgets\n\n{START}\n" + HEAD + COUNT,
        f"```\n{START}\n{HEAD}{END}\n```\n",
        region(HEAD + COUNT + WEIGH),
        region(HEAD + WEIGH + COUNT),
        region("\nMy words.\n\n" + HEAD + COUNT + WEIGH + "\nMore of them.\n"),
        region("| tool  | does                          |\n| ----- | ----------------------------- |\n"
               "| count | Count the widgets in one box. |\n| weigh | Weigh one box.                |\n"),
        region("| tool | limit | description |\n|-|-|-|\n| [`count`](#count) | 9 | Count the widgets in one box. |\n"
               "| **[weigh](#w)** | 5 | Weigh one box. |\n"),
        region("| name |\n|---|\n| count |\n| weigh |\n"),
    ],
)  # fmt: skip
def test_a_table_that_says_all(text: str) -> None:
    assert judged(text) == ([], text)


@pytest.mark.parametrize(
    ("inner", "said", "after"),
    [
        (HEAD + COUNT, [(4, None, "weigh")], HEAD + COUNT + WEIGH),
        (HEAD, [(4, None, "count"), (4, None, "weigh")], HEAD + COUNT + WEIGH),
        (HEAD + COUNT + "| `gone` | Once. |\n" + WEIGH, [(7, "gone", None)], HEAD + COUNT + WEIGH),
        (HEAD + COUNT + WEIGH + COUNT, [(8, "count", None)], HEAD + COUNT + WEIGH),
        (
            HEAD + "| `count` | counts |\n" + WEIGH,
            [(6, "counts", "Count the widgets in one box.")],
            HEAD + COUNT + WEIGH,
        ),
        (
            HEAD + "| `count` |\n" + WEIGH,
            [(6, None, "Count the widgets in one box.")],
            HEAD + COUNT + WEIGH,
        ),
        (
            EXAMPLES + "| count | mine | Mine. |\n",
            [(6, "Mine.", "Count the widgets in one box."), (4, None, "weigh")],
            EXAMPLES + "| count | mine | Count the widgets in one box. |\n| weigh |  | Weigh one box. |\n",
        ),
        (
            "| name |\n|---|\n| `weigh` |\n",
            [(4, None, "count")],
            "| name |\n|---|\n| `weigh` |\n| `count` |\n",
        ),
        ("", [(3, None, "a table of 2 tools")], "| tool | what it does |\n|---|---|\n" + COUNT + WEIGH),
        (
            "My words.\n",
            [(3, None, "a table of 2 tools")],
            "My words.\n\n| tool | what it does |\n|---|---|\n" + COUNT + WEIGH,
        ),
    ],
)
def test_what_differs_is_told_at_its_line_and_mended(
    inner: str, said: list[tuple[int, str | None, str | None]], after: str
) -> None:
    assert judged(region(inner)) == (said, region(after))


def test_line_ends_stay() -> None:
    text = region(HEAD + COUNT).replace("\n", "\r\n")
    assert judged(text)[1] == region(HEAD + COUNT + WEIGH).replace("\n", "\r\n")
    assert judged(region("").replace("\n", "\r\n"))[1] == judged(region(""))[1].replace("\n", "\r\n")


def test_an_open_list_takes_no_row_away() -> None:
    rows = HEAD + "| `plugin` | At run time. |\n" + COUNT
    assert judged(region(rows), complete=False) == ([(4, None, "weigh")], region(rows + WEIGH))


def test_a_description_that_only_the_run_knows_is_the_authors() -> None:
    tools = {"count": None, "weigh": None}
    rows = HEAD + "| `count` | My words. |\n"
    assert judged(region(rows), tools) == ([(4, None, "weigh")], region(rows + "| `weigh` |  |\n"))


def test_a_long_description_is_told_by_its_first_sentence() -> None:
    _, after = judged(region(""), {"a": "Do it at once. " + "And more. " * 50 + "\n\nArgs: x"})
    assert "| `a` | Do it at once. |\n" in after


@pytest.mark.parametrize(
    ("description", "cell"),
    [
        ("Find e.g. this | that. More text.", r"Find e.g. this \| that."),
        ("Find e.g. this | that. More text.", r"Find e.g. this \| that. More text."),
        ("Add two. More.", "Add two."),
        ("Find a box that\n    is open. More.\n\nArgs: x", "Find a box that is open."),
        ("**Gets** the `v1.2` data", "**Gets** the `v1.2` data"),
        ("**Gets** the `v1.2` data", r"\*\*Gets\*\* the \`v1.2\` data"),
        ("Gets the v1.2 data of snake_case", "**Gets** the [`v1.2` data](docs/a.md) of _snake_case_"),
    ],
)
def test_a_cell_that_a_reader_takes_for_the_beginning_of_the_description_stays(
    description: str, cell: str
) -> None:
    text = region(f"{HEAD}| `a` | {cell} |\n")
    assert judged(text, {"a": description}) == ([], text)


@pytest.mark.parametrize("cell", ["", "Find", "Find it. Mo", "Find it. More. Else.", "find it.", "Findit."])
def test_a_cell_that_says_something_else_is_told(cell: str) -> None:
    said, after = judged(region(f"{HEAD}| `a` | {cell} |\n"), {"a": "Find it. More."})
    assert said == [(6, cell or None, "Find it. More.")]
    assert after == region(f"{HEAD}| `a` | Find it. More. |\n")


@given(
    st.dictionaries(st.one_of(st.text(min_size=1), st.sampled_from(NAMES)),
                    st.one_of(st.text(), st.sampled_from(TEXTS)), min_size=1, max_size=5),
    st.sampled_from(["", HEAD, HEAD + COUNT, "| t | x | does |\n|:-:|-|-|\n| a | b | c |\n", "a | b\n--|--\nc | d\n"]),
)  # fmt: skip
def test_whatever_a_tool_is_called_and_says_is_text_in_one_row(tools: dict[str, str], inner: str) -> None:
    assume(any(map(code, tools)))
    _, after = judged(region(inner), {**tools})
    tokens = MarkdownIt("commonmark").enable("table").parse(after)
    leaves = [leaf for token in tokens if token.type == "inline" for leaf in token.children or ()]
    assert {leaf.type for leaf in leaves} <= {"text", "text_special", "code_inline"}
    assert sum(token.type == "tr_open" for token in tokens) == 1 + len({code(name) for name in tools} - {""})
    assert [token.content for token in tokens if token.type == "html_block"] == [f"{START}\n", f"{END}\n"]
    texts = ["".join(leaf.content for leaf in t.children or ()) for t in tokens if t.type == "inline"]
    first_of_a_name = {code(name): text for name, text in reversed(tools.items()) if code(name)}
    assert {comment(summary(text)) for text in first_of_a_name.values()} <= set(texts)
    assert MarkdownDocument("README.md", after.encode("utf-8", "replace")).markers == ()

"""Texts of others on one line: of a comment, of a docstring, of Markdown."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import TEXTS
from mcp_lockstep.documents import MarkdownDocument
from mcp_lockstep.documents.prose import code, comment, markdown, one_line, read_markdown, summary

TEXT = st.one_of(st.text(), st.sampled_from(TEXTS))


@given(TEXT)
def test_a_comment_stays_on_its_line(text: str) -> None:
    assert ast.dump(ast.parse(f"x = 1  # {comment(text)}\n")) == ast.dump(ast.parse("x = 1\n"))


@given(TEXT)
def test_markdown_starts_no_comment_and_no_table(text: str) -> None:
    written = markdown(text)
    assert "<!--" not in written
    assert "\n" not in written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  \n\n One line. \n more", "One line."),
        ("First sentence here. " + "x" * 100, "First sentence here."),
        ("word " * 40, "word " * 18 + "word..."),
    ],
)
def test_a_summary_is_one_short_line(text: str, expected: str) -> None:
    assert summary(text) == expected
    assert len(summary(text)) <= 100


def test_words_with_single_spaces() -> None:
    assert one_line(" a \n\t b\u2028c ") == "a b c"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a | b", r"a \| b"),
        ("two\nlines", "two lines"),
        ("`x`", r"\`x\`"),
        ("<b>x</b> <!-- y -->", r"\<b\>x\</b\> \<\!-- y --\>"),
        ("[x](https://y.example) ![z](w)", r"\[x\](https://y.example) \!\[z\](w)"),
        ("from $5 to $6, ~~now~~", r"from \$5 to \$6, \~\~now\~\~"),
        ("&lt;b&gt; & co", r"\&lt;b\&gt; & co"),
        ("a\\|b", r"a\\\|b"),
        ("MCP-name : a.b/c", r"MCP-name \: a.b/c"),
        ("turn\u202ened", "turn?ned"),
    ],
)
def test_markdown_is_text_and_nothing_else(text: str, written: str) -> None:
    assert markdown(text) == written


@given(TEXT)
def test_what_was_written_is_read_back(text: str) -> None:
    assert read_markdown(markdown(text)) == comment(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a`b|c\nd", "abc d"),
        ("get\r|", "get"),
        ("| get", "get"),
        ("mcp-name |:a.b/c", "mcp-name a.b/c"),
        ("mcp-name :", "mcp-name"),
    ],
)
def test_a_code_span_ends_where_it_should(text: str, written: str) -> None:
    assert code(text) == written


@pytest.mark.parametrize("write", [markdown, code])
@given(text=st.one_of(TEXT, st.text(alphabet="mcp-nameMCP: \t\\`|")))
def test_no_text_is_an_ownership_marker(write: Callable[[str], str], text: str) -> None:
    text = f"{text} mcp-name`: evil/evil mcp|-name:evil/evil "
    said = write(f"{text}mcp-name: evil/evil {text} mcp-name : evil/evil Mcp-Name:evil/evil")
    assert MarkdownDocument("README.md", said.encode("utf-8", "replace")).markers == ()

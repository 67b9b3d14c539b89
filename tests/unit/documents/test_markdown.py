"""Ownership markers, regions and headings of a README."""

from __future__ import annotations

import pytest

from mcp_lockstep.documents import MarkdownDocument, apply_edits

NAME = "io.github.acme/widget-mcp"


def document(text: str) -> MarkdownDocument:
    return MarkdownDocument("README.md", text.encode())


@pytest.mark.parametrize(
    ("text", "name", "ended"),
    [
        (f"mcp-name: {NAME}", NAME, True),
        (f"<!-- mcp-name: {NAME} -->", NAME, True),
        (f"<!--mcp-name: {NAME}-->", NAME, True),
        (f"<!--mcp-name: {NAME}--!>", NAME, True),
        (f"<!--mcp-name: {NAME}--->", f"{NAME}-", True),
        (f"`mcp-name: {NAME}`", NAME, True),
        (f".. mcp-name: {NAME}\r\n", NAME, True),
        (f"This is mcp-name: {NAME}.", NAME, False),
        (f"This is mcp-name: {NAME}. And", NAME, False),
        (f"mcp-name: {NAME}...", NAME, False),
        (f"mcp-name: {NAME}-pro", f"{NAME}-pro", True),
        (f"mcp-name: {NAME}--", f"{NAME}--", True),
        (f"mcp-name: {NAME}\u00e9", NAME, True),
        (f"(mcp-name: {NAME})", NAME, True),
    ],
)
def test_a_marker_is_read_as_the_registry_reads_it(text: str, name: str, ended: bool) -> None:
    (marker,) = document(text).markers
    assert (marker.name, marker.ended, marker.exact) == (name, ended, True)
    assert text[slice(*marker.name_span)] == name
    assert text[slice(*marker.span)] == f"mcp-name: {name}"


@pytest.mark.parametrize("words", ["mcp-name:", "MCP-Name: ", "mcp-name:  ", "mcp-name : "])
def test_a_marker_in_other_words_is_not_exact(words: str) -> None:
    (marker,) = document(f"{words}{NAME}\n").markers
    assert (marker.name, marker.exact) == (NAME, False)


def test_prose_about_the_marker_is_none() -> None:
    assert document("Add an mcp-name: line. mcp-name: NAME, mcp-name:\nio.github.a/b").markers == ()


def test_all_markers_count_even_in_code() -> None:
    read = document(f"mcp-name: {NAME}.\n```\nmcp-name: a.b/c\n```\n")
    assert [(marker.name, marker.ended) for marker in read.markers] == [(NAME, False), ("a.b/c", True)]


def test_a_region_stands_between_its_marks_outside_of_code() -> None:
    text = (
        "# T\nBetween `<!-- tools:start -->` and `<!-- tools:end -->`.\n"
        "```html\n<!-- tools:start -->\n<!-- tools:end -->\n```\n"
        "<!-- tools:end -->\n<!--tools:start-->\nold\n<!-- tools:end -->\nrest\n"
    )
    read = document(text)
    span = read.region("tools")
    assert span is not None
    assert text[slice(*span)] == "\nold\n"
    assert apply_edits(text, [read.replace_region("tools", "a\nb\n")]) == text.replace("\nold\n", "\na\nb\n")
    assert read.region("other") is None
    with pytest.raises(KeyError):
        read.replace_region("other", "x")


@pytest.mark.parametrize(
    "text",
    [
        "<!-- tools:start -->",
        "<!-- tools:end --> <!-- tools:start -->",
        "",
        "~~~\n<!-- tools:start --><!-- tools:end -->",
    ],
)
def test_half_a_region_is_none(text: str) -> None:
    assert document(text).region("tools") is None


def test_a_region_keeps_the_line_ends_of_the_file() -> None:
    text = "a\r\n<!-- tools:start --><!-- tools:end -->\r\n"
    after = apply_edits(text, [document(text).replace_region("tools", "| a |\n| - |")])
    assert after == "a\r\n<!-- tools:start -->\r\n| a |\r\n| - |\r\n<!-- tools:end -->\r\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# T\n\ntext\n", "# T\n\nNEW\n\ntext\n"),
        ("# T", "# T\n\nNEW"),
        ("# T\r\ntext\r\n", "# T\r\n\r\nNEW\r\ntext\r\n"),
        ("intro\n\nT\n===\ntext", "intro\n\nT\n===\n\nNEW\ntext"),
        ("T\r\n---\r\ntext", "T\r\n---\r\n\r\nNEW\r\ntext"),
        ("```sh\n# not a heading\n```\n## T\n", "```sh\n# not a heading\n```\n## T\n\nNEW\n"),
        ('<h1 align="center">T</h1>\n\nx', '<h1 align="center">T</h1>\n\nNEW\n\nx'),
        ("---\ntitle: x\n---\n# T\n", "---\ntitle: x\n---\n# T\n\nNEW\n"),
        ("---\ntitle: x\n---\ntext\n", "---\ntitle: x\n---\nNEW\n\ntext\n"),
        ("\ufefftext\n", "\ufeffNEW\n\ntext\n"),
        ("#hashtag\ntext\n", "NEW\n\n#hashtag\ntext\n"),
        ("", "NEW\n"),
    ],
)
def test_a_paragraph_goes_behind_the_first_heading(text: str, expected: str) -> None:
    assert apply_edits(text, [document(text).insert_after_heading("NEW\n")]) == expected


def test_data_is_the_text() -> None:
    assert document("\ufeff# T\n").data == "# T"


@pytest.mark.parametrize(
    ("text", "paragraph"),
    [
        ("# Weather\n\nTells *the* weather.\n\nMore.\n", "Tells the weather."),
        ("# Weather\nTells\nthe weather!", "Tells the weather!"),
        ("\ufeff---\nx: y\n---\n# Weather\r\n\r\nTells it.\r\n", "Tells it."),
        ("Weather\n=======\n\nTells it.\n", "Tells it."),
        (
            "<!-- mcp-name: a.b/c -->\n[![x](i)](u) ![y](j)\n\n# W\n\n[![x](i)](u)\n \nTells it.\n",
            "Tells it.",
        ),
        ("# W\n\n<p align='center'>\n<img src='x'>\n</p>\n\nTells it.\n", "Tells it."),
        ("# W\n\n天気を伝えます。\n", "天気を伝えます。"),
        ("# W\n\nTells it. Quickly.\n", "Tells it. Quickly."),
        ("", ""),
        ("# W\n", ""),
        ("Tells it.\n", ""),
        ("Tells it.\n\n# W\n\nOther.\n", ""),
        ("# W\n\n## Overview\n\nTells it.\n", ""),
        ("# W\n\nTable of contents\n", ""),
        ("# W\n\nIt has:\n", ""),
        ("# W\n\nSee [the manual](u).\n", ""),
        ("# W\n\nSee https://a.example.\n", ""),
        ("# W\n\nThis is mcp-name: a.b/c.\n", ""),
        ("# W\n\n- One.\n", ""),
        ("# W\n\n1. One.\n", ""),
        ("# W\n\n> One.\n", ""),
        ("# W\n\nIt does:\n- this.\n", ""),
        ("# W\n\n```\nTells it.\n```\n", ""),
        ("# W\n\n    Tells it.\n", ""),
        ("# W\n\n| a |\n|---|\n", ""),
        ("# W\n\nUsage\n-----\n\nTells it.\n", ""),
        ("# W\n\n.. note::\n   Tells it.\n", ""),
        ("# W\n\n" + "x" * 5_000 + " Tells it.\n", ""),
    ],
)
def test_the_first_paragraph(text: str, paragraph: str) -> None:
    assert MarkdownDocument("README.md", text.encode()).first_paragraph == paragraph


@pytest.mark.parametrize("part", ["<!--", "![a", "[a](b", "<a ", "[![x](y)", "\n \n", "`", ".-", "\n1", "# "])
def test_a_first_paragraph_is_looked_for_in_no_time(part: str) -> None:
    assert MarkdownDocument("README.md", (part * 1_000_000).encode()).first_paragraph == ""

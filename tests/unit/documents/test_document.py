"""Positions, edits and the choice of a document."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mcp_lockstep import documents
from mcp_lockstep.documents import (
    Document,
    Edit,
    JsonDocument,
    MarkdownDocument,
    PythonDocument,
    TextDocument,
    TomlDocument,
    apply_edits,
    open_document,
)
from mcp_lockstep.documents.document import cut
from mcp_lockstep.findings import Position, Refused


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("server.json", JsonDocument),
        ("a/PACKAGE.JSON", JsonDocument),
        ("pyproject.toml", TomlDocument),
        ("uv.lock", TomlDocument),
        ("README.md", MarkdownDocument),
        ("README.rst", MarkdownDocument),
        ("docs/README", MarkdownDocument),
        ("src/app.py", PythonDocument),
        ("VERSION", TextDocument),
        ("Dockerfile", TextDocument),
    ],
)
def test_the_suffix_chooses_the_document(path: str, kind: type[Document]) -> None:
    assert type(open_document(path, b"{}")) is kind


def test_opening_parses_nothing_but_utf8() -> None:
    assert open_document("x.json", b"{").text == "{"
    with pytest.raises(Refused):
        open_document("VERSION", b"\xff\xfe1\x00")


def test_importing_the_package_imports_no_parser() -> None:
    code = (
        "import sys, mcp_lockstep.documents as d; d.open_document('x.json', b'{}').data; "
        "print({'tomli', 'tokenize', 'ast', 'tomllib', 'dataclasses'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout == "set()\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        getattr(documents, "nothing")  # noqa: B009 - a type checker would refuse the attribute


def test_positions_count_code_points_and_no_byte_order_mark() -> None:
    document = TextDocument("x", "\ufeffa\u00e9\U0001f600b\r\nc\n".encode())
    assert document.position((1, 2)) == Position(1, 1, 1, 2)
    assert document.position((0, 1)) == Position(1, 1, 1, 1)
    assert document.position((4, 7)) == Position(1, 4, 2, 1)
    assert document.position((7, 9)) == Position(2, 1, 3, 1)
    assert TextDocument("x", b"").position((0, 0)) == Position(1, 1, 1, 1)


def test_a_text_is_one_value() -> None:
    document = TextDocument("VERSION", b"\xef\xbb\xbf 1.2.3\r\n")
    assert (document.data, document.newline) == ("1.2.3", "\r\n")
    assert apply_edits(document.text, [document.replace("", "1.2.4")]) == "\ufeff 1.2.4\r\n"
    assert str(document.place("")) == "VERSION"
    with pytest.raises(KeyError):
        document.replace("/a", "x")
    with pytest.raises(ValueError):
        document.insert("/a", "x")
    with pytest.raises(TypeError):
        document.replace("", 1)


def test_edits_are_applied_from_offsets_of_the_text_given() -> None:
    edits = [
        Edit("x", 3, 4, "D"),
        Edit("x", 0, 1, ""),
        Edit("x", 2, 2, "-"),
        Edit("x", 2, 2, "+"),
        Edit("x", 4, 4, "!"),
    ]
    assert apply_edits("abcd", edits) == "b-+cD!"
    assert apply_edits("abcd", []) == "abcd"


@pytest.mark.parametrize(
    "edit", [Edit("x", 1, 3, ""), Edit("x", 3, 9, ""), Edit("x", 5, 5, ""), Edit("x", -1, 0, "")]
)
def test_edits_that_overlap_or_leave_the_text_are_a_programming_error(edit: Edit) -> None:
    with pytest.raises(ValueError):
        apply_edits("abcd", [Edit("x", 2, 4, "y"), edit])


def test_cut_is_one_edit() -> None:
    assert cut("x", "abcdefgh", [(4, 6), (1, 2), (5, 7)]) == Edit("x", 1, 7, "cd")
    with pytest.raises(ValueError):
        cut("x", "abc", [])

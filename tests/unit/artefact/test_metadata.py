"""Fields of metadata with the place of each, and the description wherever it stands."""

from __future__ import annotations

import pytest

from archives import metadata
from mcp_lockstep.artefact.metadata import Metadata
from mcp_lockstep.findings import Place, Position


def read(text: str) -> Metadata:
    return Metadata("x.whl!METADATA", text.encode())


def test_fields_have_their_places() -> None:
    found = read(metadata())
    assert (found.said("Name"), found.said("version"), found.said("Nothing")) == ("weather", "1.2.0", "")
    assert found.field_place("Version") == (Place("x.whl!METADATA", "#", "Version"), Position(3, 10, 3, 15))
    assert found.field_place("Nothing") == (Place("x.whl!METADATA"), Position())


def test_the_first_of_two_fields_counts() -> None:
    assert read("Name: one\nName: two\n").said("name") == "one"


@pytest.mark.parametrize(
    "text",
    [
        "Name: a\nVersion: 1\n",
        "Name: a\r\nVersion: 1\r\n\r\nbody",
        "\ufeffName: a\nVersion: 1",
        "Name : a\nVersion:1\n",
    ],
)
def test_line_ends_and_blanks_do_not_matter(text: str) -> None:
    assert (read(text).said("name"), read(text).said("version")) == ("a", "1")


def test_headers_end_at_the_empty_line() -> None:
    assert read("Name: a\n\nVersion: 9\n").said("version") == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Name: a\n\nText\n\nmcp-name: a/b\n", 5),
        ("Name: a\nDescription: Text\n        mcp-name: a/b\nVersion: 1\n", 3),
        ("Name: a\nDescription: Text\n       |mcp-name: a/b\nVersion: 1\n\n", 3),
    ],
)
def test_markers_are_those_of_the_description(text: str, line: int) -> None:
    found = read(text)
    (marker,) = found.described
    assert (marker.name, found.position(marker.span).line) == ("a/b", line)


@pytest.mark.parametrize(
    "text",
    [
        "Name: a\nKeywords: mcp-name: a/b\n\nText\n",
        "Name: a\nSummary: mcp-name: a/b\n",
        "",
        "\n",
        "mcp-name: a/b",
    ],
)
def test_a_marker_elsewhere_is_none(text: str) -> None:
    assert read(text).described == ()


@pytest.mark.parametrize(
    "text", ["", ":", ": x", "Name", "\n\n\n", " folded\n", "Name:\n  \n", "a" * 100_000, "x\n" * 50_000]
)
def test_what_is_no_metadata_says_nothing(text: str) -> None:
    found = read(text)
    assert found.said("name") == ""
    assert found.described == ()

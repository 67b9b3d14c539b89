"""Pulled documents: what is kept of them, and under which names."""

from __future__ import annotations

import pytest

from mcp_lockstep.findings import Refused
from mcp_lockstep.named.pins import PINS, Pin, digest, pinned, pins, pull
from mcp_lockstep.tree import Memory, Tree

ONE, TWO = b'{"type": "string"}', b'{"type": "number"}'


def tree(files: dict[str, bytes] | None = None) -> Tree:
    return Tree(Memory(files or {}))


def slug(label: str, raw: bytes = ONE) -> str:
    with pytest.raises(Refused) as caught:
        pull(tree(), label, "a.json", raw)
    return caught.value.findings[0].code.slug


def test_pins_are_listed_by_name_and_hostile_sources_stay_texts() -> None:
    source = 'a"]\n[[pin]]\n\\\u202e.json'
    first = pull(tree(), "mcp@draft", source, ONE)
    second = pull(tree(first.files), "acme@1", "https://example.com/a.json", TWO)
    files = {**first.files, **second.files}
    acme = Pin("acme@1", "https://example.com/a.json", digest(TWO))
    assert pins(tree(files)) == (acme, Pin("mcp@draft", source, digest(ONE)))
    assert pinned(tree(files), "acme@1") == acme
    assert pinned(tree(files), "acme@2") is None
    assert files["mcp-lockstep.schemas/acme@1.json"] == TWO


@pytest.mark.parametrize("raw", [b"null", b"[]", b'{"tools": []}'])
def test_what_is_no_schema_is_not_kept(raw: bytes) -> None:
    assert slug("acme@1", raw) == "other-kind-of-file"


def test_a_second_pull_replaces_the_first() -> None:
    first = pull(tree(), "mcp@draft", "a.json", ONE)
    again = pull(tree(first.files), "mcp@draft", "b.json", TWO)
    assert again.before == first.pin
    assert pins(tree(again.files)) == (again.pin,)


@pytest.mark.parametrize(
    "label", ["mcp", "@draft", "../a@1", "a@../../b", "a b@1", "a@", "a@1\n", ".a@1", ""]
)
def test_bad_names(label: str) -> None:
    assert slug(label) == "schema-wrong-label"


def test_no_json_and_another_document_than_the_published_one() -> None:
    assert slug("mcp@draft", b"<html>") == "not-json"
    assert slug("mcp@2026-07-28") == "schema-other-document"


@pytest.mark.parametrize(
    "entry", ['schema = "../x@1"', 'schema = "a@1"', 'schema = "a@1"\nsha256 = "00"', "schema = 1"]
)
def test_a_broken_list_is_refused(entry: str) -> None:
    with pytest.raises(Refused) as caught:
        pins(tree({PINS: f"[[pin]]\n{entry}\n".encode()}))
    (finding,) = caught.value.findings
    assert (finding.code.slug, finding.place.path) == ("schema-other-document", PINS)

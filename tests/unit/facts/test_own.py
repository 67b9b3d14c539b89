"""Places that the user names."""

from __future__ import annotations

import pytest

from mcp_lockstep.facts.locate import edit_for, span_of
from mcp_lockstep.facts.readers import own
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree


def project(place: str, files: dict[str, bytes], pattern: str = "", fact: str = "version") -> Project:
    config = f"[[places]]\nfact = '''{fact}'''\nplace = '''{place}'''\n"
    config += f"pattern = '''{pattern}'''\n" if pattern else ""
    return Project(Tree(Memory({**files, "mcp-lockstep.toml": config.encode()})))


def mended(place: str, raw: bytes, pattern: str = "", value: str = "2.0") -> tuple[str | None, bytes]:
    """What is read at `place` of a file with `raw` in it, and the file with `value` there."""
    path = place.partition("#")[0].partition(":")[0]
    held = project(place, {path: raw}, pattern)
    (reading,) = own.read(held)
    document = held.document(path)
    assert document is not None
    assert span_of(document, reading) is not None
    edit = edit_for(document, reading, value)
    assert edit is not None
    return reading.value, (document.text[: edit.start] + edit.text + document.text[edit.end :]).encode()


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("place", "pattern", "before", "after"),
    [
        ("VERSION", "", b"1.0", b"2.0"),
        ("VERSION", "", b"\n  1.0 \r\n\r\n", b"\n  2.0 \r\n\r\n"),
        ("VERSION", "", BOM + b"1.0\n", BOM + b"2.0\n"),
        ("notes.txt", "", b"1.0\n", b"2.0\n"),
        ("p.json#/version", "", b'{"version":"1.0" }', b'{"version":"2.0" }'),
        ("p.json#/a/1/b", "", b'{"a": [0, {"b": "1.0"}]}\r\n', b'{"a": [0, {"b": "2.0"}]}\r\n'),
        ("p.json#/a~1b", "", b'{"a/b": "1.0"}', b'{"a/b": "2.0"}'),
        ("t.toml:tool.x.version", "", b"[tool.x]\nversion='1.0' # c\n", b"[tool.x]\nversion='2.0' # c\n"),
        ('t.toml:"a b"."c.d"', "", b'["a b"]\n"c.d" = "1.0"\n', b'["a b"]\n"c.d" = "2.0"\n'),
        ("Dockerfile", r"v=(\S+)", b"ARG v=1.0 x\nv=9", b"ARG v=2.0 x\nv=9"),
        ("c.cff", r"^version: (.*)$", b"x\r\nversion: 1.0\r\ny\r\n", b"x\r\nversion: 2.0\r\ny\r\n"),
        ("c.cff", r"^version: (.*)$", BOM + b"version: 1.0\n", BOM + b"version: 2.0\n"),
        ("c.cff", r"a\nb (.*)$", b"a\r\nb 1.0\r\n", b"a\r\nb 2.0\r\n"),
        ("c.cff", r"a\nb (.*)$", b"a\nb 1.0", b"a\nb 2.0"),
        ("x.txt", r"\A(?:🌊\s)+(.*) é", "🌊\r\n🌊\r\n1.0 é".encode(), "🌊\r\n🌊\r\n2.0 é".encode()),
        ("m.py", r"^V = '(.*)'$", b"V = '1.0'\n", b"V = '2.0'\n"),
        ("README.md", r"v(\d\.\d)", b"# v1.0\n", b"# v2.0\n"),
    ],
)
def test_one_value_is_read_and_no_other_byte_changes(
    place: str, pattern: str, before: bytes, after: bytes
) -> None:
    assert mended(place, before, pattern) == ("1.0", after)


@pytest.mark.parametrize(
    ("place", "pattern", "fact"),
    [
        ("absent", "", "version"),
        ("f.json#/absent", "", "version"),
        ("f.json#/number", "", "version"),
        ("f.json#/text/below", "", "version"),
        ("f.json#number", "", "version"),
        ("f.json#/list/x", "", "version"),
        ("broken.json#/x", "", "version"),
        ("f.toml:a.b", "", "version"),
        ("f.toml:a..b", "", "version"),
        ("f.txt", "(", "version"),
        ("f.txt", "text", "version"),
        ("f.txt", "(absent)", "version"),
        ("f.txt", "text|(x)", "version"),
        ("f.txt", "", "colour"),
        ("f.txt", "", "description"),
        ("f.txt", "", "tools"),
        ("../f.txt", "", "version"),
        ("f.py::x", "", "version"),
        ("binary", "", "version"),
    ],
)
def test_what_is_no_place_is_told_where_it_is_named(place: str, pattern: str, fact: str) -> None:
    files = {
        "f.json": b'{"number": 1, "text": "x", "list": ["x"]}',
        "broken.json": b"{",
        "f.toml": b"a = 1\n",
        "f.txt": b"text\n",
        "f.py": b"x = 1\n",
        "binary": b"\xff\xfe",
    }
    held = project(place, files, pattern, fact)
    assert list(own.read(held)) == []
    told = held.broken[-1]
    assert (told.code.slug, str(told.place), told.have) == (
        "own-place-unusable",
        "mcp-lockstep.toml:places.0.place",
        place,
    )
    assert told.position.line == 3

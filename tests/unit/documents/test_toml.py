"""TOML documents: data, spans of every spelling, faults with their place, byte-exact edits."""

from __future__ import annotations

import datetime

import pytest
import tomli

from mcp_lockstep.documents import TomlDocument, apply_edits, value_at
from mcp_lockstep.findings import Finding, Position, Refused

PROJECT = """\
# top
[build-system]
requires = ["hatchling"]

[project]  # the project
name = 'weather'  # literal
version="1.2.3"
urls.home = "h"
dependencies = [
    "mcp>=2",  # the sdk
    # about httpx
    "httpx"
]

[tool.x]
q = {a.b = 1, a.c = 2, z = []}
"quoted . key" = 1

[[tool.y]]
"k k" = \"\"\"
  a ""quoted"" line
\"\"\"
[[tool.y]]
when = 1979-05-27 07:32:00Z
[tool.y.sub]
deep = true
"""


def document(text: str) -> TomlDocument:
    return TomlDocument("pyproject.toml", text.encode())


def refusal(text: str) -> Finding:
    with pytest.raises(Refused) as caught:
        _ = document(text).data
    return caught.value.findings[0]


def replaced(text: str, pointer: str, value: object) -> str:
    return apply_edits(text, [document(text).replace(pointer, value)])


def inserted(text: str, pointer: str, value: object) -> str:
    after = apply_edits(text, [document(text).insert(pointer, value)])
    assert value_at(document(after).data, pointer.replace("/-", "/0")) is not None
    return after


def test_every_value_has_the_span_of_its_token() -> None:
    read = document(PROJECT)
    assert {pointer: PROJECT[slice(*span)] for pointer, span in read.spans.items()} == {
        "/build-system/requires": '["hatchling"]',
        "/build-system/requires/0": '"hatchling"',
        "/project/name": "'weather'",
        "/project/version": '"1.2.3"',
        "/project/urls/home": '"h"',
        "/project/dependencies": '[\n    "mcp>=2",  # the sdk\n    # about httpx\n    "httpx"\n]',
        "/project/dependencies/0": '"mcp>=2"',
        "/project/dependencies/1": '"httpx"',
        "/tool/x/q": "{a.b = 1, a.c = 2, z = []}",
        "/tool/x/q/a/b": "1",
        "/tool/x/q/a/c": "2",
        "/tool/x/q/z": "[]",
        "/tool/x/quoted . key": "1",
        "/tool/y/0/k k": '"""\n  a ""quoted"" line\n"""',
        "/tool/y/1/when": "1979-05-27 07:32:00Z",
        "/tool/y/1/sub/deep": "true",
    }


def test_every_key_and_table_has_a_key_span() -> None:
    read = document(PROJECT)
    keys = {pointer: PROJECT[slice(*span)] for pointer, span in read.key_spans.items()}
    assert (keys["/project"], keys["/project/urls"], keys["/project/urls/home"]) == (
        "project",
        "urls",
        "urls.home",
    )
    assert (keys["/tool/y"], keys["/tool/y/1"], keys["/tool/y/1/sub"]) == ("y", "y", "sub")
    assert keys["/tool/x/quoted . key"] == '"quoted . key"'
    assert read.position(read.key_spans["/tool/y/1"]) == Position(23, 8, 23, 9)


def test_data_is_what_tomli_says() -> None:
    assert document(PROJECT).data == tomli.loads(PROJECT)
    assert document("\ufeffa = 1\r\n").data == {"a": 1}
    assert document("").data == {}
    assert document("[a]").data == {"a": {}}


def test_places_are_dotted_addresses() -> None:
    assert str(document(PROJECT).place("/project/version")) == "pyproject.toml:project.version"
    assert str(document(PROJECT).place("/tool/x/quoted . key")) == 'pyproject.toml:tool.x."quoted . key"'
    assert document(PROJECT).where("/project/nothing") == Position(5, 2, 5, 9)


@pytest.mark.parametrize(
    ("text", "slug", "place", "position"),
    [
        ("a = 1\na = 2", "duplicate-key", ":a", (2, 1, 2, 2)),
        ("[t]\nb = 1\n'b' = 2", "duplicate-key", ":t.b", (3, 1, 3, 4)),
        ("a = {b=1, b=2}", "duplicate-key", ":a.b", (1, 11, 1, 12)),
        ("x.a = [{b=1, b=2}]", "duplicate-key", ":x.a.0.b", (1, 14, 1, 15)),
        ("[a]\n[b]\n[a]", "duplicate-key", ":a", (3, 2, 3, 3)),
        ("[[a]]\n[a.b]\nc=1\n[[a]]\n[a.b]\nc=1\nc=2", "duplicate-key", ":a.1.b.c", (7, 1, 7, 2)),
        ("\ufeff[a]\r\nb=1\r\nb=2", "duplicate-key", ":a.b", (3, 1, 3, 2)),
        ("a = 1e999", "number-out-of-range", ":a", (1, 5, 1, 10)),
        ("a = [1,\n  " + "1" * 5000 + "]", "number-out-of-range", ":a.1", (2, 3, 2, 5003)),
        ("a = -" + "1" * 5000, "number-out-of-range", ":a", (1, 5, 1, 5006)),
        ("a=" + "[" * 10_000, "nested-too-deep", "", (1, 203, 1, 204)),
        ("a=" + "[" * 201 + "]" * 201, "nested-too-deep", "", (1, 203, 1, 204)),
        (".".join("a" * 5000) + " = 1", "nested-too-deep", "", (1, 399, 1, 400)),
        ('a = "\\ud800"', "lone-surrogate", "", (1, 12, 1, 13)),
        ("a = ", "not-toml", "", (1, 5, 1, 5)),
        ("a = ?", "not-toml", "", (1, 5, 1, 6)),
        ("a = 1\r\nb = 2 c", "not-toml", "", (2, 7, 2, 8)),
        ("\ufeff\u00e9 = 1", "not-toml", "", (1, 1, 1, 2)),
        ("a = [1", "not-toml", "", (1, 7, 1, 7)),
        ("[a", "not-toml", "", (1, 3, 1, 3)),
        ("a = 1\na.b = 2", "not-toml", "", (2, 8, 2, 8)),
    ],
)
def test_what_cannot_be_read_is_placed(
    text: str, slug: str, place: str, position: tuple[int, int, int, int]
) -> None:
    finding = refusal(text)
    assert (finding.code.slug, str(finding.place)) == (slug, f"pyproject.toml{place}")
    assert finding.position == Position(*position)
    assert finding.code.exit == 2


def test_infinity_is_toml() -> None:
    assert document("a = inf\nb = -inf\nc = 0x" + "f" * 6000 + "\n").data is not None


def test_a_version_bump_changes_only_the_version() -> None:
    for text in (PROJECT, PROJECT.replace("\n", "\r\n"), "\ufeff" + PROJECT.rstrip()):
        assert replaced(text, "/project/version", "1.2.4") == text.replace("1.2.3", "1.2.4")


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("'x'", "y", "'y'"),
        ("'x'", "it's", '"it\'s"'),
        ("'x'", "a\nb", '"a\\nb"'),
        ("'x'", "\u202e", '"\u202e"'),
        ('"x"', 'say "\\"', '"say \\"\\\\\\""'),
        ('"x"', "\x00\x7f\t", '"\\u0000\\u007F\\t"'),
        ('"""\nx"""', "y", '"y"'),
        ('"""\nx"""', 'a\n"""b\\', '"""\na\n\\"\\"\\"b\\\\"""'),
        ("'''x'''", "a\n  b", "'''\na\n  b'''"),
        ("'''x'''", "a\n'''b", '"""\na\n\'\'\'b"""'),
        ("1", 2, "2"),
        ("1", True, "true"),
        ("1", 1.0, "1.0"),
        ("1", float("-inf"), "-inf"),
        ("1", datetime.date(2026, 1, 2), "2026-01-02"),
        ("[1]", ["a", {"b c": []}], '["a", { "b c" = [] }]'),
        ("[\n    1,\n]", ["a", "b"], '[\n    "a",\n    "b",\n]'),
        ("[\n\t1\n]", ["a", "b"], '[\n\t"a",\n\t"b"\n]'),
        ("[\n\t1\n]", [], "[]"),
    ],
)
def test_replace_keeps_the_style_of_the_token(old: str, value: object, new: str) -> None:
    before = f"# c\nk = {old}  # d\nz = 1\n"
    after = replaced(before, "/k", value)
    assert after == f"# c\nk = {new}  # d\nz = 1\n"
    assert tomli.loads(after)["k"] == value


def test_insert_follows_the_lines_of_its_table() -> None:
    assert inserted(PROJECT, "/project/title", "T") == PROJECT.replace(
        '    "httpx"\n]', '    "httpx"\n]\ntitle = "T"'
    )
    assert inserted(PROJECT, "/project/urls/docs", "d") == PROJECT.replace('"h"', '"h"\nurls.docs = "d"')
    assert inserted(PROJECT, "/tool/y/0/n", 1) == PROJECT.replace('line\n"""', 'line\n"""\nn = 1')
    assert inserted(PROJECT, "/tool/x/q/n", 1) == PROJECT.replace("z = []}", "z = [], n = 1}")
    assert inserted(PROJECT, "/tool/x/q/a/n", 1) == PROJECT.replace("z = []}", "z = [], a.n = 1}")
    assert inserted(PROJECT, "/tool/x/q/z/0", 1) == PROJECT.replace("z = []", "z = [1]")


def test_insert_in_an_array_keeps_comments_and_the_final_comma() -> None:
    bare = "a = [\n    1,  # one\n    2  # two\n]\n"
    assert inserted(bare, "/a/-", 3) == "a = [\n    1,  # one\n    2,  # two\n    3\n]\n"
    comma = "a = [\n    1,  # one\n]\n"
    assert inserted(comma, "/a/1", 3) == "a = [\n    1,  # one\n    3,\n]\n"
    assert inserted(comma, "/a/0", 3) == "a = [\n    3,\n    1,  # one\n]\n"
    assert inserted("a = [1, ]", "/a/1", 3) == "a = [1, 3, ]"
    assert inserted("a = [\n  # none yet\n]", "/a/0", 3) == "a = [\n  # none yet\n  3\n]"


def test_insert_makes_tables() -> None:
    assert inserted("", "/a", 1) == "a = 1\n"
    assert inserted("# c", "/a", 1) == "# c\na = 1\n"
    assert inserted("", "/a/b", 1) == "[a]\nb = 1\n"
    assert inserted("# c\n", "/a/b", 1) == "# c\n\n[a]\nb = 1\n"
    assert inserted("[a]\nb = 1", "/c/d e", 1) == '[a]\nb = 1\n\n[c]\n"d e" = 1'
    assert inserted("[a]\r\nb = 1\r\n", "/a/c", 1) == "[a]\r\nb = 1\r\nc = 1\r\n"
    assert inserted("# c\n[a]\nb = 1\n", "/x", 1) == "# c\nx = 1\n\n[a]\nb = 1\n"
    assert inserted(PROJECT, "/project/scripts/run", "m:f") == PROJECT.replace(
        '"httpx"\n]\n', '"httpx"\n]\n\n[project.scripts]\nrun = "m:f"\n'
    )
    assert inserted(PROJECT, "/tool/mcp-lockstep", {"sdk": "mcp2", "owners": {"a": 1}}) == (
        PROJECT + '\n[tool.mcp-lockstep]\nsdk = "mcp2"\n\n[tool.mcp-lockstep.owners]\na = 1\n'
    )
    assert inserted("[t.a]\n[t.b]\nx = 1\n[z]\n", "/t/y", 1) == "[t.a]\n[t.b]\nx = 1\n\n[t]\ny = 1\n[z]\n"


def test_insert_reaches_into_each_item_of_an_array_of_tables() -> None:
    text = "[[a]]\n[a.s.t]\nx = 1\n[[a.b]]\n[[a]]\ny = 1\n"
    assert inserted(text, "/a/0/s/z", 1) == text.replace("x = 1\n", "x = 1\n\n[a.s]\nz = 1\n")
    assert inserted(text, "/a/0/n", {"z": 1}) == text.replace("[[a.b]]\n", "[[a.b]]\n\n[a.n]\nz = 1\n")
    assert inserted(text, "/a/0/b/1", {"z": 1}) == text.replace("[[a.b]]\n", "[[a.b]]\n\n[[a.b]]\nz = 1\n")


def test_insert_appends_to_arrays_of_tables() -> None:
    after = inserted("[[a]]\nb = 1\n[a.s]\nt = 1\n", "/a/-", {"b": 2, "c": {"d": 3}})
    assert after == "[[a]]\nb = 1\n[a.s]\nt = 1\n\n[[a]]\nb = 2\n\n[a.c]\nd = 3\n"
    assert document(after).data == {"a": [{"b": 1, "s": {"t": 1}}, {"b": 2, "c": {"d": 3}}]}


def test_wrong_pointers_are_programming_errors() -> None:
    read = document(PROJECT)
    with pytest.raises(KeyError):
        read.replace("/project", 1)
    for pointer in (
        "/project/name",
        "/project",
        "",
        "/project/name/x",
        "/project/dependencies/9",
        "/tool/y/0",
    ):
        with pytest.raises(ValueError):
            read.insert(pointer, 1)
    with pytest.raises(TypeError):
        read.replace("/project/name", None)


def test_half_a_surrogate_pair_is_refused() -> None:
    for edit in (document(PROJECT).replace, document(PROJECT).insert):
        with pytest.raises(Refused) as caught:
            edit("/project/name" if edit.__name__ == "replace" else "/project/z", "\ud800")
        assert caught.value.findings[0].code.slug == "lone-surrogate"

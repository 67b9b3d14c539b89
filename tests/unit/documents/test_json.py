"""JSON documents: data, spans, every fault with its place, byte-exact edits."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.documents import JsonDocument, apply_edits
from mcp_lockstep.documents.json_scan import scan_json
from mcp_lockstep.findings import Finding, Position, Refused

STYLED = (
    '\ufeff{\r\n\t"name": "caf\u00e9 \u2014",\r\n\t"mark": "\\u2713",\r\n\t"list": [1, 2],\r\n'
    '\t"empty": {},\r\n\t"deep": {"x": [{"y": 1.0}]},\r\n\t"version": "1.2.3"\r\n}'
)


def document(text: str) -> JsonDocument:
    return JsonDocument("server.json", text.encode())


def refusal(raw: bytes) -> Finding:
    with pytest.raises(Refused) as caught:
        _ = JsonDocument("server.json", raw).data
    assert len(caught.value.findings) == 1
    return caught.value.findings[0]


def replaced(text: str, pointer: str, value: object) -> str:
    return apply_edits(text, [document(text).replace(pointer, value)])


def inserted(text: str, pointer: str, value: object) -> str:
    return apply_edits(text, [document(text).insert(pointer, value)])


def deleted(text: str, pointer: str) -> str:
    return apply_edits(text, document(text).delete([pointer]))


def test_data_and_spans_of_a_styled_file() -> None:
    read = document(STYLED)
    assert read.data == json.loads(STYLED[1:])
    assert {pointer: STYLED[slice(*span)] for pointer, span in read.spans.items() if "deep" in pointer} == {
        "/deep": '{"x": [{"y": 1.0}]}',
        "/deep/x": '[{"y": 1.0}]',
        "/deep/x/0": '{"y": 1.0}',
        "/deep/x/0/y": "1.0",
    }
    assert STYLED[slice(*read.key_spans["/mark"])] == '"mark"'
    assert "/list/0" not in read.key_spans
    assert "/list/2" not in read.spans


def test_null_is_data_too() -> None:
    assert document("null").data is None
    assert dict(document(" null\n").spans) == {"": (1, 5)}


def test_numbers_keep_their_type() -> None:
    assert repr(document("[1, 1.0, -0, -0.0, 1e2, 12345678901234567890]").data) == (
        "[1, 1.0, 0, -0.0, 100.0, 12345678901234567890]"
    )


def test_keys_with_slashes_tildes_and_escapes_have_pointers() -> None:
    read = document('{"a/b": {"~": 1}, "": 2, "\\u00e9": 3, "0": [4]}')
    assert [*read.spans] == ["", "/a~1b", "/a~1b/~0", "/", "/\u00e9", "/0", "/0/0"]


@pytest.mark.parametrize(
    ("text", "have", "want", "position"),
    [
        ("", "the end of the file", "a value", (1, 1)),
        ("\n ", "the end of the file", "a value", (2, 2)),
        ('{"a": 1,}', "}", "a key in double quotes", (1, 9)),
        ("[1,\n]", "]", "a value", (2, 1)),
        ('{"a" 1}', "1", '":"', (1, 6)),
        ("{'a': 1}", "'a'", 'a key in double quotes or "}"', (1, 2)),
        ("[01]", "1", '"," or "]"', (1, 3)),
        ("[1 2]", "2", '"," or "]"', (1, 4)),
        ('{"a": 1 "b": 2}', '"b"', '"," or "}"', (1, 9)),
        ("[1}", "}", '"," or "]"', (1, 3)),
        ("[1] x", "x", "the end of the file", (1, 5)),
        ("// hi\n{}", "//", "a value", (1, 1)),
        ('{"a": True}', "True", "a value", (1, 7)),
        ('["\\q"]', "\\q", "an escape that JSON has", (1, 3)),
        ('["\\u12"]', '\\u12"]', "an escape that JSON has", (1, 3)),
        ('["a\nb"]', "a line end", "the closing quote of a string", (1, 4)),
        ('["a\tb"]', "a tab", "an escape such as \\t", (1, 4)),
        ('["a\x01"]', "\\x01", "an escape such as \\t", (1, 4)),
        ('{"a": "b', "the end of the file", "the closing quote of a string", (1, 9)),
        ('\ufeff{\n"a":1 "b"}', '"b"', '"," or "}"', (2, 7)),
        ("\u202e", "\\u202e", "a value", (1, 1)),
        ("[\u00a01]", "\\xa0", "a value", (1, 2)),
    ],
)
def test_what_is_not_json_is_placed(text: str, have: str, want: str, position: tuple[int, int]) -> None:
    finding = refusal(text.encode())
    assert (finding.code.slug, finding.have, finding.want) == ("not-json", have, want)
    assert finding.position[:2] == position
    assert finding.message == f"server.json is not JSON: expected {want}, found {have}"


@pytest.mark.parametrize(
    ("text", "slug", "place", "position"),
    [
        ('{"a": {"b": 1, "b": 2}}', "duplicate-key", "#/a/b", (1, 16, 1, 19)),
        ('{"a": 1, "\\u0061": 2}', "duplicate-key", "#/a", (1, 10, 1, 18)),
        ("[0, NaN]", "number-not-json", "#/1", (1, 5, 1, 8)),
        ('{"x": -Infinity}', "number-not-json", "#/x", (1, 7, 1, 16)),
        ("[1e999]", "number-out-of-range", "#/0", (1, 2, 1, 7)),
        ("[-" + "9" * 400 + ".0]", "number-out-of-range", "#/0", (1, 2, 1, 405)),
        ("[\n" + "1" * 5000 + "]", "number-out-of-range", "#/0", (2, 1, 2, 5001)),
        ('["x\\ud800y"]', "lone-surrogate", "#/0", (1, 4, 1, 10)),
        ('["\\uDC00"]', "lone-surrogate", "#/0", (1, 3, 1, 9)),
        ('{"\\ud800": 1}', "lone-surrogate", "", (1, 3, 1, 9)),
        ("[" * 10_000, "nested-too-deep", "", (1, 201, 1, 202)),
        ("[" * 300 + "]" * 300, "nested-too-deep", "", (1, 201, 1, 202)),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, "nested-too-deep", "", (1, 1001, 1, 1002)),
    ],
)
def test_what_other_readers_let_pass_is_refused(
    text: str, slug: str, place: str, position: tuple[int, int, int, int]
) -> None:
    finding = refusal(text.encode())
    assert (finding.code.slug, str(finding.place), finding.position) == (
        slug,
        f"server.json{place}",
        Position(*position),
    )
    assert finding.code.exit == 2


def test_no_message_holds_half_a_character() -> None:
    for text in ('{"\\ud800": 1, "\\ud800": 2}', '{"a": "\\ud800"}'):
        refusal(text.encode()).message.encode()


def test_whole_pairs_and_escaped_backslashes_pass() -> None:
    assert document('["\\ud83d\\ude00", "\\\\ud800", "\ud7ff"]').data == ["\U0001f600", "\\ud800", "\ud7ff"]


def test_two_hundred_levels_pass() -> None:
    text = "[" * 200 + "]" * 200
    assert document(text).data is not None
    assert len(document(text).spans) == 200
    with pytest.raises(Refused):
        _ = document(f"[{text}]").data


def test_spans_of_a_broken_file_are_refused_too() -> None:
    with pytest.raises(Refused):
        _ = document('{"a": 1').spans


@pytest.mark.parametrize(
    ("raw", "have", "position"),
    [
        ('{"a": 1}'.encode("utf-16"), "UTF-16 text", (1, 1)),
        ('{"a": 1}'.encode("utf-32"), "UTF-32 text", (1, 1)),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16 text", (1, 1)),
        ('{\n"\u00e9": "\u00e9'.encode() + b'\xe9"}', "byte 0xe9", (2, 8)),
        (b'"\xed\xa0\x80"', "byte 0xed", (1, 2)),
    ],
)
def test_what_is_not_utf8_is_placed(raw: bytes, have: str, position: tuple[int, int]) -> None:
    finding = refusal(raw)
    assert (finding.code.slug, finding.have, finding.position[:2]) == ("not-utf8", have, position)


def test_a_version_bump_changes_only_the_version() -> None:
    assert replaced(STYLED, "/version", "1.2.4") == STYLED.replace("1.2.3", "1.2.4")


@pytest.mark.parametrize(
    ("pointer", "value", "old", "new"),
    [
        ("/mark", "\u2717", '"\\u2713"', '"\\u2717"'),
        ("/name", "\u00fc", '"caf\u00e9 \u2014"', '"\u00fc"'),
        ("/list/0", 'a"\\\n', "[1,", '["a\\"\\\\\\n",'),
        ("/list", [3], "[1, 2]", "[3]"),
        ("/empty", {"a": [1]}, "{}", '{\r\n\t\t"a": [1]\r\n\t}'),
        ("/deep/x/0/y", True, "1.0", "true"),
        ("/deep/x/0/y", {"z": None}, "1.0", '{"z": null}'),
        ("/version", None, '"1.2.3"', "null"),
    ],
)
def test_replace_keeps_the_style_of_the_token(pointer: str, value: object, old: str, new: str) -> None:
    assert replaced(STYLED, pointer, value) == STYLED.replace(old, new)


def test_a_file_of_escapes_stays_one() -> None:
    assert replaced('{"a": "\\u00e9", "b": "x"}', "/b", "\u00e9") == '{"a": "\\u00e9", "b": "\\u00e9"}'
    assert replaced('{"a": "http:\\/\\/x", "b": ""}', "/b", "/") == '{"a": "http:\\/\\/x", "b": "\\/"}'


def test_insert_follows_its_neighbours() -> None:
    assert inserted(STYLED, "/new", "x") == STYLED.replace('1.2.3"', '1.2.3",\r\n\t"new": "x"')
    assert inserted(STYLED, "/list/-", 3) == STYLED.replace("[1, 2]", "[1, 2, 3]")
    assert inserted(STYLED, "/list/0", 0) == STYLED.replace("[1, 2]", "[0, 1, 2]")
    assert inserted(STYLED, "/empty/a/b", 1) == STYLED.replace(
        "{}", '{\r\n\t\t"a": {\r\n\t\t\t"b": 1\r\n\t\t}\r\n\t}'
    )
    assert inserted(STYLED, "/deep/z", {"q": 1}) == STYLED.replace("1.0}]}", '1.0}], "z": {"q": 1}}')


@pytest.mark.parametrize(
    ("text", "pointer", "expected"),
    [
        ("{}", "/a", '{\n  "a": 1\n}'),
        ("{}\n", "/a", '{\n  "a": 1\n}\n'),
        ("[ ]", "/0", "[\n  1\n]"),
        ('{"a":[]}', "/b", '{"a":[],"b":1}'),
        ('{"a":[]}', "/a/0", '{"a":[1]}'),
        ('{ "a" : 2 }', "/b", '{ "a" : 2, "b" : 1 }'),
        ('{\n    "a": 2}', "/b", '{\n    "a": 2,\n    "b": 1}'),
        ('{\n "a": 2,\n\n "b": 3\n}', "/c", '{\n "a": 2,\n\n "b": 3,\n "c": 1\n}'),
        ("[\n  2\n]", "/0", "[\n  1,\n  2\n]"),
        ('{"a":\n2}', "/b", '{"a":\n2, "b": 1}'),
    ],
)
def test_insert_in_odd_layouts(text: str, pointer: str, expected: str) -> None:
    assert inserted(text, pointer, 1) == expected


def test_insert_of_a_container_looks_like_its_siblings() -> None:
    tall = '{\n  "a": {\n    "x": 1\n  },\n  "b": ["s"]\n}'
    assert inserted(tall, "/c", {"y": ["t"]}).endswith(',\n  "c": {\n    "y": ["t"]\n  }\n}')
    assert inserted(tall, "/c", ["t", "u"]).endswith(',\n  "c": ["t", "u"]\n}')
    flat = '[\n  {"x": 1},\n  {"x": 2}\n]'
    assert inserted(flat, "/-", {"x": 3}) == '[\n  {"x": 1},\n  {"x": 2},\n  {"x": 3}\n]'


@pytest.mark.parametrize(
    ("text", "pointer", "expected"),
    [
        ('{"a": 1, "b": 2}', "/a", '{"b": 2}'),
        ('{"a": 1, "b": 2}', "/b", '{"a": 1}'),
        ('{ "a": 1 }', "/a", "{}"),
        ("[1, 2, 3]", "/1", "[1, 3]"),
        ('{\n  "a": 1,\n  "b": 2\n}', "/b", '{\n  "a": 1\n}'),
        ('{\r\n  "a": 1,\r\n  "b": 2\r\n}', "/a", '{\r\n  "b": 2\r\n}'),
        ('{\n  "a": 1, "b": 2\n}', "/b", '{\n  "a": 1\n}'),
        ('{\n  "a": 1, "b": 2\n}', "/a", '{\n  "b": 2\n}'),
    ],
)
def test_delete_takes_the_comma_along(text: str, pointer: str, expected: str) -> None:
    assert deleted(text, pointer) == expected


def test_wrong_pointers_are_programming_errors() -> None:
    read = document('{"a": [1]}')
    with pytest.raises(KeyError):
        read.replace("/b", 1)
    with pytest.raises(KeyError):
        read.delete(["/a/1"])
    for pointer in ("/a", "", "/a/0/x", "/a/3", "/a/x", "/a/01"):
        with pytest.raises(ValueError):
            read.insert(pointer, 1)
    with pytest.raises(ValueError):
        read.delete([""])


@pytest.mark.parametrize("value", ["\ud800", ["\udc00"], {"\ud800": 1}, float("nan"), [float("inf")]])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(Refused) as caught:
        document('{"a": 1}').replace("/a", value)
    assert caught.value.findings[0].code.slug in {"lone-surrogate", "number-not-json"}


def test_where_points_at_the_value_or_what_it_would_stand_in() -> None:
    read = document('{\n  "packages": [\n    {"version": "1"}\n  ]\n}\n')
    assert read.where("/packages/0/version") == Position(3, 17, 3, 20)
    assert read.where("/packages/0/identifier") == Position(3, 5, 3, 21)
    assert read.where("/nothing/there") == Position(1, 1, 5, 2)
    assert str(read.place("/packages/0")) == "server.json#/packages/0"


def test_large_flat_and_hostile_texts_are_scanned() -> None:
    assert len(document(f"[{'0,' * 50_000}0]").spans) == 50_002
    assert document(json.dumps("\\\n" * 200_000)).root.span is not None
    assert scan_json(f'{{"{"k" * 100_000}": [{"0," * 1000}0]}}').children is not None

"""Spans point at what they say, and an edit changes one value and no other byte."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import tomli
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mcp_lockstep.documents import (
    Document,
    JsonDocument,
    TomlDocument,
    apply_edits,
    literal_like,
    make_pointer,
    toml_address,
    toml_key,
    toml_pointer,
    toml_string,
    value_at,
)

FEW = settings(max_examples=60, deadline=None)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
KEY = (
    st.sampled_from(
        ["a", "b", "ab", "", "~", "/", "0", "1", "-", "a b", "é", 'q"', "q'", "\\", "#", "\n", "x.y"]
    )
    | TEXT
)
NUMBER = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
SCALAR = TEXT | NUMBER | st.booleans()
JSON = st.recursive(
    SCALAR | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=12,
)
TREE = st.dictionaries(KEY, JSON, max_size=4)
SPACE = st.sampled_from(["", " ", "\n", "\r\n  ", "\t", "  "])


@st.composite
def json_texts(draw: st.DrawFn) -> str:
    """The same data in any layout: dumped with an indent, or with random white space between all tokens."""
    data = draw(TREE)
    style = draw(st.sampled_from(["tight", "spaced", "two", "tab", "crlf", "wild"]))
    ascii_only = draw(st.booleans())
    if style == "wild":
        return draw(st.sampled_from(["", "\ufeff"])) + _wild(draw, data)
    indents: dict[str, int | str] = {"two": 2, "tab": "\t", "crlf": 4}
    separators = (",", ":") if style == "tight" else None
    text = json.dumps(data, indent=indents.get(style), ensure_ascii=ascii_only, separators=separators)
    text = text.replace("\n", "\r\n") if style == "crlf" else text
    return text + draw(st.sampled_from(["", "\n"]))


def _wild(draw: st.DrawFn, value: object) -> str:
    def space() -> str:
        return draw(SPACE)

    if isinstance(value, dict):
        items = [f"{space()}{json.dumps(k)}{space()}:{_wild(draw, v)}" for k, v in value.items()]
        return f"{space()}{{{','.join(items)}{space()}}}{space()}"
    if isinstance(value, list):
        return f"{space()}[{','.join([_wild(draw, v) for v in value])}{space()}]{space()}"
    return f"{space()}{json.dumps(value)}{space()}"


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """Sections, arrays of tables, dotted keys, inline tables and tall arrays with comments, all key spellings."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines: list[str] = draw(st.sampled_from([[], ["# top"], ["", ""]]))
    lines = [*lines, *_statements(draw, newline)]
    for name in draw(st.lists(KEY, unique=True, max_size=3)):
        assume(f"{toml_key(name)}" not in {line.partition(" ")[0] for line in lines})
        kind = draw(st.sampled_from(["table", "deep", "array", "array twice"]))
        head = f"t.{_key(draw, name)}"
        if kind.startswith("array"):
            for _ in kind.split():
                lines += ["", f"[[ {head} ]]", *_statements(draw, newline)]
                for inner in draw(st.sampled_from([[], [f"[{head}.t.t]"], [f"[[{head}.t]]"] * 2])):
                    lines += [inner, *_statements(draw, newline)]
        else:
            lines += [f"[{head}{'.deep' if kind == 'deep' else ''}]  # c", *_statements(draw, newline)]
    return draw(st.sampled_from(["", "\ufeff"])) + newline.join(lines) + draw(st.sampled_from(["", newline]))


def _key(draw: st.DrawFn, name: str) -> str:
    literal = name.isprintable() and "'" not in name
    return f"'{name}'" if literal and draw(st.booleans()) else toml_key(name)


def _statements(draw: st.DrawFn, newline: str) -> list[str]:
    lines: list[str] = []
    for name in draw(st.lists(KEY.filter(lambda key: key != "t"), unique=True, max_size=3)):
        equals = draw(st.sampled_from(["=", " = ", "\t=  "]))
        comment = draw(st.sampled_from(["", " # why", "  #"]))
        if draw(st.integers(0, 4)) == 0:
            for inner in draw(st.lists(KEY, unique=True, min_size=1, max_size=2)):
                lines.append(
                    f"{_key(draw, name)} . {_key(draw, inner)}{equals}{_value(draw, newline, 1)}{comment}"
                )
        else:
            lines.append(f"{_key(draw, name)}{equals}{_value(draw, newline, 2)}{comment}")
    return lines


def _value(draw: st.DrawFn, newline: str, depth: int) -> str:
    kind = draw(
        st.sampled_from(["string", "tall", "plain", "array", "tall array", "table"][: 6 if depth else 3])
    )
    if kind == "plain":
        plain = [
            "1",
            "+1_0",
            "0xff",
            "1.5",
            "-1e3",
            "true",
            "inf",
            "1979-05-27",
            "1979-05-27 07:32:00Z",
            "07:32:00",
        ]
        return draw(st.sampled_from([*plain, "''", "'a#]'", "'''''a'''''", '"""a""b"""', '"\\u00e9\\\\"']))
    if kind in {"string", "table"}:
        if kind == "string":
            return toml_string(draw(TEXT))
        names = draw(st.lists(KEY, unique=True, max_size=3))
        dots = draw(st.sampled_from(["", ".x"]))
        members = [f"{_key(draw, name)}{dots} = {_value(draw, newline, depth - 1)}" for name in names]
        pad = draw(st.sampled_from(["", " "]))
        return f"{{{pad}{', '.join(members)}{pad}}}"
    if kind == "tall":
        return f'"""{newline}{newline.join([toml_string(draw(TEXT))[1:-1] for _ in range(2)])}"""'
    items = [_value(draw, newline, depth - 1) for _ in range(draw(st.integers(0, 3)))]
    comma = draw(st.sampled_from(["", ","])) if items else ""
    if kind == "array":
        return f"[{', '.join(items)}{comma}]"
    rest = draw(st.sampled_from(["", " # ] c", f"{newline}    # , own"]))
    inner = "".join(
        [f"{newline}    {item}{',' if i < len(items) - 1 else comma}{rest}" for i, item in enumerate(items)]
    )
    return f"[{inner}{newline}]"


def _json(text: str) -> JsonDocument:
    return JsonDocument("x.json", text.encode())


def _toml(text: str) -> Document:
    return TomlDocument("x.toml", text.encode())


def _read(document: Document, text: str) -> object:
    if isinstance(document, JsonDocument):
        return json.loads(text)
    return tomli.loads(f"v = {text}")["v"]


def _same(one: object, other: object) -> bool:
    """Equal in value and in type, so that `1`, `1.0` and `true` are three values."""
    return repr(one) == repr(other)


def _without(data: Any, pointer: str) -> object:
    """`data` with the value at `pointer` taken out, in a copy; containers that held nothing else go too."""
    parts = pointer.split("/")[1:]
    key = parts[0].replace("~1", "/").replace("~0", "~")
    if isinstance(data, list):
        index = int(key)
        inner = [] if len(parts) == 1 else [_without(data[index], pointer[len(parts[0]) + 1 :])]
        return [*data[:index], *inner, *data[index + 1 :]]
    inner_dict = {} if len(parts) == 1 else {key: _without(data[key], pointer[len(parts[0]) + 1 :])}
    merged = {**data, **inner_dict}
    if len(parts) == 1:
        del merged[key]
    return merged


def _pruned(data: object) -> object:
    """Without what is empty, which TOML may only imply; order does not matter in a table."""
    if isinstance(data, dict):
        pairs = [(key, _pruned(value)) for key, value in data.items()]
        return sorted([pair for pair in pairs if pair[1] not in ([], ["list"])], key=repr)
    if isinstance(data, list):
        return ["list", *[_pruned(item) for item in data]]
    return repr(data)


DOCUMENTS = st.one_of(json_texts().map(_json), toml_texts().map(_toml))


@FEW
@given(DOCUMENTS)
def test_every_span_slices_to_the_value_at_its_pointer(document: Document) -> None:
    for pointer, (start, end) in document.spans.items():
        assert _same(_read(document, document.text[start:end]), value_at(document.data, pointer))


@FEW
@given(DOCUMENTS)
def test_every_value_has_a_span_or_a_key_span(document: Document) -> None:
    seen = {*document.spans, *document.key_spans, ""}
    stack: list[tuple[tuple[str, ...], object]] = [((), document.data)]
    while stack:
        path, value = stack.pop()
        assert make_pointer(path) in seen
        if isinstance(value, dict):
            stack += [((*path, key), item) for key, item in value.items()]
        elif isinstance(value, list):
            stack += [((*path, str(index)), item) for index, item in enumerate(value)]
    assert len(document.spans) == len([*document.spans])


@FEW
@given(DOCUMENTS, SCALAR, st.randoms(use_true_random=False))
def test_replace_changes_one_value_and_no_other_byte(document: Document, value: object, random: Any) -> None:
    pointers = [pointer for pointer in document.spans if pointer]
    assume(pointers)
    pointer = random.choice(pointers)
    start, end = document.spans[pointer]
    edit = document.replace(pointer, value)
    after = apply_edits(document.text, [edit])
    assert (after[:start], after[start + len(edit.text) :]) == (document.text[:start], document.text[end:])
    changed = type(document)("x", after.encode())
    assert _same(value_at(changed.data, pointer), value)
    assert _pruned(_without(changed.data, pointer)) == _pruned(_without(document.data, pointer))


@FEW
@given(json_texts().map(_json), TREE, st.randoms(use_true_random=False))
def test_a_json_container_takes_the_place_of_any_value(
    document: Document, value: object, random: Any
) -> None:
    pointer = random.choice([*document.spans])
    after = apply_edits(document.text, [document.replace(pointer, value)])
    assert _same(value_at(JsonDocument("x", after.encode()).data, pointer), value)


@FEW
@given(DOCUMENTS, KEY, SCALAR, st.randoms(use_true_random=False))
def test_insert_adds_one_value(document: Document, key: str, value: object, random: Any) -> None:
    pointer = random.choice([*_slots(document, key)])
    edit = document.insert(pointer, value)
    after = apply_edits(document.text, [edit])
    changed = type(document)("x", after.encode())
    assert _same(value_at(changed.data, pointer), value)
    assert _pruned(_without(changed.data, pointer)) == _pruned(document.data)
    assert after.startswith(document.text[: edit.start])
    assert after.endswith(document.text[edit.end :])


def _slots(document: Document, key: str) -> list[str]:
    """Where something can be inserted: a new key in any object, the end or the middle of any array."""
    slots: list[str] = []
    stack: list[tuple[tuple[str, ...], object]] = [((), document.data)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            while key in value:
                key += "x"
            slots.append(make_pointer((*path, key)))
            stack += [((*path, name), item) for name, item in value.items()]
        elif isinstance(value, list):
            if isinstance(document, JsonDocument) or make_pointer(path) in document.spans:
                slots += [make_pointer((*path, index)) for index in range(len(value) + 1)]
            stack += [((*path, str(index)), item) for index, item in enumerate(value)]
    return slots


@FEW
@given(DOCUMENTS, TREE.filter(bool), KEY, st.randoms(use_true_random=False))
def test_insert_makes_what_is_missing_on_the_way(
    document: Document, value: Any, key: str, random: Any
) -> None:
    if isinstance(document, TomlDocument):
        value = _for_toml(value)
    there = {*document.spans, *document.key_spans}
    slots = [pointer for pointer in _slots(document, key) if pointer not in there]
    pointer = random.choice(slots) + random.choice(["", "/new", "/new/x y/~0"])
    after = apply_edits(document.text, [document.insert(pointer, value)])
    assert _pruned(value_at(type(document)("x", after.encode()).data, pointer)) == _pruned(value)


def _for_toml(value: object) -> object:
    if isinstance(value, dict):
        return {key: _for_toml(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_for_toml(item) for item in value]
    return "none" if value is None else value


@FEW
@given(json_texts().map(_json), st.randoms(use_true_random=False))
def test_delete_removes_one_value(document: JsonDocument, random: Any) -> None:
    pointers = sorted({*document.spans, *document.key_spans} - {""})
    assume(pointers)
    pointer = random.choice(pointers)
    after = apply_edits(document.text, document.delete([pointer]))
    assert _same(JsonDocument("x", after.encode()).data, _without(document.data, pointer))
    assert len(after) < len(document.text)


@FEW
@given(TEXT)
def test_a_toml_string_is_read_back(value: str) -> None:
    assert tomli.loads(f"v = {toml_string(value)}") == {"v": value}
    assert tomli.loads(f"{toml_key(value)} = 1") == {value: 1}


@FEW
@given(st.lists(TEXT, min_size=1, max_size=4))
def test_an_address_names_one_pointer(parts: list[str]) -> None:
    assert toml_pointer(toml_address(make_pointer(parts))) == make_pointer(parts)


@FEW
@given(
    TEXT | st.text(st.sampled_from("'\"\\\n\r a"), max_size=8),
    st.sampled_from(["'a'", '"a"', "'''a'''", '"""a\n"""', "r'a'", 'R"""a"""', "u'a'"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_literal_says_the_value_in_the_old_quotes(value: str, old: str, newline: str) -> None:
    new = literal_like(old, value, newline)
    assert new is not None
    assert eval(new) == value
    assert new[-1] == old[-1]


@FEW
@given(st.text(st.sampled_from('{}[]",:0-1eE.tnaf\\u \n\x01\ud7ff'), max_size=12))
def test_both_json_readers_agree_on_what_json_is(text: str) -> None:
    from mcp_lockstep.documents.json_scan import scan_json
    from mcp_lockstep.documents.spans import ScanError

    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ScanError):
            scan_json(text)
        return
    if not (isinstance(expected, float) and math.isinf(expected)):
        assert scan_json(text).span is not None

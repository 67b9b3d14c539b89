"""TOML text without a parser."""

from __future__ import annotations

import datetime

import pytest
import tomli

from mcp_lockstep.documents import toml_address, toml_key, toml_pointer, toml_string, toml_tables, toml_value
from mcp_lockstep.documents.toml_text import toml_unquoted


def test_every_character_of_a_byte_survives() -> None:
    every = "".join([chr(point) for point in range(0x250)]) + "\u2028\ufeff\U0010ffff"
    assert tomli.loads(f"v = {toml_string(every)}") == {"v": every}
    assert "\n" not in toml_string(every)


@pytest.mark.parametrize("bad", ["\ud800", "x\udfff"])
def test_half_a_surrogate_pair_is_refused(bad: str) -> None:
    for write in (toml_string, toml_key, toml_value):
        with pytest.raises(UnicodeEncodeError):
            write(bad)


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("a-b_1", "a-b_1"),
        ("1", "1"),
        ("", '""'),
        ("a b", '"a b"'),
        ("a.b", '"a.b"'),
        ("\u00e9", '"\u00e9"'),
        ("a\n", '"a\\n"'),
    ],
)
def test_keys_are_bare_where_they_may_be(key: str, written: str) -> None:
    assert toml_key(key) == written
    assert tomli.loads(f"{written} = 1") == {key: 1}
    assert toml_unquoted(written) == key


@pytest.mark.parametrize(
    ("address", "pointer"),
    [
        ("project.version", "/project/version"),
        ("tool.mcp-lockstep.places.0.fact", "/tool/mcp-lockstep/places/0/fact"),
        ('a."b.c".d', "/a/b.c/d"),
        ('"x/y"."~"', "/x~1y/~0"),
        ('""', "/"),
        ("", ""),
    ],
)
def test_addresses_and_pointers_are_two_spellings(address: str, pointer: str) -> None:
    assert toml_address(pointer) == address
    assert toml_pointer(address) == pointer


def test_addresses_may_be_written_loosely() -> None:
    assert toml_pointer(" a . 'b c' .\"\\u00e9\" ") == "/a/b c/\u00e9"


@pytest.mark.parametrize("bad", ["a.", ".a", "a..b", "a b", "a=1", '"a', "\u00e9", "a.b]"])
def test_what_is_no_key_is_no_address(bad: str) -> None:
    with pytest.raises(ValueError, match="not a TOML key"):
        toml_pointer(bad)


@pytest.mark.parametrize(
    "value",
    [
        "a\"'\\",
        True,
        10**30,
        1.5,
        1e300,
        float("inf"),
        datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        datetime.date(2026, 1, 2),
        datetime.time(1, 2, 3, 4),
        [],
        {},
        [1, ["x", {"a b": {"c": []}}]],
    ],
)
def test_a_value_is_read_back(value: object) -> None:
    assert tomli.loads(f"v = {toml_value(value)}") == {"v": value}


def test_toml_has_no_null() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        toml_value([None])


def test_tables_put_plain_keys_first() -> None:
    value = {"t": {"x": 1}, "k": [1], "many": [{"a": 1}, {"b": {"c": 2}}], "none": []}
    lines = toml_tables(("tool", "my tool"), value)
    assert lines[:3] == ['[tool."my tool"]', "k = [1]", "none = []"]
    assert tomli.loads("\n".join(lines)) == {"tool": {"my tool": value}}

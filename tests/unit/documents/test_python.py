"""String literals in Python files."""

from __future__ import annotations

import ast

import pytest

from mcp_lockstep.documents import literal_like


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("'a'", "b", "'b'"),
        ('"a"', 'it\'s "b"', '"it\'s \\"b\\""'),
        ("'a'", "it's", "'it\\'s'"),
        ("'a'", "\\\n\r\t\0\x7f\u202e\U000e0001\ud800", "'\\\\\\n\\r\\t\\x00\\x7f\\u202e\\U000e0001\\ud800'"),
        ('"""a"""', "b", '"""b"""'),
        ('"""a"""', 'b\n"c"', '"""b\n\\"c\\""""'),
        ("'''a'''", "\\", "'''\\\\'''"),
        ("r'a'", "b", "r'b'"),
        ("r'a'", "\\d", "r'\\d'"),
        ("r'a'", "'", "'\\''"),
        ("R'a'", "b\\", "'b\\\\'"),
        ('r"""a"""', "b\nc", '"""b\nc"""'),
        ("u'a'", "b", "u'b'"),
        ("'a\\'b'", "c", "'c'"),
        ("'a\\\r\nb'", "c", "'c'"),
        ("''", "c", "'c'"),
    ],
)
def test_the_old_quotes_and_prefix_stay(old: str, value: str, new: str) -> None:
    assert literal_like(old, value) == new
    assert ast.literal_eval(new) == value


def test_line_ends_in_tall_literals_are_those_of_the_file() -> None:
    assert literal_like('"""a"""', "b\nc", "\r\n") == '"""b\r\nc"""'


@pytest.mark.parametrize(
    "old",
    [
        "'a' 'b'",
        "'a''b'",
        "'''a''' '''b'''",
        '"""a""""""b"""',
        "('a')",
        "f'a'",
        "F'''a'''",
        "rf'a'",
        "t'a'",
        "b'a'",
        "Rb'a'",
        "name",
        "1",
        "'a",
        "'a\nb'",
        "'a' + 'b'",
        "",
    ],
)
def test_what_is_no_single_plain_literal_is_refused(old: str) -> None:
    assert literal_like(old, "x") is None

"""String literals in Python files."""

from __future__ import annotations

import ast

import pytest

from mcp_lockstep.documents import PythonDocument, apply_edits, literal_like


def document(text: str) -> PythonDocument:
    return PythonDocument("app.py", text.encode())


def assigned(read: PythonDocument) -> ast.expr:
    statement = ast.parse(read.source).body[-1]
    assert isinstance(statement, ast.Assign)
    return statement.value


@pytest.mark.parametrize(
    "text",
    [
        "x = 'old'\n",
        "\ufeffx = 'old'",
        "\ufeff# \u00e9\r\n\u00e9\u00e9 = x = 'old'  # \u00e9\r\n",
        "a = '\U0001f600'; \u00fc = 'old'",
        "s = '''\r\n\u2028\x0c\x0b'''\rx = 'old'",
    ],
)
def test_a_node_is_found_in_code_points(text: str) -> None:
    read = document(text)
    node = assigned(read)
    assert read.text[slice(*read.span_of(node))] == "'old'"
    edit = read.replace_literal(node, "n\u00e9w")
    assert edit is not None
    assert apply_edits(text, [edit]) == text.replace("'old'", "'n\u00e9w'")


def test_nodes_over_many_lines_have_a_span() -> None:
    text = "x = f(\n  '\u00e9',\n  '\u00e9')\n"
    read = document(text)
    assert text[slice(*read.span_of(assigned(read)))] == "f(\n  '\u00e9',\n  '\u00e9')"


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


def test_a_call_is_no_literal() -> None:
    read = document("x = f('a')\n")
    assert read.replace_literal(assigned(read), "b") is None

from __future__ import annotations

import ast

import pytest

from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.values import is_manifest_name, value_edit


def edited(code: str, text: str) -> str:
    module = observe("x.py", code.encode())
    assert module.source is not None
    edit = value_edit(module.source, module.values[0], text)
    return code if edit is None else code[: edit.start] + edit.text + code[edit.end :]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ('__version__ = "1.2"  # é', "1.3", '__version__ = "1.3"  # é'),
        ("__version__ = '1.2'", "1.3", "__version__ = '1.3'"),
        ("é = ''; mcp = MCPServer('é', version='1.2')", "1.3", "é = ''; mcp = MCPServer('é', version='1.3')"),
        ("__version__ = '1.2'", "1.2", "__version__ = '1.2'"),
        ('__version__ = """1.2"""', "1.3", '__version__ = "1.3"'),
        ("__version__ = '1.' '2'", "1.3", "__version__ = '1.3'"),
    ],
)
def test_value_edits(code: str, text: str, expected: str) -> None:
    assert edited(code, text) == expected


@pytest.mark.parametrize("text", ['"', "'", "\"'", "\\", "\n", "\u202e", "{x}", '"); import os; ("', "é\x00"])
@pytest.mark.parametrize("quote", ['"', "'"])
def test_hostile_values_stay_values(text: str, quote: str) -> None:
    code = edited(f"__version__ = {quote}1{quote}", text)
    (statement,) = ast.parse(code).body
    assert isinstance(statement, ast.Assign)
    assert ast.literal_eval(statement.value) == text


def test_a_dynamic_value_cannot_be_edited() -> None:
    with pytest.raises(ValueError, match="no literal"):
        edited("__version__ = version('x')", "1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("io.github.acme/weather", True),
        ("weather", False),
        ("acme/weather", False),
        ("a.b/c/d", False),
        ("a.b/", False),
        (".b/c", False),
        (None, False),
    ],
)
def test_names_in_the_form_of_a_manifest(text: str | None, expected: bool) -> None:
    assert is_manifest_name(text) is expected

"""Values enter templates through writers, whatever is in them."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import black
import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from hostile import TEXTS
from mcp_lockstep.bundled.targets import Templates, target
from mcp_lockstep.documents.prose import summary
from mcp_lockstep.emit.codes import SEED_NOT_PYTHON, TEMPLATE_BROKEN
from mcp_lockstep.emit.render import (
    doc,
    py,
    render,
    render_python,
    to_json,
)
from mcp_lockstep.findings import Refused

TEXT = st.one_of(st.text(), st.sampled_from(TEXTS))


def templates(folder: Path, text: str) -> Templates:
    """Templates whose own one for the package's docstring is `text`."""
    (folder / "src").mkdir()
    (folder / "src/init.py.jinja").write_text(text, encoding="utf-8")
    return Templates(target("mcp2"), str(folder))


@given(TEXT)
def test_a_python_expression_has_the_value(text: str) -> None:
    assert ast.literal_eval(py(text)) == text


@given(TEXT)
def test_json_has_the_value_and_hides_nothing(text: str) -> None:
    written = to_json({"a": text})
    assert json.loads(written) == {"a": text}
    assert all(c == "\n" or c.isprintable() for c in written)


@given(TEXT)
def test_a_docstring_has_the_value(text: str) -> None:
    module = ast.parse(f"def f():\n    {doc(text)}\n")
    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function, clean=False) == text


@given(TEXT)
def test_no_formatter_changes_a_docstring(text: str) -> None:
    said = summary(text)
    source = f"def f():\n    {doc(said or 'x')}\n"
    assert black.format_str(source, mode=black.Mode()) == source


def test_texts_are_no_template_code(tmp_path: Path) -> None:
    own = templates(tmp_path, '{{ summary | doc }} {{ "<&>" }}')
    text = "{{ view.name }} {% raw %} {# gone #}"
    assert render(own, "src/init.py.jinja", {"summary": text}) == f'"""{text}""" <&>'


def test_an_undefined_name_is_refused(tmp_path: Path) -> None:
    own = templates(tmp_path, "{{ nobody }}")
    with pytest.raises(Refused) as refused:
        render(own, "src/init.py.jinja", {})
    (finding,) = refused.value.findings
    assert finding.code is TEMPLATE_BROKEN
    assert "'nobody' is undefined" in finding.message


def test_a_syntax_error_in_a_template_is_refused_with_its_line(tmp_path: Path) -> None:
    own = templates(tmp_path, "a\n{% if %}")
    with pytest.raises(Refused) as refused:
        render(own, "src/init.py.jinja", {})
    (finding,) = refused.value.findings
    assert (finding.code, finding.position.line) == (TEMPLATE_BROKEN, 2)


def test_a_template_that_gives_no_python_is_refused(tmp_path: Path) -> None:
    own = templates(tmp_path, "x = (\n")
    with pytest.raises(Refused) as refused:
        render_python(own, "src/init.py.jinja", {})
    assert refused.value.findings[0].code is SEED_NOT_PYTHON


def test_toml_has_the_value(tmp_path: Path) -> None:
    own = templates(tmp_path, "a = {{ text | toml }}\n")
    for text in TEXTS:
        assert tomli.loads(render(own, "src/init.py.jinja", {"text": text})) == {"a": text}


@given(TEXT)
def test_no_formatter_changes_an_expression_in_double_quotes(text: str) -> None:
    line = f"value = {py(text)}\n"
    assert line.startswith("value = '") or black.format_str(line, mode=black.Mode(line_length=10_000)) == line

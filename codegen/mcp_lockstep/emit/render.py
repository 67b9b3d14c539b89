"""Templates: undefined names are errors, nothing is escaped for HTML, values enter through writers."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from functools import lru_cache

import jinja2

from mcp_lockstep.bundled.targets import Templates
from mcp_lockstep.documents.prose import code, comment, markdown, one_line, summary
from mcp_lockstep.documents.toml_text import toml_string
from mcp_lockstep.emit.codes import SEED_NOT_PYTHON, TEMPLATE_BROKEN
from mcp_lockstep.findings import Finding, Place, Position, Refused

LINE = 88
"""The length at which black and ruff format wrap a line."""


def render(templates: Templates, name: str, values: Mapping[str, object]) -> str:
    """The text that the template `name` gives for `values`. Refused where it cannot be rendered."""
    try:
        return _environment(templates).get_template(name).render(values)
    except jinja2.TemplateSyntaxError as error:
        raise _broken(error.name or name, error.lineno, error.message or "") from None
    except jinja2.TemplateNotFound as error:
        raise _broken(name, 1, f"there is no template {error.name!r}") from None
    except jinja2.UndefinedError as error:
        raise _broken(name, 1, error.message or "") from None


def render_python(templates: Templates, name: str, values: Mapping[str, object]) -> str:
    """Like `render`, for Python source: formatted as black and ruff format it."""
    text = render(templates, name, values)
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise _no_python(name, error.lineno or 1, error.msg) from None
    if _is_settled(text):
        return text
    import black
    from black.parsing import InvalidInput

    try:
        return black.format_str(text, mode=black.Mode())
    except InvalidInput:
        raise _no_python(name, 1, "black cannot format it") from None


def _is_settled(text: str) -> bool:
    """Whether a formatter has no reason to touch what a template gave: no line to wrap, no quotes to change.

    Formatters count some characters twice, so a line with others than ASCII is left to them.
    Importing black takes longer than rendering a project.
    """
    code = (line for line in text.splitlines() if not line.lstrip().startswith('"""'))
    return all(len(line) <= LINE and line.isascii() and "'" not in line for line in code)


def py(value: object) -> str:
    """A Python expression with this value, in double quotes where it can be; nothing in it is invisible."""
    text = repr(value)
    return f'"{text[1:-1]}"' if text[:1] == "'" and '"' not in text and "\\'" not in text else text


def to_json(value: object, indent: int | None = 2) -> str:
    """JSON with this value, keys in their order; characters that cannot be seen as escapes."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return "".join(c if c == "\n" or c.isprintable() else _json_escape(c) for c in text)


def doc(text: str) -> str:
    """A docstring with the value `text`, on one line, that no formatter changes."""
    inner = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii")
        for c in text.replace("\\", "\\\\")
    )
    inner = inner.replace('"""', "\\x22\\x22\\x22")
    if inner.startswith('"'):
        inner = "\\x22" + inner[1:]
    if inner.endswith('"'):
        inner = inner[:-1] + "\\x22"
    return f'"""{inner}"""'


def pitch(text: str, limit: int) -> str:
    """`text` itself where it is short enough and on one line, else what `summary` makes of it."""
    text = text.strip()
    return text if len(text) <= limit and not re.search("[\r\n]", text) else summary(text, limit)


@lru_cache(maxsize=8)
def _environment(templates: Templates) -> jinja2.Environment:
    def load(name: str) -> str:
        try:
            return templates.text(name)
        except FileNotFoundError:
            raise jinja2.TemplateNotFound(name) from None

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(load),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        py=py, json=to_json, toml=toml_string, doc=doc, one_line=one_line, summary=summary,
        comment=comment, markdown=markdown, code=code,
    )  # fmt: skip
    return environment


def _json_escape(character: str) -> str:
    return json.dumps(character)[1:-1]


def _no_python(name: str, line: int, reason: str) -> Refused:
    message = f"{name} gives text that is no Python: {reason} in line {line} of it"
    return Refused(Finding(SEED_NOT_PYTHON, Place(name), message))


def _broken(name: str, line: int, reason: str) -> Refused:
    place = Position(line, 1, line, 1)
    return Refused(Finding(TEMPLATE_BROKEN, Place(name), f"{name} cannot be rendered: {reason}", place))

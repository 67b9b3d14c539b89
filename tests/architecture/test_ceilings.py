"""How long functions and modules may be, how many ways lead through one, what an ignore comment must say."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator

import pytest

from package_source import Source, assert_none, package_sources, python_files, source

FUNCTION_LINES = 40
MODULE_LINES = 400
COMPLEXITY = 10

IGNORE = re.compile(r"#\s*(?:type:\s*ignore|noqa|pyright:|mypy:|ruff:|pragma:)")
REASONED = re.compile(
    r"#\s*(?:type:\s*ignore\[[\w,\s-]+\]|noqa:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|pyright:\s*ignore\[\w+(?:,\s*\w+)*\])"
    r"\s*(?:#|[-:(;,])?\s*\w.{9,}"
)
"""A code in the tool's own form, then at least a few words that say why."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(module: Source) -> Iterator[Function]:
    """Every function of a module, nested ones and methods too."""
    return (node for node in ast.walk(module.tree) if isinstance(node, Function))


def complexity(function: Function) -> int:
    """McCabe's number; the cases of a `match` don't count, a table is easy to read however long it is."""
    return 1 + sum(_ways(node) for statement in function.body for node in ast.walk(statement))


def _ways(node: ast.AST) -> int:
    if isinstance(node, ast.If | ast.ExceptHandler | Function):
        return 1
    if isinstance(node, ast.For | ast.AsyncFor | ast.While):
        return 1 + bool(node.orelse)
    if isinstance(node, ast.Try | ast.TryStar):
        return int(bool(node.orelse))
    return 0


def over_the_ceilings(modules: Iterable[Source]) -> list[str]:
    """Functions and modules that are too long, functions with too many ways through them."""
    wrong: list[str] = []
    for module in modules:
        if (lines := module.text.count("\n")) > MODULE_LINES:
            wrong.append(f"{module.path}: {lines} lines")
        for function in functions(module):
            if (size := (function.end_lineno or 0) - function.lineno + 1) > FUNCTION_LINES:
                wrong.append(f"{module.at(function)} {function.name}: {size} lines")
            if (ways := complexity(function)) > COMPLEXITY:
                wrong.append(f"{module.at(function)} {function.name}: complexity {ways}")
    return wrong


def bare_ignores(modules: Iterable[Source]) -> list[str]:
    """Comments that switch a checker off without naming the rule and the reason."""
    wrong: list[str] = []
    for module in modules:
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
            if token.type != tokenize.COMMENT:
                continue
            found = IGNORE.search(token.string)
            if found and not REASONED.match(token.string, found.start()):
                wrong.append(f"{module.path}:{token.start[0]}: {token.string}")
    return wrong


def test_the_package_keeps_the_ceilings() -> None:
    assert_none(over_the_ceilings(package_sources()))


def test_bench_tools_and_examples_keep_the_ceilings() -> None:
    assert_none(over_the_ceilings(python_files("bench", "tools", "examples/demo.py")))


def test_every_ignore_has_a_code_and_a_reason() -> None:
    assert_none(bare_ignores(python_files("codegen", "bench", "tools", "tests", "examples/demo.py")))


def test_a_long_function_is_seen() -> None:
    text = "def f() -> None:\n" + "    print()\n" * FUNCTION_LINES
    assert over_the_ceilings([source(text)]) == ["codegen/mcp_lockstep/facts/planted.py:1 f: 41 lines"]


def test_a_long_module_is_seen() -> None:
    assert over_the_ceilings([source("x = 1\n" * (MODULE_LINES + 1))]) == [
        "codegen/mcp_lockstep/facts/planted.py: 401 lines"
    ]


def test_a_tangled_function_is_seen() -> None:
    text = "def f(x):\n" + "".join(f"    if x == {n}: return\n" for n in range(COMPLEXITY))
    assert over_the_ceilings([source(text)]) == ["codegen/mcp_lockstep/facts/planted.py:1 f: complexity 11"]


def test_a_table_of_cases_is_exempt() -> None:
    text = "def f(x):\n    match x:\n" + "".join(f"        case {n}: return {n}\n" for n in range(20))
    assert over_the_ceilings([source(text)]) == []


@pytest.mark.parametrize(
    "comment",
    [
        "# type: ignore",
        "# noqa",
        "# noqa: E501",
        "# type: ignore[arg-type]",
        "# pragma: no cover",
        "# mypy: ignore-errors",
    ],
)
def test_a_bare_ignore_is_seen(comment: str) -> None:
    assert bare_ignores([source(f"x = 1  {comment}\n")]) == [
        f"codegen/mcp_lockstep/facts/planted.py:1: {comment}"
    ]


@pytest.mark.parametrize(
    "comment",
    [
        "# type: ignore[arg-type]  # the stub of json says Any",
        "# noqa: BLE001 - the last door before the user",
        "# pyright: ignore[reportPrivateUsage]  # public since 3.13 only",
    ],
)
def test_a_reasoned_ignore_passes(comment: str) -> None:
    assert bare_ignores([source(f"x = 1  {comment}\n")]) == []


def test_text_that_only_looks_like_an_ignore_passes() -> None:
    assert bare_ignores([source('HEADER = "# ruff: noqa"\n')]) == []

"""Every public name is documented, and the public API is what the docs list."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import mcp_lockstep
from package_source import Source, assert_none, package_sources, source

Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def undocumented(modules: Iterable[Source]) -> list[str]:
    """Modules, and public classes and functions at module level, that no sentence explains."""
    wrong: list[str] = []
    for module in modules:
        if not _says_something(module.tree):
            wrong.append(f"{module.path}: the module")
        for node in module.tree.body:
            if isinstance(node, Documented) and not node.name.startswith("_") and not _says_something(node):
                wrong.append(f"{module.at(node)}: {node.name}")
    return wrong


def _says_something(node: ast.Module | Documented) -> bool:
    text = ast.get_docstring(node) or ""
    first = text.partition("\n\n")[0]
    return len(first) > 4 and first.rstrip().endswith((".", ":", "?"))


def listed_names(text: str) -> set[str]:
    """The names that the docs list under `## Python API`: the first code span of each bullet or table row."""
    section = re.search(r"^## Python API\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return set(re.findall(r"^(?:[-*]|\|)\s*`(\w+)", section.group(1) if section else "", re.M))


def test_public_names_have_docstrings() -> None:
    assert_none(undocumented(package_sources()))


def test_the_public_api_is_what_the_docs_list(root: Path) -> None:
    text = (root / "docs/architecture.md").read_text(encoding="utf-8")
    assert listed_names(text) == set(getattr(mcp_lockstep, "__all__", ())) - {"__version__"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        '"""."""',
        '"""Reads a file."""\ndef f(): ...',
        '"""Reads a file."""\nclass C:\n    """no full stop"""',
    ],
)
def test_a_missing_docstring_is_seen(text: str) -> None:
    assert len(undocumented([source(text)])) == 1


def test_private_names_and_methods_may_be_plain() -> None:
    text = '"""Reads a file."""\ndef _f(): ...\nclass C:\n    """One file."""\n    def m(self): ...'
    assert undocumented([source(text)]) == []


def test_the_list_of_the_docs_is_read() -> None:
    text = "# x\n\n## Python API\n\n- `check(tree)`: judges\n- `sync`\n\n## Next\n\n- `other`\n"
    assert listed_names(text) == {"check", "sync"}

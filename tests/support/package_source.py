"""The package as source text: what the architecture tests read instead of importing it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

PACKAGE = "mcp_lockstep"
ROOT = Path(__file__).resolve().parents[2]
TEST_DATA = {("tests", "cases"), ("tests", "codemods"), ("tests", "fixtures")}
"""Folders whose subfolders are input and output of tests, not code of ours."""


class Source:
    """One Python module: its dotted name, its path relative to the checkout, its text and syntax tree."""

    def __init__(self, module: str, path: str, text: str) -> None:
        self.module = module
        self.path = path
        self.text = text

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")

    @property
    def part(self) -> str:
        """The name below the package that decides the layer: `facts` for `mcp_lockstep.facts.merge`."""
        rest = self.module.removeprefix(PACKAGE).lstrip(".")
        return rest.partition(".")[0] or "__init__"

    def at(self, node: ast.AST) -> str:
        """`path:line` of a node, for messages."""
        return f"{self.path}:{getattr(node, 'lineno', 1)}"


class Import:
    """One imported module, absolute, with the names taken from it and where the statement stands."""

    def __init__(self, module: str, names: tuple[str, ...], node: ast.AST, deferred: bool) -> None:
        self.module = module
        self.names = names
        self.node = node
        self.deferred = deferred
        """Inside a function, or for type checkers only: not run when the module is imported."""

    def targets(self) -> Iterator[str]:
        """Every module that the statement may load: itself and, for `from x import y`, also `x.y`."""
        yield self.module
        for name in self.names:
            yield f"{self.module}.{name}"


def source(text: str, module: str = "mcp_lockstep.facts.planted") -> Source:
    """A synthetic module, for tests that plant a violation."""
    return Source(module, f"codegen/{module.replace('.', '/')}.py", text)


def assert_none(wrong: Iterable[str]) -> None:
    """Fail with all that is wrong, a line each."""
    lines = list(wrong)
    if lines:
        raise AssertionError("\n".join(["", *lines]))


def python_files(*folders: str) -> tuple[Source, ...]:
    """Every Python file below the folders of the checkout (or the files themselves), sorted by path."""
    found: list[Source] = []
    for folder in folders:
        base = ROOT / folder
        for path in sorted(base.rglob("*.py")) if base.is_dir() else [base] * base.is_file():
            relative = path.relative_to(ROOT)
            if relative.parts[:2] in TEST_DATA and len(relative.parts) > 3:
                continue
            dotted = ".".join(relative.with_suffix("").parts)
            module = dotted.removeprefix("codegen.").removesuffix(".__init__")
            found.append(Source(module, relative.as_posix(), path.read_text(encoding="utf-8")))
    return tuple(found)


def package_sources() -> tuple[Source, ...]:
    """Every module of the package."""
    return python_files(f"codegen/{PACKAGE}")


def imports(module: Source) -> Iterator[Import]:
    """All imports of a module, also those inside functions and under `TYPE_CHECKING`."""
    yield from _imports(module, module.tree, deferred=False)


def _imports(module: Source, node: ast.AST, *, deferred: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, (), child, deferred)
        elif isinstance(child, ast.ImportFrom):
            names = tuple(alias.name for alias in child.names)
            yield Import(_absolute(module, child), names, child, deferred)
        else:
            inner = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or _types_only(
                child
            )
            yield from _imports(module, child, deferred=deferred or inner)


def _types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _absolute(module: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.module.split(".")
    base = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*base, *filter(None, [node.module])])

"""Imports of generated models that are no longer there: they stop the program before its first line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from mcp_lockstep.code.codes import MODEL_GONE
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.modules import absolute, imported_module, package_name
from mcp_lockstep.code.source import Parsed, Source
from mcp_lockstep.documents import Edit
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.records import NamedTuple

_TOP_LINE = re.compile(r"^\S.*$", re.MULTILINE)
_ALL = re.compile(r"^__all__ = \[(.*?)^\]", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"\w+")


class Leftovers(NamedTuple):
    """What is wrong with the imports of a module, and what takes out those that nothing uses."""

    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()


class _Gone(NamedTuple):
    """A name that is imported and gone, and the line that uses it (0: none)."""

    statement: ast.ImportFrom
    alias: ast.alias
    used: int
    alone: bool

    @property
    def mended(self) -> bool:
        """Whether a sync can take it out: nothing uses it, and no other statement shares its lines."""
        return self.alone and not self.used


def names_in(source: str) -> frozenset[str]:
    """Every name that the generated module `source` may be asked for: its own, and those that it imports."""
    exported = _ALL.search(source)
    lines = [*_TOP_LINE.findall(source), exported.group(1) if exported else ""]
    return frozenset(word for line in lines for word in _WORD.findall(line))


def leftovers(module: Module, models: str, names: frozenset[str]) -> Leftovers:
    """What `module` imports from `models` (dotted) that is not among `names`; guarded imports are left alone."""
    if module.source is None or module.tree is None:
        return Leftovers()
    parsed, package = Parsed(module.source, module.tree), package_name(module.path)
    origins = (absolute(origin, package).rpartition(".") for origin in module.imports.values())
    if not any(home == models and name not in names for home, _, name in origins):
        return Leftovers()
    gone = tuple(_gone(parsed, package, models, names))
    edits: list[Edit] = []
    for statement in dict.fromkeys(one.statement for one in gone if one.mended):
        unused = [one.alias for one in gone if one.mended and one.statement is statement]
        edits += _without(parsed.source, statement, unused)
    return Leftovers(tuple(_finding(parsed.source, models, one) for one in gone), tuple(edits))


def _gone(parsed: Parsed, package: str, models: str, names: frozenset[str]) -> Iterator[_Gone]:
    for statement in parsed.tree.body:
        if not isinstance(statement, ast.ImportFrom):
            continue
        if imported_module(statement, package) != models:
            continue
        alone = _lines(parsed.source, statement) is not None
        for alias in statement.names:
            if alias.name not in names and alias.name != "*":
                yield _Gone(statement, alias, _first_use(parsed.tree, alias.asname or alias.name), alone)


def _first_use(tree: ast.Module, name: str) -> int:
    """The line where `name` is used, in quotes too (an annotation, `__all__`), apart from docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=found) if found == name:
                return node.lineno
            case ast.Constant(value=str(text)) if id(node) not in docstrings and name in _WORD.findall(text):
                return node.lineno
            case _:
                pass
    return 0


def _finding(source: Source, models: str, one: _Gone) -> Finding:
    name = one.alias.name
    hint = "`mcp-lockstep sync` takes the import out" if one.mended else "Take the import out."
    if one.used:
        hint = f"Line {one.used} uses it: take it out there, then run `mcp-lockstep sync`."
    return Finding(
        MODEL_GONE,
        Place(source.path, "::", one.alias.asname or name),
        f"{name} is imported from {models}, which has no {name}",
        source.position(one.alias),
        have=name,
        hint=hint,
        fact="tools",
        fixable=one.mended,
    )


def _without(source: Source, statement: ast.ImportFrom, aliases: Sequence[ast.alias]) -> Iterator[Edit]:
    """The edits that take `aliases` out of `statement`; its lines where nothing else is imported."""
    names = statement.names
    kept = [place for place, alias in enumerate(names) if alias not in aliases]
    lines = _lines(source, statement)
    if not kept and lines is not None:
        yield Edit(source.path, *lines, "")
        return
    for place, alias in enumerate(names):
        if place not in kept:
            start, end = source.span(alias)
            if place > kept[-1]:
                start = source.span(names[place - 1])[1]
            else:
                end = source.span(names[place + 1])[0]
            yield Edit(source.path, start, end, "")


def _lines(source: Source, statement: ast.ImportFrom) -> tuple[int, int] | None:
    """The lines of `statement` with the comment behind it; None where they hold another statement."""
    start, end = source.span(statement)
    last = source.between(start, end).end_line
    stop = source.offset(last + 1, 0) if last < len(source.lines) else len(source.text)
    rest = source.text[end:stop].strip()
    return (start, stop) if statement.col_offset == 0 and (not rest or rest.startswith("#")) else None

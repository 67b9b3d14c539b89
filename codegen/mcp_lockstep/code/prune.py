"""Take an orphaned stub out of a file: nobody has written into it, so nobody's work is lost."""

from __future__ import annotations

import ast

from mcp_lockstep.code.module import Function, Module
from mcp_lockstep.code.source import Source
from mcp_lockstep.documents.document import Edit
from mcp_lockstep.records import NamedTuple


class Pruned(NamedTuple):
    """What removes a stub: `edit`, or the whole file where it holds nothing else (`edit` None)."""

    path: str
    edit: Edit | None


def prune(module: Module, function: Function) -> Pruned | None:
    """What removes `function` from `module`; None for a function that somebody wrote into, or that is kept."""
    node, source = function.node, module.source
    if node is None or source is None or module.tree is None or function.keep or not function.untouched:
        return None
    if node not in module.tree.body:
        return None
    rest = [statement for statement in module.tree.body if statement is not node]
    start, end = _lines(source, function)
    if all(_is_frame(statement) for statement in rest) and "#" not in source.text[:start] + source.text[end:]:
        return Pruned(module.path, None)
    return Pruned(module.path, Edit(module.path, start, end, ""))


def _lines(source: Source, function: Function) -> tuple[int, int]:
    """The lines of `function`, the comment block attached above it and the blank lines before that."""
    lines = source.lines
    first = source.between(*function.span).line
    last = source.between(*function.span).end_line
    while first > 1 and lines[first - 2].startswith("#") and not lines[first - 2].startswith("#!"):
        first -= 1
    while first > 1 and not lines[first - 2].strip():
        first -= 1
    return source.offset(first, 0), source.offset(last + 1, 0) if last < len(lines) else len(source.text)


def _is_frame(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, an import or `__all__`: nothing by itself."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case _:
            return False

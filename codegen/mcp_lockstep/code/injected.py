"""Parameters that the SDK or Python fills in: they are in the code and never in the contract."""

from __future__ import annotations

import ast
from typing import TypeAlias

from mcp_lockstep.code.source import last_name

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"

_WRAPPERS = frozenset({"Optional", "Union", "Annotated"})
_MARKERS = frozenset(
    {"Depends", "CurrentContext", "CurrentFastMCP", "CurrentRequest", "CurrentHeaders", "Resolve"}
)


def injected_parameters(function: FunctionNode, *, method: bool) -> tuple[str, ...]:
    """Names of the parameters of `function` that no client passes.

    These are parameters annotated as `Context` in any spelling (quoted, subscripted, optional, annotated),
    parameters whose default or `Annotated` metadata is a dependency marker, and `self` or `cls` of a method.
    """
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    found = [arg.arg for arg in [*plain, *given.kwonlyargs] if _is_context(arg.annotation)]
    defaults = [*zip(reversed(plain), reversed(given.defaults), strict=False)]
    for arg, default in [*defaults, *zip(given.kwonlyargs, given.kw_defaults, strict=True)]:
        if isinstance(default, ast.Call) and last_name(default.func) in _MARKERS:
            found.append(arg.arg)
    if method and plain and plain[0].annotation is None and plain[0].arg in {"self", "cls"}:
        found.append(plain[0].arg)
    return tuple(found)


def _is_context(annotation: ast.expr | None) -> bool:
    match annotation:
        case None:
            return False
        case ast.Name(id=name):
            return name == "Context"
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_context(left) or _is_context(right)
        case ast.Subscript(value=value, slice=inner) if last_name(value) in _WRAPPERS:
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return any(_is_context(part) or _is_marker(part) for part in parts)
        case ast.Constant(value=str(text)) if "Context" in text:
            return _is_quoted_context(text)
        case _:
            return last_name(annotation) == "Context"


def _is_marker(part: ast.expr) -> bool:
    return isinstance(part, ast.Call) and last_name(part.func) in _MARKERS


def _is_quoted_context(text: str) -> bool:
    try:
        inner = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not isinstance(inner, ast.Constant) and _is_context(inner)

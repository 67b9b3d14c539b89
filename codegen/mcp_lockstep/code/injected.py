"""Parameters that the SDK or Python fills in: they are in the code and never in the contract."""

from __future__ import annotations

import ast
from typing import TypeAlias

from mcp_lockstep.code.source import WRAPPERS, arguments_of, last_name, members

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"

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
    found = [arg.arg for arg in [*plain, *given.kwonlyargs] if _is_injected(arg.annotation)]
    defaults = [*zip(reversed(plain), reversed(given.defaults), strict=False)]
    for arg, default in [*defaults, *zip(given.kwonlyargs, given.kw_defaults, strict=True)]:
        if _is_marker(default):
            found.append(arg.arg)
    if method and plain and plain[0].annotation is None and plain[0].arg in {"self", "cls"}:
        found.append(plain[0].arg)
    return tuple(found)


def _is_injected(annotation: ast.expr | None) -> bool:
    # Most are a name, and a server may have thousands of parameters.
    if annotation is None or isinstance(annotation, ast.Name):
        return annotation is not None and annotation.id == "Context"
    return _is_marked(annotation) or any(last_name(member) == "Context" for member in members(annotation))


def _is_marked(node: ast.expr) -> bool:
    """Whether a marker is metadata of an annotation, or of a member of it."""
    if isinstance(node, ast.Subscript) and last_name(node.value) in WRAPPERS:
        return any(_is_marker(part) or _is_marked(part) for part in arguments_of(node))
    return False


def _is_marker(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in _MARKERS

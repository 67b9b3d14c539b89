"""Options of click and typer that an environment variable can answer: `envvar=`, `auto_envvar_prefix=`."""

from __future__ import annotations

import ast

from mcp_lockstep.code.env.read import Found, Need, Read, Unknown, keyword, literal, position_of, texts
from mcp_lockstep.code.env.walk import Walked
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.source import last_name

_OPTIONS = frozenset({"option", "argument", "Option", "Argument"})


def read_options(module: Module, walked: Walked) -> Found:
    """The variables that options of one module take."""
    reads: list[Read] = []
    unknown: list[Unknown] = []
    prefixes: list[str] = []
    for node, spot in walked.expressions:
        if isinstance(node, ast.Dict):
            prefixes += _prefix_in(node)
        if not isinstance(node, ast.Call):
            continue
        prefix = keyword(node, "auto_envvar_prefix")
        prefixes += _prefix(prefix)
        given = keyword(node, "envvar")
        if last_name(node.func) not in _OPTIONS or given is None:
            continue
        names, at = texts(given), position_of(module, node)
        if names is None:
            unknown.append(Unknown(module.path, at, "the name of the variable is computed"))
            continue
        need = _need(node, names) if spot.certain else "optional"
        default, flags = literal(keyword(node, "default")), _flags(node)
        scope = spot.owner or spot.scope
        reads += [Read(name, module.path, at, need, default, scope, flags) for name in names]
    return Found(tuple(reads), tuple(unknown), tuple(prefixes))


def _need(call: ast.Call, names: tuple[str, ...]) -> Need:
    """A positional argument can be given in other ways; typer's defaults stand in the signature."""
    required = keyword(call, "required")
    must = isinstance(required, ast.Constant) and required.value is True and len(names) == 1
    return "needed" if must and _flags(call) and keyword(call, "default") is None else "optional"


def _flags(call: ast.Call) -> tuple[str, ...]:
    return tuple(text for arg in call.args if (text := literal(arg)) and text.startswith("-"))


def _prefix(node: ast.expr | None) -> list[str]:
    text = literal(node)
    return [f"{text}_"] if text else []


def _prefix_in(node: ast.Dict) -> list[str]:
    """`context_settings={"auto_envvar_prefix": "X"}`."""
    for key, value in zip(node.keys, node.values, strict=True):
        if literal(key) == "auto_envvar_prefix":
            return _prefix(value)
    return []

"""Options of click and typer that an environment variable can answer: `envvar=`, `auto_envvar_prefix=`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_lockstep.code.injected import FunctionNode
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.source import last_name, takes_none
from mcp_lockstep.code.start.read import Found, Need, Read, Unknown, keyword, literal, position_of, texts
from mcp_lockstep.code.start.walk import Walked
from mcp_lockstep.records import NamedTuple

_OPTIONS = frozenset({"option", "argument", "Option", "Argument"})
_ARGUMENTS = frozenset({"argument", "Argument"})
_ANSWERED = frozenset({"default_factory", "prompt", "callback", "is_eager", "hidden", None})
"""Keyword arguments with which a value may come from elsewhere; None: more of them, unpacked."""


class Parameter(NamedTuple):
    """The parameter of a function that typer asks for: its name, annotation, and default (None: none).

    `annotated`: the call stands in the annotation, so that the default is the parameter's own.
    """

    name: str
    annotation: ast.expr | None
    default: ast.expr | None
    annotated: bool


def read_options(module: Module, walked: Walked) -> Found:
    """The variables that options of one module take."""
    reads: list[Read] = []
    unknown: list[Unknown] = []
    dicts = (node for node, _ in walked.expressions if isinstance(node, ast.Dict))
    prefixes = [prefix for node in dicts for prefix in _prefix_in(node)]
    asked = {key: found for node in module.defs.values() for key, found in typer_parameters(node)}
    for call, spot in walked.calls():
        prefixes += _prefix(keyword(call, "auto_envvar_prefix"))
        given = keyword(call, "envvar")
        if last_name(call.func) not in _OPTIONS or given is None:
            continue
        names, at = texts(given), position_of(module, call)
        if names is None:
            unknown.append(Unknown(module.path, at, "the name of the variable is computed"))
            continue
        parameter = asked.get(id(call))
        need: Need = "needed" if spot.certain and is_required(call, parameter) else "optional"
        default, flags = literal(keyword(call, "default")), instead_of(call, parameter)
        scope, group = spot.owner or spot.scope, names if len(names) > 1 else ()
        reads += [Read(name, module.path, at, need, default, scope, flags, group) for name in names]
    return Found(tuple(reads), tuple(unknown), tuple(prefixes))


def typer_parameters(function: FunctionNode) -> Iterator[tuple[int, Parameter]]:
    """The parameters of `function` that typer is told about, by the `id` of the call that tells it."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(plain) - len(given.defaults)), *given.defaults, *given.kw_defaults]
    for arg, default in zip([*plain, *given.kwonlyargs], defaults, strict=True):
        if isinstance(default, ast.Call):
            yield id(default), Parameter(arg.arg, arg.annotation, None, annotated=False)
        if isinstance(arg.annotation, ast.Subscript) and last_name(arg.annotation.value) == "Annotated":
            for node in ast.walk(arg.annotation.slice):
                if isinstance(node, ast.Call):
                    yield id(node), Parameter(arg.arg, arg.annotation, default, annotated=True)


def is_required(call: ast.Call, parameter: Parameter | None) -> bool:
    """Whether the program ends when nothing answers `call`, which tells click or typer an option or an argument."""
    if any(given.arg in _ANSWERED for given in call.keywords):
        return False
    if parameter is None:
        return _click_requires(call)
    if takes_none(parameter.annotation):
        return False
    if parameter.annotated:
        return parameter.default is None or _is_ellipsis(parameter.default)
    default = call.args[0] if call.args else keyword(call, "default")
    return default is None or _is_ellipsis(default)


def _click_requires(call: ast.Call) -> bool:
    """Options need `required=True`, arguments are required of themselves; a default answers both."""
    default, required = keyword(call, "default"), keyword(call, "required")
    if default is not None and not _is_ellipsis(default):
        return False
    if required is not None:
        return isinstance(required, ast.Constant) and required.value is True
    return last_name(call.func) == "argument" and keyword(call, "nargs") is None


def instead_of(call: ast.Call, parameter: Parameter | None) -> tuple[str, ...]:
    """The flags that do instead of the variable; the empty one for a positional argument."""
    if last_name(call.func) in _ARGUMENTS:
        return ("",)
    found = tuple(text for arg in call.args if (text := literal(arg)) and text.startswith("-"))
    derived = (f"--{parameter.name.replace('_', '-')}",) if parameter is not None and not found else ()
    return tuple(part.strip() for text in found for part in text.split("/")) or derived


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _prefix(node: ast.expr | None) -> list[str]:
    text = literal(node)
    return [f"{text}_"] if text else []


def _prefix_in(node: ast.Dict) -> list[str]:
    """`context_settings={"auto_envvar_prefix": "X"}`."""
    for key, value in zip(node.keys, node.values, strict=True):
        if literal(key) == "auto_envvar_prefix":
            return _prefix(value)
    return []

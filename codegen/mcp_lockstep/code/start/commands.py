"""What commands of click and typer cannot do without: options and arguments that are required and have no default."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mcp_lockstep.code.injected import FunctionNode
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.source import callee, dotted, is_none, last_name, members
from mcp_lockstep.code.start.command_line import runs
from mcp_lockstep.code.start.options import Parameter, instead_of, is_required, typer_parameters
from mcp_lockstep.code.start.read import keyword, literal, position_of
from mcp_lockstep.findings import Position
from mcp_lockstep.records import NamedTuple

_COMMANDS = frozenset({"command", "callback", "group"})
_FILLED_IN = ("Context", "CallbackParam")
"""How the types end whose values typer makes itself."""


class Demand(NamedTuple):
    """One argument that a program ends without: `flags` are its spellings, none for a positional one.

    `name` is what its value is called.
    """

    name: str
    path: str
    position: Position
    flags: tuple[str, ...] = ()


def command_demands(module: Module, callers: Sequence[Module]) -> Iterator[tuple[Demand, str]]:
    """What the commands in `module` ask for, each with the dotted name of the function that is the command.

    Nothing is said of a command that one of `callers` runs with arguments of its own.
    """
    run = _run_by_typer(module)
    for symbol, function in module.defs.items():
        decorators = [callee(node) for node in function.decorator_list]
        commands = [node for node in decorators if last_name(node) in _COMMANDS]
        typed = symbol in run or _is_typed(module, commands)
        if not typed and not any(_library(module, node) == "click" for node in commands):
            continue
        owners = {last_name(node.value) for node in commands if isinstance(node, ast.Attribute)}
        names = {function.name, *owners} - {""}
        if any(runs(caller, name) for caller in callers for name in names):
            continue
        found = _of_typer(module, function) if typed else _of_click(module, function)
        yield from ((demand, symbol) for demand in found)


def long_flag(flags: Sequence[str]) -> str:
    """The first long one of `flags`, else the first of them; empty where there are none."""
    return next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")


def value_name(flags: Sequence[str]) -> str:
    """What the value of the option that is spelt as one of `flags` is called."""
    return long_flag(flags).strip("-")


def _library(module: Module, node: ast.expr) -> str:
    """The library that the name `node` comes from, as far as it is imported at the top of the module."""
    first = dotted(node).partition(".")[0]
    return module.imports.get(first, "").partition(".")[0]


def _is_typed(module: Module, decorators: Sequence[ast.expr]) -> bool:
    """Whether one of the decorators is of an application of typer that the module makes."""
    owners = [dotted(node.value) for node in decorators if isinstance(node, ast.Attribute)]
    made = [module.bindings.get(name) for name in owners]
    return any(isinstance(call, ast.Call) and last_name(call.func) == "Typer" for call in made)


def _run_by_typer(module: Module) -> frozenset[str]:
    """The functions that `typer.run` makes commands of."""
    if all(origin.partition(".")[0] != "typer" for origin in module.imports.values()):
        return frozenset()
    named = (call for call in module.calls() if last_name(call.func) == "run")
    runs = [call for call in named if _library(module, call.func) == "typer"]
    return frozenset(dotted(call.args[0]) for call in runs if len(call.args) == 1)


def _of_click(module: Module, function: FunctionNode) -> Iterator[Demand]:
    # The decorator next to the function is the first to run, but arguments are asked for from top to bottom.
    for node in function.decorator_list:
        if not isinstance(node, ast.Call) or last_name(node.func) not in ("option", "argument"):
            continue
        if _library(module, node.func) == "click" and keyword(node, "envvar") is None:
            yield from _demand(module, node, None)


def _of_typer(module: Module, function: FunctionNode) -> Iterator[Demand]:
    calls = dict(typer_parameters(function))
    told = {
        parameter.name: (node, parameter)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and last_name(node.func) in ("Option", "Argument")
        if (parameter := calls.get(id(node))) is not None
    }
    given = function.args
    if given.vararg or given.kwarg:
        return
    plain = [*given.posonlyargs, *given.args]
    bare = {arg.arg for arg in plain[: len(plain) - len(given.defaults)]}
    bare |= {a.arg for a, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default is None}
    for arg in (*plain, *given.kwonlyargs):
        if arg.arg in told:
            call, parameter = told[arg.arg]
            if keyword(call, "envvar") is None:
                yield from _demand(module, call, parameter)
        elif arg.arg in bare and _is_asked_for(arg) and module.source is not None:
            yield Demand(arg.arg, module.path, module.source.position(arg))


def _is_asked_for(arg: ast.arg) -> bool:
    """Whether typer makes an argument of a bare parameter, and it cannot do without it."""
    return not any(is_none(kind) or last_name(kind).endswith(_FILLED_IN) for kind in members(arg.annotation))


def _demand(module: Module, call: ast.Call, parameter: Parameter | None) -> Iterator[Demand]:
    if not is_required(call, parameter):
        return
    flags = instead_of(call, parameter)
    at = position_of(module, call)
    if flags == ("",):
        spelt = next((text for arg in call.args if (text := literal(arg)) and text.isidentifier()), "")
        yield Demand((parameter.name if parameter else spelt) or "argument", module.path, at)
    elif flags:
        yield Demand(value_name(flags), module.path, at, flags)

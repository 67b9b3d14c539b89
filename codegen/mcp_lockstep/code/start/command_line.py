"""Whether it is the command line that a program parses, or what its own code passes instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_lockstep.code.injected import FunctionNode
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.observe import parsed
from mcp_lockstep.code.source import dotted, is_none, last_name
from mcp_lockstep.code.start.read import keyword

_BESIDE = frozenset({"prog_name", "standalone_mode", "obj", "complete_var", "windows_expand_args"})
"""What a command is called with and takes no arguments from."""


def parameters(function: FunctionNode) -> list[str]:
    """The names of what `function` can be given, those that have a place first."""
    given = function.args
    plain = [arg.arg for arg in (*given.posonlyargs, *given.args)]
    return [
        *(plain[1:] if plain[:1] in (["self"], ["cls"]) else plain),
        *(arg.arg for arg in given.kwonlyargs),
    ]


def gives(module: Module, function: FunctionNode, name: str) -> bool:
    """Whether `module` calls `function` with something else as its parameter `name` than the command line."""
    place = parameters(function).index(name)
    for call, caller in _calls(module, f"{function.name}("):
        if last_name(call.func) == function.name:
            value = keyword(call, name) or next(iter(call.args[place : place + 1]), None)
            if value is not None and not _is_command_line(value, caller):
                return True
    return False


def runs(module: Module, command: str) -> bool:
    """Whether `module` runs `command`, of click or typer, with something else than the command line."""
    for call, caller in _calls(module, f"{command}(", f"{command}.main("):
        match call.func:
            case ast.Attribute(attr="main", value=value):
                called = last_name(value)
            case func:
                called = dotted(func)
        given = [*call.args, *(one.value for one in call.keywords if one.arg not in _BESIDE)]
        if called == command and not all(_is_command_line(value, caller) for value in given):
            return True
    return False


def _calls(module: Module, *texts: str) -> Iterator[tuple[ast.Call, Module]]:
    """The calls in `module`, each with the module as it is when it is parsed; none where none of `texts` is in it."""
    text = module.source.text if module.source is not None else module.raw.decode("utf-8", "replace")
    if any(one in text for one in texts):
        caller = parsed(module)
        yield from ((call, caller) for call in caller.calls())


def _is_command_line(value: ast.expr, module: Module) -> bool:
    """Whether `value` is surely what stands on the command line, or handed on from a caller."""
    if is_none(value):
        return True
    if isinstance(value, ast.Subscript):
        return dotted(value.value) in ("sys.argv", "argv")
    return any(dotted(value) in parameters(one) for one in module.defs.values())

"""What a reader of code says about environment variables, as data."""

from __future__ import annotations

import ast
from typing import Literal

from mcp_lockstep.code.module import Module
from mcp_lockstep.findings import Position
from mcp_lockstep.records import NamedTuple

Need = Literal["needed", "optional"]


class Read(NamedTuple):
    """One read of a variable.

    `need`: whether its absence ends what runs there. `default` is the text that stands in for it (None: none, or
    none that is a literal). `scope` is the function whose run, or the class whose making, reads it; empty where the
    import of the module does. `flags` are options that do instead of the variable (the empty one is a positional
    argument), `group` all names of which one is enough, the first read first; empty for a name of its own.
    """

    name: str
    path: str
    position: Position
    need: Need = "optional"
    default: str | None = None
    scope: str = ""
    flags: tuple[str, ...] = ()
    group: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of which one is enough."""
        return self.group or (self.name,)


class Unknown(NamedTuple):
    """A read whose name cannot be told, or a use of the environment as a whole."""

    path: str
    position: Position
    reason: str


class Wrapper(NamedTuple):
    """A function that reads the variable that its parameter names: `position` counts without `self`."""

    function: str
    position: int
    parameter: str


class Found(NamedTuple):
    """What one reader finds in one module; `prefixes` begin names that are read without being spelt out."""

    reads: tuple[Read, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    prefixes: tuple[str, ...] = ()
    wrappers: tuple[Wrapper, ...] = ()


def position_of(module: Module, node: ast.expr | ast.stmt) -> Position:
    """Where `node` stands in the file of `module`."""
    return module.source.position(node) if module.source is not None else Position()


def literal(node: ast.expr | None) -> str | None:
    """A constant as an environment variable or a command line holds it; None for `None` and everything else."""
    match node:
        case ast.Constant(value=bool(value)):
            return str(value).lower()
        case ast.Constant(value=str() | int() | float() as value):
            return str(value)
        case _:
            return None


def texts(node: ast.expr | None) -> tuple[str, ...] | None:
    """The strings of a string, list or tuple literal; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return (text,)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            found = [item.value for item in items if isinstance(item, ast.Constant)]
            strings = tuple(text for text in found if isinstance(text, str))
            return strings if len(strings) == len(items) else None
        case _:
            return None


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """What `call` passes as `name`."""
    return next((one.value for one in call.keywords if one.arg == name), None)

"""The arguments without which a program ends with a usage message, as argparse, click and typer are told them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.register import scopes
from mcp_lockstep.code.source import dotted, is_none, last_name
from mcp_lockstep.code.start.command_line import gives, parameters
from mcp_lockstep.code.start.commands import Demand, command_demands, value_name
from mcp_lockstep.code.start.parsers import PARSES
from mcp_lockstep.code.start.reach import Scope, reached, remembered
from mcp_lockstep.code.start.read import keyword, literal, position_of
from mcp_lockstep.code.start.walk import Spot, Walked
from mcp_lockstep.records import NamedTuple

_WORDS = ("ArgumentParser", "click", "typer")
_MANY = frozenset({"?", "*", "...", "A..."})

Walks: TypeAlias = "Callable[[Module], Walked]"
"""The walk of a module, made once."""


class _ParserCall(NamedTuple):
    """One call on a parser: where it stands, and the call that makes the parser (None: which one is not seen)."""

    module: Module
    call: ast.Call
    spot: Spot
    parser: ast.Call | None

    @property
    def at(self) -> Scope:
        """What has to run for this to run."""
        return self.module.path, self.spot.scope


def read_demands(modules: Sequence[Module], entries: Iterable[str]) -> tuple[Demand, ...]:
    """What the program started at `entries` (`weather.cli:main`) surely cannot do without, in the order of the code.

    Nothing is said of what stands in a branch, of commands below others, of what a parser may be told elsewhere.
    """
    worth = [module for module in modules if any(word in module.text for word in _WORDS)]
    walks = remembered()
    commanded = [(demand, scope) for module in worth for demand, scope in command_demands(module, modules)]
    parsing = [*_of_parsers(worth, walks, modules)]
    if not commanded and not parsing:
        return ()
    spots = reached(modules, walks, entries)
    commands = [demand for demand, scope in commanded if (demand.path, scope) in spots]
    parsers = [demand for demand, asks, runs in parsing if asks in spots and runs in spots]
    return tuple(dict.fromkeys((*commands, *parsers)))


def _of_parsers(
    modules: Sequence[Module], walks: Walks, callers: Sequence[Module]
) -> Iterator[tuple[Demand, Scope, Scope]]:
    """What parsers of argparse ask for, with what tells them so and what makes them parse.

    `callers` may call what parses with arguments of their own: then it is not the command line that is parsed.
    """
    made = [call for module in modules for call, _ in walks(module).calls() if _makes_parser(call)]
    calls = [one for module in modules for one in _parser_calls(module, walks(module))]
    runs = [one for one in calls if last_name(one.call.func) in PARSES and _parses_all(one, callers)]
    for one in calls:
        demand = _demand(one.module, one.call) if last_name(one.call.func) == "add_argument" else None
        if demand is None or one.parser is None or keyword(one.parser, "exit_on_error") is not None:
            continue
        run = next((run for run in runs if run.parser is one.parser), None)
        if run is None and len(made) == 1:
            run = next((run for run in runs if run.parser is None), None)
        if run is not None:
            yield demand, one.at, run.at


def _parser_calls(module: Module, walked: Walked) -> Iterator[_ParserCall]:
    """The calls that surely tell a parser an argument, or make it parse."""
    for call, spot in walked.calls():
        name = last_name(call.func)
        if spot.certain and isinstance(call.func, ast.Attribute) and name in ("add_argument", *PARSES):
            yield _ParserCall(module, call, spot, _parser(module, walked, spot.scope, call.func.value))


def _parser(
    module: Module, walked: Walked, scope: str, receiver: ast.expr, depth: int = 4
) -> ast.Call | None:
    """The call that makes what `receiver` is; of a group the parser that it belongs to."""
    bound = receiver if isinstance(receiver, ast.Call) else _bound(module, walked, scope, dotted(receiver))
    match bound:
        case ast.Call() if _makes_parser(bound):
            return bound
        case ast.Call(func=ast.Attribute(attr="add_argument_group", value=value)) if depth:
            return _parser(module, walked, scope, value, depth - 1)
        case _:
            return None


def _bound(module: Module, walked: Walked, scope: str, name: str) -> ast.Call | None:
    for prefix in scopes(f"{scope}." if scope else ""):
        value = module.bindings.get(prefix + name)
        if value is not None:
            once = walked.bound.get((prefix.rstrip("."), name)) == 1
            return value if once and isinstance(value, ast.Call) else None
    return None


def _makes_parser(call: ast.Call) -> bool:
    return last_name(call.func) == "ArgumentParser"


def _parses_all(run: _ParserCall, callers: Sequence[Module]) -> bool:
    """Whether it is the command line that is parsed: nothing is passed, or what the function itself is given of it."""
    given = run.call.args[0] if run.call.args else keyword(run.call, "args")
    if given is None or is_none(given):
        return not any(one.arg is None for one in run.call.keywords)
    function = run.module.defs.get(run.spot.scope)
    if function is None or dotted(given) not in parameters(function):
        return False
    return not any(gives(module, function, dotted(given)) for module in callers)


def _demand(module: Module, call: ast.Call) -> Demand | None:
    """What one `add_argument` cannot do without; None where a default, a branch or something unseen may do."""
    names = [literal(arg) for arg in call.args]
    given = {one.arg for one in call.keywords}
    action = keyword(call, "action")
    # An action that is a class may take its value from anywhere.
    if not names or None in names or None in given or (action is not None and literal(action) != "store"):
        return None
    flags = tuple(name for name in names if name and name.startswith("-"))
    if flags:
        required = keyword(call, "required")
        if not (isinstance(required, ast.Constant) and required.value is True):
            return None
        return Demand(value_name(flags), module.path, position_of(module, call), flags)
    nargs = keyword(call, "nargs")
    if "default" in given or (nargs is not None and (literal(nargs) or "?") in _MANY):
        return None
    return Demand(names[0] or "", module.path, position_of(module, call))

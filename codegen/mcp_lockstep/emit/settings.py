"""The settings module of a project: one typed declaration for each environment variable and argument."""

from __future__ import annotations

from typing import NamedTuple

from mcp_lockstep.contract.model import Argument, Variable
from mcp_lockstep.emit.views import free_name
from mcp_lockstep.naming import Identifier, distinct, function_name

_TAKEN = frozenset(["dataclasses", "os", "argparse", "transport", "host", "port"])
_OWN = frozenset(["-h", "--help", "--transport", "--host", "--port"])


class VariableView(NamedTuple):
    """One environment variable: its field, the field's type, and the expression that reads it."""

    field: Identifier
    annotation: str
    read: str
    description: str


class ArgumentView(NamedTuple):
    """One argument: its attribute, the attribute's type, what argparse calls it, and further keyword arguments."""

    field: Identifier
    annotation: str
    flag: str
    options: tuple[tuple[str, str], ...]


def variable_views(variables: tuple[Variable, ...]) -> tuple[VariableView, ...]:
    """One view per variable, in order."""
    fields = distinct([variable.name for variable in variables], lambda name: _field(name.lower()))
    return tuple(
        VariableView(fields[v.name], _type(v), _read(v), v.description + (" (secret)" if v.secret else ""))
        for v in variables
    )


def argument_views(arguments: tuple[Argument, ...]) -> tuple[ArgumentView, ...]:
    """One view per argument that a parser can tell from the others; `--transport` and its like are there anyway."""
    named = {argument.name or argument.hint or argument.value or "": argument for argument in arguments}
    taken = {key: argument for key, argument in named.items() if key not in _OWN and parsable(argument)}
    fields = distinct(taken, lambda key: _field(key.strip("-").lower()))
    return tuple(_argument(fields[key], argument) for key, argument in taken.items())


def parsable(argument: Argument) -> bool:
    """Whether argparse can have the argument: a flag that starts with a dash, or a positional one."""
    return not argument.name or (argument.name.startswith("-") and " " not in argument.name)


def _field(text: str) -> Identifier:
    """A name that hides no builtin and nothing that the class around it uses."""
    return free_name(function_name(text), _TAKEN)


def _type(variable: Variable) -> str:
    kind = {"number": "float", "boolean": "bool"}.get(variable.format, "str")
    optional = not variable.required and variable.default is None and kind != "bool"
    return f"{kind} | None" if optional else kind


def _read(variable: Variable) -> str:
    name, default = repr(variable.name), variable.default
    if variable.format == "boolean":
        return f"_is_true(os.environ.get({name}, {default or 'false'!r}))"
    if variable.required and default is None:
        read = f"os.environ[{name}]"
    elif default is not None:
        read = f"os.environ.get({name}, {default!r})"
    else:
        read = f"os.environ.get({name})"
    if variable.format != "number":
        return read
    return f"float({read})" if default is not None or variable.required else f"_number({read})"


def _argument(field: Identifier, argument: Argument) -> ArgumentView:
    kind = "float" if argument.format == "number" else "str"
    options: list[tuple[str, str]] = []
    if argument.name:
        options.append(("dest", repr(str(field))))
    if kind != "str":
        options.append(("type", kind))
    if argument.choices:
        options.append(("choices", repr(list(argument.choices))))
    optional = not argument.required and argument.value is None
    default = argument.default if argument.default is not None else argument.value
    if argument.repeated:
        options.append(("action", "'append'") if argument.name else ("nargs", "'*'" if optional else "'+'"))
        options.append(("default", "[]"))
        annotation = f"list[{kind}]"
    else:
        options += _single(argument, default)
        annotation = f"{kind} | None" if optional and default is None else kind
    if argument.description:
        options.append(("help", repr(argument.description.replace("%", "%%"))))
    return ArgumentView(field, annotation, argument.name or str(field), tuple(options))


def _single(argument: Argument, default: str | None) -> list[tuple[str, str]]:
    options: list[tuple[str, str]] = []
    if default is not None:
        options.append(("default", repr(default)))
    if argument.name and argument.required and default is None:
        options.append(("required", "True"))
    if not argument.name and (not argument.required or default is not None):
        options.append(("nargs", "'?'"))
    return options

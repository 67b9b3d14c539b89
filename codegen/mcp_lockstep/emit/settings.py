"""The settings module of a project: one typed declaration for each environment variable, argument and header."""

from __future__ import annotations

from mcp_lockstep.contract.model import Argument, Variable
from mcp_lockstep.emit.options import OwnOptions
from mcp_lockstep.emit.views import free_name
from mcp_lockstep.naming import Identifier, distinct, function_name
from mcp_lockstep.records import NamedTuple

_TAKEN = frozenset(["dataclasses", "os", "argparse", "transport", "host", "port"])


class VariableView(NamedTuple):
    """One environment variable or header: its field, the field's type, the expression that reads it.

    `options` are further keyword arguments of the field.
    """

    field: Identifier
    annotation: str
    read: str
    description: str
    options: str


class ArgumentView(NamedTuple):
    """One argument: its attribute, the attribute's type, what argparse calls it, and further keyword arguments.

    `otherwise` is what the attribute is where the command line has it not at all; empty where argparse says so.
    """

    field: Identifier
    annotation: str
    flag: str
    options: tuple[tuple[str, str], ...]
    otherwise: str = ""


def variable_views(variables: tuple[Variable, ...]) -> tuple[VariableView, ...]:
    """One view per environment variable, in order."""
    return _variables(variables, "os.environ")


def header_views(headers: tuple[Variable, ...]) -> tuple[VariableView, ...]:
    """One view per header of a request, in order; they are read from `given`, by names in lower case."""
    return _variables(tuple(header._replace(name=header.name.lower()) for header in headers), "given")


def argument_views(arguments: tuple[Argument, ...], own: OwnOptions) -> tuple[ArgumentView, ...]:
    """One view per argument that a parser can tell from the others; the server's own options are there anyway."""
    keyed: dict[str, Argument] = {}
    for argument in arguments:
        if argument.name in own.flags or not parsable(argument):
            continue
        key = argument.name or _unused(argument.hint or argument.value or "argument", keyed)
        # A flag that is passed twice, each time with another value, is a list to the program.
        keyed[key] = keyed[key]._replace(repeated=True, value=None) if key in keyed else argument
    fields = distinct(keyed, lambda key: _field(key.strip("-").lower()))
    return tuple(_argument(fields[key], argument) for key, argument in keyed.items())


def parsable(argument: Argument) -> bool:
    """Whether argparse can have the argument: a flag that starts with a dash, or a positional one."""
    name = argument.name
    return not name or (name.startswith("-") and name.strip("-") != "" and not set(name) & set(" =\t\n"))


def checked_choices(variable: Variable) -> bool:
    """Whether the settings refuse a value that is none of the choices."""
    settled = variable.default if variable.default is not None else variable.value
    fits = settled is None or settled in variable.choices
    return bool(variable.choices) and fits and variable.format not in ("number", "boolean")


def _variables(variables: tuple[Variable, ...], source: str) -> tuple[VariableView, ...]:
    fields = distinct([variable.name for variable in variables], lambda name: _field(name.lower()))
    return tuple(
        VariableView(
            fields[v.name],
            _type(v),
            _read(v, source),
            v.description + (" (secret)" if v.secret else ""),
            ", repr=False" if v.secret else "",
        )
        for v in variables
    )


def _unused(text: str, taken: dict[str, Argument]) -> str:
    """`text` with the first number behind it that makes it a new key."""
    candidates = (f"{text} {number}" for number in range(2, len(taken) + 3))
    return text if text not in taken else next(name for name in candidates if name not in taken)


def _field(text: str) -> Identifier:
    """A name that hides no builtin and nothing that the class around it uses."""
    return free_name(function_name(text), _TAKEN)


def _type(variable: Variable) -> str:
    kind = {"number": "float", "boolean": "bool"}.get(variable.format, "str")
    settled = variable.default is not None or variable.value is not None
    return f"{kind} | None" if not variable.required and not settled and kind != "bool" else kind


def _read(variable: Variable, source: str) -> str:
    name = repr(variable.name)
    default = variable.default if variable.default is not None else variable.value
    if variable.format == "boolean":
        return f"_is_true({source}.get({name}, {default or 'false'!r}))"
    if variable.required and default is None:
        read = f"{source}[{name}]"
    elif default is not None:
        read = f"{source}.get({name}, {default!r})"
    else:
        read = f"{source}.get({name})"
    if variable.format == "number":
        return f"float({read})" if default is not None or variable.required else f"_number({read})"
    if checked_choices(variable):
        return f"_one_of({', '.join([read, *map(repr, variable.choices)])})"
    return read


def _argument(field: Identifier, argument: Argument) -> ArgumentView:
    options: list[tuple[str, str]] = []
    if argument.name:
        options.append(("dest", repr(str(field))))
    text = [("help", repr(argument.description.replace("%", "%%")))] if argument.description else []
    if argument.switch:
        return ArgumentView(field, "bool", argument.name, (*options, ("action", "'store_true'"), *text))
    kind, choices = _kind(argument)
    default = argument.default if argument.default is not None else argument.value
    may_lack = not argument.name and argument.repeated and not (argument.required and default is None)
    if choices and may_lack:
        # argparse of Python 3.11 looks for the empty list among the choices.
        options.append(("type", f"lambda text: _one_of(text, {', '.join(map(repr, argument.choices))})"))
        choices = ""
    elif kind != "str":
        options.append(("type", "_is_true" if kind == "bool" else kind))
    if choices:
        options.append(("choices", choices))
    more = _several(argument, default) if argument.repeated else _single(argument, default)
    optional = not argument.required and default is None
    annotation = f"list[{kind}]" if argument.repeated else f"{kind} | None" if optional else kind
    otherwise = f"[{_value(kind, default)}]" if argument.repeated and default is not None else ""
    return ArgumentView(field, annotation, argument.name or str(field), (*options, *more, *text), otherwise)


def _kind(argument: Argument) -> tuple[str, str]:
    """The type of one value, and the choices as source; both fit each other, or there are no choices."""
    choices, given = argument.choices, [argument.default, argument.value, *argument.choices]
    if argument.format == "boolean":
        return "bool", ""
    if argument.format == "number" and not choices and all(one is None or _is_number(one) for one in given):
        return "float", ""
    return "str", repr(list(choices)) if choices else ""


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False


def _value(kind: str, text: str) -> str:
    """The source of one value of a list."""
    values = {"float": lambda: repr(float(text)), "bool": lambda: f"_is_true({text!r})"}
    return values.get(kind, lambda: repr(text))()


def _several(argument: Argument, default: str | None) -> list[tuple[str, str]]:
    needed = argument.required and default is None
    if argument.name:
        required = [("required", "True")] if needed else []
        return [("action", "'append'"), ("default", "[]"), *required]
    return [("nargs", "'+'" if needed else "'*'"), ("default", "[]")]


def _single(argument: Argument, default: str | None) -> list[tuple[str, str]]:
    options: list[tuple[str, str]] = []
    if default is not None:
        options.append(("default", repr(default)))
    if argument.name and argument.required and default is None:
        options.append(("required", "True"))
    if not argument.name and (not argument.required or default is not None):
        options.append(("nargs", "'?'"))
    return options

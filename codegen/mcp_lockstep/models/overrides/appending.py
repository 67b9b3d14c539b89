"""Aliases and definitions of the user's at the end of a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_lockstep.config.overrides import BUILTIN_TYPES, Overrides, OverrideTrouble, alias_of
from mcp_lockstep.models.overrides.names import near
from mcp_lockstep.models.plan import ModulePlan
from mcp_lockstep.models.support import HELPERS

_KNOWN = BUILTIN_TYPES | {"None", "tuple", "type"}


def appended(planned: ModulePlan, overrides: Overrides, troubles: list[OverrideTrouble]) -> ModulePlan:
    """`planned` with the lines to append, whose names belong to `__all__`."""
    taken = {*planned.all_definitions}
    exported: list[str] = []
    lines: list[str] = []
    for place, line in enumerate(overrides.append):
        found = alias_of(line)
        if found is None:
            continue
        name, value = found
        where = ("append", str(place))
        troubles += _unusable(name, value, taken, where)
        taken.add(name)
        exported.append(name)
        lines.append(f"{name} = {ast.unparse(value)}")
    text = "\n".join(lines)
    if overrides.appended:
        exported += _defined(overrides.appended, taken, troubles)
        text = f"{text}\n\n\n{overrides.appended.strip()}".strip()
    return planned._replace(custom=planned.custom._replace(exported=tuple(exported), appended=text))


def _unusable(
    name: str, value: ast.expr, taken: set[str], where: tuple[str, ...]
) -> Iterator[OverrideTrouble]:
    label = f"`{where[0]}`: {name}"
    if name in taken or name in HELPERS:
        yield OverrideTrouble(where, f"{label} stands in the module already", name, "a name of its own")
    for node in ast.walk(value):
        if isinstance(node, ast.Name) and node.id not in taken | _KNOWN:
            yield OverrideTrouble(
                where, f"{label}: there is no class {node.id}", node.id, hint=near(node.id, taken)
            )


def _defined(text: str, taken: set[str], troubles: list[OverrideTrouble]) -> list[str]:
    """The names that a file defines; what could do more than define is not appended."""
    where = ("append",)
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        troubles.append(OverrideTrouble(where, f"the file to append is no Python that can be read: {error}"))
        return []
    found: list[str] = []
    for statement in body:
        names = _names(statement)
        if names is None:
            message = (
                f"line {statement.lineno} of the file to append is no import, assignment, class or function"
            )
            troubles.append(OverrideTrouble(where, message, want="definitions only"))
        for name in names or ():
            if name in taken or name in HELPERS:
                message = (
                    f"line {statement.lineno} of the file to append: {name} stands in the module already"
                )
                troubles.append(OverrideTrouble(where, message, name, "a name of its own"))
            taken.add(name)
            found += [name] if not name.startswith("_") else []
    return found


def _names(statement: ast.stmt) -> list[str] | None:
    """The names that a statement defines; None where it does something else."""
    match statement:
        case ast.Import():
            return []
        case ast.ImportFrom(module=module, names=names):
            return None if module == "__future__" or any(name.name == "*" for name in names) else []
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return [statement.name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Expr(value=ast.Constant()):
            return []
        case _:
            return None

"""The variables of a URI template (RFC 6570), and what keeps an SDK from reading them back out of an address."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from mcp_lockstep.records import NamedTuple

_EXPRESSION = re.compile(r"\{([+#./;?&|!@,=]?)([^{}]*)\}")
_VARIABLE = re.compile(r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*")
_REPEATABLE = frozenset("./;")
_QUERY = frozenset("?&")
_GREEDY = frozenset("+#")
_BARE = frozenset(["", "+"])

Piece = Literal["literal", "short", "long"]


class UriVariable(NamedTuple):
    """One variable. `optional`: an address may leave it out; `repeated`: it stands for a list of values."""

    name: str
    optional: bool = False
    repeated: bool = False


def variables(template: str) -> tuple[UriVariable, ...]:
    """The variables of `template` in order."""
    return tuple(
        UriVariable(name.partition(":")[0].removesuffix("*"), operator in _QUERY, name.endswith("*"))
        for operator, names in _EXPRESSION.findall(template)
        for name in names.split(",")
    )


def unmatchable(template: str) -> str:
    """Why an address cannot be read back under `template`, as a sentence; empty where it can."""
    rest = _EXPRESSION.sub("", template)
    names = [variable.name for variable in variables(template)]
    expressions: list[tuple[str, str]] = _EXPRESSION.findall(template)
    if "{" in rest:
        return "a brace is not closed"
    for operator, body in expressions:
        if problem := _expression(operator, body):
            return problem
    if len(set(names)) < len(names):
        return "a variable stands in it twice"
    if [operator for operator, _ in expressions].count("?") > 1:
        return "it has two query parts"
    return _ambiguous(template)


def _expression(operator: str, body: str) -> str:
    if operator in "|!@,=" and operator:
        return f"the operator {operator!r} is reserved"
    for spec in body.split(","):
        name = spec.removesuffix("*")
        if ":" in spec:
            return f"{spec!r} takes a part of a value only"
        if not _VARIABLE.fullmatch(name):
            return f"{name!r} is no name of a variable"
        if spec.endswith("*") and operator not in _REPEATABLE:
            return f"{spec!r} stands for several values without a separator"
    return ""


def _ambiguous(template: str) -> str:
    """Values that cannot be told apart: two of any length, or two without a literal in between."""
    pieces = _pieces(template)
    if pieces.count("long") > 1:
        return "two variables in it may hold any number of segments"
    if any(one != "literal" != other for one, other in pairwise(pieces)):
        return "nothing stands between two of its variables"
    return ""


def _pieces(template: str) -> list[Piece]:
    """What an address under `template` is made of."""
    pieces: list[Piece] = []
    end = 0
    for expression in _EXPRESSION.finditer(template):
        if expression.start() > end:
            pieces.append("literal")
        end = expression.end()
        operator, names = expression[1], expression[2].split(",")
        for position, name in enumerate(names):
            repeated = name.endswith("*")
            # Repeated values bring their separators along; of the others, these operators put nothing in front.
            if not repeated and (position or operator not in _BARE):
                pieces.append("literal")
            pieces.append("long" if repeated or operator in _GREEDY else "short")
    return pieces

"""Where the profiles of pydantic models differ: names, scalars, what stands for an absent value, judged values."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Protocol

from mcp_lockstep.models.plan import ClassPlan, FieldNames
from mcp_lockstep.models.types import EXACT_SCALARS, PLAIN_SCALARS, Expression, Renderer
from mcp_lockstep.models.unions import Unions
from mcp_lockstep.naming import Identifier, distinct, field_name, field_names


class ProfileStyle(Protocol):
    """One profile. `bases` are the modules whose code it writes, the later ones over the earlier ones."""

    bases: tuple[str, ...]

    def names(self) -> FieldNames:
        """How the fields of a class are named."""
        ...

    def renderer(self, hidden: Container[str], unions: Unions) -> Renderer:
        """What writes types in the body of a class whose fields are `hidden`."""
        ...

    def optional(self, found: Expression) -> tuple[str, str]:
        """The type of a property that may be absent, and the default of its field."""
        ...

    def raw_value(self, cls: ClassPlan) -> str:
        """The expression for what the rules of a class judge."""
        ...

    def apart(self, cls: ClassPlan) -> dict[str, str]:
        """The fields that an unknown property could be taken for by chance, with their names on the wire."""
        ...


class Exact:
    """What the schema accepts and nothing else; an absent value is `MISSING`, names are those on the wire."""

    bases: tuple[str, ...] = ("base", "judge")

    def names(self) -> FieldNames:
        return field_names

    def renderer(self, hidden: Container[str], unions: Unions) -> Renderer:
        second = (("List", "list"), ("Dict", "dict"), ("Str", "str"))
        words = tuple(name if plain in hidden else plain for name, plain in second)
        return Renderer("model", (words[0], words[1], words[2]), unions)

    def optional(self, found: Expression) -> tuple[str, str]:
        return f"{found} | MISSING", "MISSING"

    def raw_value(self, cls: ClassPlan) -> str:
        return "value"

    def apart(self, cls: ClassPlan) -> dict[str, str]:
        if cls.extra is None:
            return {}
        return {
            str(field.name): field.wire for field in cls.fields if field.name != field.wire and field.default
        }


class Ergonomic:
    """An absent value is `None`, names are in snake case, and both names of a field are taken as input."""

    bases: tuple[str, ...] = ("base", "judge", "ergonomic")

    def names(self) -> FieldNames:
        return snake_names

    def renderer(self, hidden: Container[str], unions: Unions) -> Renderer:
        return Renderer(
            "model", unions=unions, scalars={**EXACT_SCALARS, **{key: PLAIN_SCALARS[key] for key in _PLAIN}}
        )

    def optional(self, found: Expression) -> tuple[str, str]:
        if found.members[-1:] == ("None",) or found.members == ("Any",):
            return str(found), "None"
        return f"{found} | None", "None"

    def raw_value(self, cls: ClassPlan) -> str:
        names = {str(field.name): field.wire for field in cls.fields if field.name != field.wire}
        return f"on_wire(value, {names!r})" if names else "value"

    def apart(self, cls: ClassPlan) -> dict[str, str]:
        return {}


_PLAIN = ("string", "boolean")
_BUILTIN: frozenset[str] = frozenset("bool dict float int list on_wire str".split())


def snake_names(wires: Iterable[str], taken: Container[str] = frozenset()) -> dict[str, Identifier]:
    """The fields of one model in snake case: distinct, valid, none of them in `taken` or hiding a type."""
    return distinct(wires, lambda wire: _snake(wire, taken))


def snake(wire: str) -> str:
    """The words of a property in lower case, without underscores around them."""
    words = re.sub("([a-z0-9])([A-Z])", r"\1_\2", re.sub("([A-Z]+)([A-Z][a-z])", r"\1_\2", wire)).lower()
    return words.strip("_") or words


def _snake(wire: str, taken: Container[str]) -> Identifier:
    name = field_name(snake(wire), taken)
    return field_name(f"{name}_", taken) if name in _BUILTIN else name


EXACT: ProfileStyle = Exact()
ERGONOMIC: ProfileStyle = Ergonomic()

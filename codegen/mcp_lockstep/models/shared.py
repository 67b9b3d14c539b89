"""Definitions that two modules have alike: made once, and imported by the other module."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.models.dispatch import dispatch
from mcp_lockstep.models.plan import AliasPlan, ClassPlan, Imported, ModulePlan
from mcp_lockstep.schema.values import Json

_BASE = ("Struct",)
_MESSAGES = ("Channel", "MessageError", "Method", "Response", "id_of", "result_of")
"""What modules that share have in common: one base class, and one error to catch."""


def sharing(planned: ModulePlan, other: ModulePlan, module: str) -> ModulePlan:
    """`planned` with everything imported from `module`, whose plan is `other`, that is equal there.

    A definition is equal where all that it refers to is equal too, texts included.
    """
    mine, theirs = _parts(planned), _parts(other)
    equal = {name for name, part in mine.items() if theirs.get(name) == part}
    while lost := {name for name in equal if not equal.issuperset(_references(mine[name]))}:
        equal -= lost
    helpers = [*(_BASE if other.classes else ()), *(_MESSAGES if dispatch(other).code else ())]
    return planned._replace(imported=Imported(module, tuple(sorted(equal)), tuple(helpers)))


def _parts(planned: ModulePlan) -> dict[str, ClassPlan | AliasPlan]:
    return {cls.name: cls for cls in planned.classes} | {alias.name: alias for alias in planned.aliases}


def _references(part: ClassPlan | AliasPlan) -> set[str]:
    """The definitions that a class or alias refers to, in its rules as well."""
    if isinstance(part, AliasPlan):
        return {*_within(part.node)}
    return {*_within([*(field.node for field in part.fields), part.extra, *part.rules])}


def _within(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _within(item)
    elif isinstance(value, dict):
        ref = value.get("$ref")
        if isinstance(ref, str):
            yield ref.removeprefix("#/$defs/")
        for item in value.values():
            yield from _within(item)

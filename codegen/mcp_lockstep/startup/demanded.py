"""Arguments that the program cannot do without, against those that server.json has clients pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_lockstep.code.start.commands import Demand
from mcp_lockstep.documents import JsonDocument, value_at
from mcp_lockstep.documents.data import table
from mcp_lockstep.facts.codes import ARGUMENT_NEEDED, ARGUMENT_OPTIONAL
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.launch.package import Package, Setting
from mcp_lockstep.rules.manifest import is_template
from mcp_lockstep.startup.declare import is_list, shown
from mcp_lockstep.startup.judged import ARGUMENTS


def lacking(document: JsonDocument, package: Package, demands: Sequence[Demand]) -> tuple[Demand, ...]:
    """Those of `demands` that nothing in `package` answers; none where what it passes cannot be told apart."""
    return tuple(demand for demand, settings in _answered(document, package, demands) if not settings)


def judge_demands(document: JsonDocument, package: Package, demands: Sequence[Demand]) -> Iterator[Finding]:
    """A finding for each of `demands` that clients do not pass, or pass only if the user likes."""
    for demand, settings in _answered(document, package, demands):
        name = shown(demand)
        if not settings:
            yield Finding(
                ARGUMENT_NEEDED,
                Place(demand.path, "::", name),
                f"the program ends at its start without {name}, which server.json does not pass",
                demand.position,
                want=name,
                hint="`mcp-lockstep sync` adds it to server.json",
                fact=ARGUMENTS,
                fixable=True,
            )
        elif not any(map(_always, settings)):
            pointer = settings[0].pointer
            at = f"{demand.path}:{demand.position.line}"
            yield Finding(
                ARGUMENT_OPTIONAL,
                document.place(pointer),
                f"{name} is left to the user, and the program ends at its start without it ({at})",
                document.where(pointer),
                want="true",
                hint='say `"isRequired": true`, or give a `value` or a `default`',
                fact=ARGUMENTS,
            )


def _answered(
    document: JsonDocument, package: Package, demands: Sequence[Demand]
) -> Iterator[tuple[Demand, tuple[Setting, ...]]]:
    """Each demand with the settings that may answer it; those of which nothing can be said are left out."""
    if any(is_template(s.flag) for s in package.arguments) or not is_list(
        document, package, "packageArguments"
    ):
        return
    waiting = [setting for setting in package.arguments if not setting.flag]
    loose = any((s.value or "").startswith("-") or is_repeated(document, s) for s in waiting)
    for demand in demands:
        if demand.flags:
            yield demand, tuple(setting for setting in package.arguments if _passes(setting, demand.flags))
        elif not loose:
            yield demand, tuple(waiting[:1])
            waiting = waiting[1:]


def _passes(setting: Setting, flags: Sequence[str]) -> bool:
    """Whether the setting spells one of `flags`, or the beginning of a long one, which parsers take as well."""
    words = (setting.flag or setting.value or "").replace("=", " ").split()
    given = words[0] if words else ""
    return any(flag == given or (len(given) > 2 and flag.startswith(given)) for flag in flags)


def is_repeated(document: JsonDocument, setting: Setting) -> bool:
    """Whether server.json lets users give several values for the argument."""
    data = table(value_at(document.data, setting.pointer))
    return True in (data.get("isRepeated"), data.get("is_repeated"))


def _always(setting: Setting) -> bool:
    one = setting.input
    return one.required or one.default is not None or setting.value is not None or not setting.flag

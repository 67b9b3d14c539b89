"""The fact "arguments": the flags that server.json passes against those that the program takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.start.demands import read_demands
from mcp_lockstep.code.start.parsers import Flags, read_flags
from mcp_lockstep.code.start.reach import entry_modules
from mcp_lockstep.documents import Edit, JsonDocument
from mcp_lockstep.facts.codes import ARGUMENT_UNKNOWN
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Finding, Place, nearest
from mcp_lockstep.launch.derive import is_hidden
from mcp_lockstep.launch.package import Package, Setting
from mcp_lockstep.project import Project
from mcp_lockstep.rules.manifest import is_template
from mcp_lockstep.startup.declare import passing
from mcp_lockstep.startup.demanded import is_repeated, judge_demands, lacking
from mcp_lockstep.startup.judged import ARGUMENTS, Startup
from mcp_lockstep.startup.packages import counted, entries, is_run_by_uv, own_packages
from mcp_lockstep.startup.seeded import settings_home, takes_flags_only

_HELP = frozenset({"-h", "--help"})


def judge_arguments(project: Project, modules: Sequence[Module]) -> Startup:
    """Both sides of every flag. Code that takes more than server.json passes is as it should be."""
    packages = own_packages(project)
    starts = [entry for package in packages for entry in entries(project, package)]
    server = [*counted(project, modules, starts)]
    flags = read_flags(server)
    document = project.manifest
    readings = tuple(_in_code(flags))
    if document is None:
        return Startup(readings)
    findings: list[Finding] = []
    edits: list[Edit] = []
    for package in packages:
        if _is_seen_whole(project, modules, package, flags):
            unknown = [*_unknown(project, document, package, flags)]
            if takes_flags_only(project, server):
                unknown += _unplaced(document, package)
            # What is passed under a misspelt name is mended there.
            meant = {finding.want for finding in unknown}
            asked = read_demands(server, entries(project, package))
            demands = [demand for demand in asked if meant.isdisjoint(demand.flags)]
            lacks = lacking(document, package, demands)
            findings += [*unknown, *judge_demands(document, package, demands)]
            edits += [passing(document, package, lacks)] if lacks else []
    return Startup((*readings, *_stated(document, packages)), tuple(findings), tuple(edits))


def _is_seen_whole(project: Project, modules: Sequence[Module], package: Package, flags: Flags) -> bool:
    """Whether every flag that the package's program takes is among `flags`."""
    seen = is_run_by_uv(package) and not flags.unknown
    return seen and bool(entry_modules(modules, entries(project, package)))


def _unknown(project: Project, document: JsonDocument, package: Package, flags: Flags) -> Iterator[Finding]:
    for setting in package.arguments:
        flag = setting.flag.partition("=")[0]
        if not flag.startswith("-") or is_template(flag) or " " in flag or flags.takes(flag):
            continue
        near = nearest(flag, (known.text for known in flags.flags))
        home = (
            "" if near or flag != setting.flag or is_repeated(document, setting) else settings_home(project)
        )
        otherwise = (
            f"`mcp-lockstep sync` adds it to {home}" if home else "remove it, or teach the program to take it"
        )
        pointer = f"{setting.pointer}/name"
        yield Finding(
            ARGUMENT_UNKNOWN,
            document.place(pointer),
            f"clients pass {flag}, which the program does not take",
            document.where(pointer),
            have=flag,
            want=near or None,
            hint=f"it takes {near}" if near else otherwise,
            fact=ARGUMENTS,
            fixable=bool(home),
        )


def _unplaced(document: JsonDocument, package: Package) -> Iterator[Finding]:
    """A finding for each positional argument, where the program takes none."""
    if any(is_template(setting.flag) or not _is_whole(setting) for setting in package.arguments):
        return
    for setting in package.arguments:
        if not setting.flag:
            yield Finding(
                ARGUMENT_UNKNOWN,
                document.place(setting.pointer),
                f"clients pass <{setting.input.name}>, and the program takes no positional argument",
                document.where(setting.pointer),
                have=f"<{setting.input.name}>",
                hint="remove it, or teach the program to take it: `add_argument` with a name without dashes",
                fact=ARGUMENTS,
            )


def _is_whole(setting: Setting) -> bool:
    """Whether the setting is an argument of its own: not a flag, or the value of one, written as positional."""
    return bool(setting.flag) or not (setting.value or "").startswith("-")


def _in_code(flags: Flags) -> Iterator[Reading]:
    seen: set[Place] = set()
    for flag in flags.flags:
        place = Place(flag.path, "::", flag.text)
        if place not in seen and flag.text not in _HELP:
            seen.add(place)
            yield Reading(ARGUMENTS, "code", place, flag.text)


def _stated(document: JsonDocument, packages: Sequence[Package]) -> Iterator[Reading]:
    for package in packages:
        for setting in package.arguments:
            yield Reading(ARGUMENTS, "manifest", document.place(setting.pointer), _words(setting))


def _words(setting: Setting) -> str:
    name = setting.flag or f"<{setting.input.name}>"
    hidden = setting.value is None or is_hidden(setting)
    return name if hidden else f"{name} {setting.value}"

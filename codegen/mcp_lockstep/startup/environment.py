"""The fact "environment variables": what the code reads against what server.json declares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.start.environment import Environment, ending, read_environment
from mcp_lockstep.code.start.read import Read
from mcp_lockstep.documents import Edit, JsonDocument
from mcp_lockstep.facts.codes import (
    DEFAULT_DIFFERS,
    VARIABLE_NEEDED,
    VARIABLE_OPTIONAL,
    VARIABLES_UNDECLARED,
)
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Code, Finding, Place
from mcp_lockstep.launch.package import Package, Setting
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.arguments import ENV_NAME
from mcp_lockstep.rules.manifest import is_template
from mcp_lockstep.secrecy import is_secret_name, looks_like_key
from mcp_lockstep.startup.beside import Beside, given_beside
from mcp_lockstep.startup.declare import declaring, is_list
from mcp_lockstep.startup.judged import Startup
from mcp_lockstep.startup.names import is_common
from mcp_lockstep.startup.packages import counted, entries, own_packages
from mcp_lockstep.startup.unread import Declaration, unread

FACT = "environment"
_LISTED = 8


class Deployment(NamedTuple):
    """One package of this project: what it declares, and the reads without which its server ends at once.

    `beside`: the variables that it is given otherwise.
    """

    package: Package
    declared: Mapping[str, Setting]
    beside: Beside
    ended: tuple[Read, ...] = ()

    def gives(self, read: Read) -> bool:
        """Whether every client is sure to pass the variable: then nothing depends on where it is read."""
        if self.beside.is_open or not self.beside.names.isdisjoint(read.names):
            return True
        settings = (self.declared[name] for name in read.names if name in self.declared)
        return any(s.input.required or s.input.default is not None or s.value is not None for s in settings)

    def lacks(self, read: Read) -> bool:
        """Whether nothing in the package gives what `read` needs, be it a flag that does instead.

        Of names of which one is enough only the first is ever lacking.
        """
        given = {setting.flag for setting in self.package.arguments}
        first = read.name == read.names[0]
        return first and self.declared.keys().isdisjoint(read.names) and not given.intersection(read.flags)

    def leaves_to_others(self, read: Read) -> bool:
        """Whether another name that is as good as this one is declared."""
        return any(name in self.declared for name in read.names if name != read.name)


def judge_environment(project: Project, modules: Sequence[Module]) -> Startup:
    """Both sides of every variable, and what is wrong with them; without a server.json only what the code reads."""
    environment = read_environment(modules)
    packages = own_packages(project)
    starts = {package.pointer: entries(project, package) for package in packages}
    server = {m.path for m in counted(project, modules, [e for found in starts.values() for e in found])}
    reads = tuple(r for r in environment.reads if r.path in server and not is_common(r.name))
    given = [
        Deployment(package, _declared(package), given_beside(project, package))
        for package in packages
        if project.manifest is not None and is_list(project.manifest, package, "environmentVariables")
    ]
    deployments = tuple(
        one._replace(ended=ending(modules, _doubtful(one, reads), starts[one.package.pointer]))
        for one in given
    )
    secret = {name for one in given for name, setting in one.declared.items() if setting.input.secret}
    readings = tuple(_readings(reads, secret))
    document = project.manifest
    if document is None:
        return Startup(readings, tuple(_unportable(reads)))
    findings = (
        *_undeclared(document, deployments),
        *_summary(document, deployments, reads),
        *_unportable(reads),
        *(f for one in deployments for f in (*_optional(document, one), *_defaults(document, one, reads))),
        *_unread(project, modules, environment, deployments),
    )
    return Startup(
        (*readings, *_stated(document, deployments)), findings, tuple(_edits(document, deployments))
    )


def _doubtful(deployment: Deployment, reads: Sequence[Read]) -> tuple[Read, ...]:
    """The reads that a client may leave without a value; following the code is done for these alone."""
    return tuple(read for read in reads if not deployment.gives(read))


def _declared(package: Package) -> Mapping[str, Setting]:
    """Name -> setting; a variable that the container's runtime passes counts, too."""
    passed = {
        (setting.value or "").partition("=")[0]: setting
        for setting in package.runtime
        if setting.flag in ("-e", "--env")
    }
    return {**passed, **{setting.flag: setting for setting in package.environment if setting.flag}}


def _undeclared(document: JsonDocument, deployments: Sequence[Deployment]) -> tuple[Finding, ...]:
    """One finding for each variable that a package needs and does not declare."""
    found: dict[str, Finding] = {}
    for one in deployments:
        for read in one.ended:
            if not one.lacks(read):
                continue
            image = one.package.kind == "oci"
            if read.name not in found or (image and found[read.name].level is None):
                message = (
                    f"the server ends at its start without {read.name}, which server.json does not declare"
                )
                found[read.name] = _in_code(VARIABLE_NEEDED, read, message)._replace(
                    want=read.name,
                    hint="`mcp-lockstep sync` declares it in server.json",
                    fixable=True,
                    level="error" if image else None,
                )
    return tuple(found.values())


def _edits(document: JsonDocument, deployments: Sequence[Deployment]) -> Iterator[Edit]:
    for one in deployments:
        names = [*dict.fromkeys(read.name for read in one.ended if one.lacks(read))]
        if names:
            yield declaring(document, one.package, names)


def _summary(
    document: JsonDocument, deployments: Sequence[Deployment], reads: Sequence[Read]
) -> Iterator[Finding]:
    """One note for all variables that the server can do without."""
    if not deployments:
        return
    known = {name for one in deployments for name in (*one.declared, *one.beside.names)}
    known |= {read.name for one in deployments for read in one.ended}
    asked = {read.name for read in reads if not any(one.leaves_to_others(read) for one in deployments)}
    names = sorted(asked - known)
    if names:
        listed = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
        pointer = deployments[0].package.pointer
        message = f"the code reads what server.json does not declare: {listed}"
        place, where = document.place(pointer), document.where(pointer)
        yield Finding(VARIABLES_UNDECLARED, place, message, where, have=listed, fact=FACT)


def _unportable(reads: Sequence[Read]) -> Iterator[Finding]:
    for read in {read.name: read for read in reversed(reads)}.values():
        if not (read.name.isascii() and read.name.isidentifier()):
            message = f"{read.name!r} cannot be set from a shell; letters, digits and underscores are wanted"
            yield _in_code(ENV_NAME, read, message)


def _optional(document: JsonDocument, deployment: Deployment) -> Iterator[Finding]:
    """What is declared as optional, though the server ends without it."""
    flags = {setting.flag for setting in deployment.package.arguments}
    # Of a flag and a variable one is enough, and server.json has no word for it.
    ended = {read.name: read for read in deployment.ended if flags.isdisjoint(read.flags)}
    for name, setting in deployment.declared.items():
        read, given = ended.get(name), setting.input
        if read is None or deployment.leaves_to_others(read):
            continue
        if not given.required and given.default is None and setting.value is None:
            at = f"{read.path}:{read.position.line}"
            message = f"{name} is declared as optional, and the server ends at its start without it ({at})"
            hint = 'say `"isRequired": true`, or give a `default`'
            yield _in_manifest(VARIABLE_OPTIONAL, document, setting, message)._replace(want="true", hint=hint)


def _defaults(document: JsonDocument, deployment: Deployment, reads: Sequence[Read]) -> Iterator[Finding]:
    """Where server.json and the code have another default each, and none of the two is to be hidden."""
    for name, setting in deployment.declared.items():
        stated = {read.default for read in reads if read.name == name}
        own, given = next(iter(stated), None) if len(stated) == 1 else None, setting.input.default
        if own is None or given is None or own.casefold() == given.casefold() or is_template(given):
            continue
        if not (setting.input.secret or _is_hidden(name, own) or _is_hidden(name, given)):
            message = f"{name} is {given!r} by default in server.json, and {own!r} in the code"
            yield _in_manifest(DEFAULT_DIFFERS, document, setting, message)._replace(have=given, want=own)


def _unread(
    project: Project, modules: Sequence[Module], environment: Environment, deployments: Sequence[Deployment]
) -> Iterator[Finding]:
    said: set[str] = set()
    for one in deployments:
        for name, setting in one.declared.items():
            if name not in said and not is_template(name) and setting in one.package.environment:
                said.add(name)
                yield from unread(project, modules, environment, Declaration(name, setting, one.package))


def _readings(reads: Sequence[Read], secret: Collection[str]) -> Iterator[Reading]:
    """One reading per file and name, in the order of the code; no defaults of those that are said to be `secret`."""
    needed = {read.name for read in reads if read.need == "needed"}
    seen: set[Place] = set()
    for read in reads:
        place = Place(read.path, "::", read.name)
        if place not in seen:
            seen.add(place)
            hidden = read.name in secret or _is_hidden(read.name, read.default)
            shown = f"default {read.default}" if read.default and not hidden else "optional"
            yield Reading(FACT, "code", place, "required" if read.name in needed else shown)


def _stated(document: JsonDocument, deployments: Sequence[Deployment]) -> Iterator[Reading]:
    for one in deployments:
        for name, setting in one.declared.items():
            given = setting.input
            words = ["required" if given.required else "optional", *(["secret"] if given.secret else [])]
            hidden = given.secret or _is_hidden(name, given.default)
            words += [f"default {given.default}"] if given.default is not None and not hidden else []
            place = document.place(setting.pointer)
            yield Reading(FACT, "manifest", place, f"{name}: {', '.join(words)}")


def _in_code(code: Code, read: Read, message: str) -> Finding:
    return Finding(code, Place(read.path, "::", read.name), message, read.position, fact=FACT)


def _in_manifest(code: Code, document: JsonDocument, setting: Setting, message: str) -> Finding:
    place, where = document.place(setting.pointer), document.where(setting.pointer)
    return Finding(code, place, message, where, fact=FACT)


def _is_hidden(name: str, value: str | None) -> bool:
    """Whether `value` of the variable `name` is shown to nobody."""
    return is_secret_name(name) or looks_like_key(value or "")

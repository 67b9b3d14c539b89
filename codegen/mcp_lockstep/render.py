"""The server.json that is published, made from the one in the project: placeholders filled, the version put in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, cast

from mcp_lockstep.documents import Edit, JsonDocument, apply_edits, make_pointer, pointer_parts, value_at
from mcp_lockstep.facts.locate import edit_for
from mcp_lockstep.facts.read import homes_apart, owner_of, read_facts
from mcp_lockstep.facts.release import version_mode
from mcp_lockstep.facts.table import FACTS, Reading
from mcp_lockstep.facts.validity import fault_of
from mcp_lockstep.findings import Code, Finding
from mcp_lockstep.placeholders import Placeholder, is_free, is_template, placeholders
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple

PLACEHOLDER_UNFILLED = Code(
    "LS2301",
    "placeholder-unfilled",
    "error",
    "A placeholder in server.json has no value.",
    "It would be published as it stands. `--version` fills those that mean the version, `--set NAME=VALUE` any "
    "other; text that is meant to stay is given to itself: `--set 'NAME={{NAME}}'`.",
)
VERSION_NEEDED = Code(
    "LS2302",
    "render-version-needed",
    "error",
    "The version is made when the project is built or released, and nobody said which one it is.",
    "Give it: `mcp-lockstep render --version 1.2.0`. In a release job it is mostly the name of the tag; a `v` before "
    "it is cut off.",
)
VALUE_UNUSED = Code(
    "LS2303",
    "render-value-unused",
    "warning",
    "A value was given for a placeholder that is not in server.json.",
    "Names are compared exactly, capitals and all.",
)
CODES = (PLACEHOLDER_UNFILLED, VERSION_NEEDED, VALUE_UNUSED)

_STAND_IN = "1.0.0"
"""The version by which a template is judged when nothing says a better one."""

_GIVE_VERSION = "Give `--version V`."


class Values(NamedTuple):
    """What placeholders stand for: the version (None: nobody knows), and others by name.

    `spelling`: whether a version that means the same stays as server.json spells it.
    """

    version: str | None = None
    named: Mapping[str, str] = {}
    spelling: Literal["given", "kept"] = "given"


class Filled(NamedTuple):
    """A server.json with placeholders filled: the edits, what could not be filled, the names that were used.

    `given` are the pointers of the texts that a named value went into.
    """

    edits: tuple[Edit, ...]
    unfilled: tuple[tuple[str, Placeholder], ...]
    used: frozenset[str]
    given: frozenset[str]


class Rendered(NamedTuple):
    """The server.json to publish, and what speaks against it."""

    document: JsonDocument
    findings: tuple[Finding, ...]


class StandIn(JsonDocument):
    """A server.json whose data is that of a rendered copy, and whose text and places are those of the template."""

    def __init__(self, template: JsonDocument, copy: JsonDocument) -> None:
        super().__init__(template.path, template.raw)
        self._copy = copy

    @cached_property
    def data(self) -> object:
        return self._copy.data


def stand_in(manifest: JsonDocument, version: str | None) -> JsonDocument:
    """A server.json as it is judged: `version`, if known, in the place of every placeholder that means it.

    Other placeholders stay: rules pass over them.
    """
    filled = fill(manifest, Values(_STAND_IN if version is None or is_template(version) else version))
    return StandIn(manifest, _edited(manifest, filled.edits)) if filled.edits else manifest


def render(project: Project, manifest: JsonDocument, values: Values) -> Rendered:
    """The server.json to publish. Without a version in `values` it is the one that the project agrees on."""
    readings = read_facts(project, ())
    known = values.version or _agreed(project, readings)
    filled = fill(manifest, values._replace(version=known))
    copy = _edited(manifest, filled.edits)
    if known is not None:
        edits = _versions(
            project, copy, known, exact=values.version is not None and values.spelling == "given"
        )
        copy = _edited(copy, [edit for place, edit in edits if place not in filled.given])
    findings = [_unfilled(manifest, pointer, found) for pointer, found in filled.unfilled]
    findings += [_unused(manifest, name) for name in values.named if name not in filled.used]
    if (
        known is None
        and not any(f.hint == _GIVE_VERSION for f in findings)
        and _made_later(project, readings)
    ):
        findings.append(_version_needed(manifest))
    return Rendered(copy, tuple(findings))


def rendered_for(project: Project, manifest: JsonDocument, version: str | None) -> JsonDocument:
    """server.json with the `version` that is built in it; as it is where it speaks of something else than is built."""
    apart = homes_apart(FACTS["version"], read_facts(project, ()))
    return render(project, manifest, Values(None if apart else version, spelling="kept")).document


def fill(document: JsonDocument, values: Values) -> Filled:
    """Fill every placeholder that `values` know; text for a shell in what users fill in is no placeholder."""
    edits: list[Edit] = []
    unfilled: list[tuple[str, Placeholder]] = []
    used: dict[str, set[str]] = {}
    for path, text in _texts(document.data, ()):
        pointer, parts, done = make_pointer(path), list[str](), 0
        for found in placeholders(text):
            name = next((name for name in (found.name, found.last) if name in values.named), None)
            value = values.version if _means_version(path, text, found) else None
            if name is not None:
                value = values.named[name]
                used.setdefault(name, set()).add(pointer)
            if value is not None:
                parts += (text[done : found.start], value)
                done = found.end
            elif not (found.shell and is_free(path)):
                unfilled.append((pointer, found))
        if done:
            edits.append(document.replace(pointer, "".join([*parts, text[done:]])))
    given = frozenset(pointer for pointers in used.values() for pointer in pointers)
    return Filled(tuple(edits), tuple(unfilled), frozenset(used), given)


def _means_version(path: tuple[str | int, ...], text: str, found: Placeholder) -> bool:
    """Whether a placeholder stands for the version: by its name, or because it is all that a version consists of."""
    name = found.last.lower()
    if path == ("$schema",):
        return False
    if name == "version":
        return True
    if path[-1:] == ("version",) and not is_free(path):
        return name.endswith("version") or (text[: found.start] in ("", "v") and found.end == len(text))
    return path[-1:] == ("identifier",) and name.endswith("version")


def _texts(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            yield from _texts(item, (*path, index))


def shown(project: Project, manifest: JsonDocument) -> JsonDocument:
    """The server.json of a project as it is published, as far as the project knows the version."""
    fact = FACTS["version"]
    owner = owner_of(fact, read_facts(project, ()), project.config.owners.get(fact.name, ""))
    version = owner.value if owner is not None and not fault_of(owner) else None
    return manifest if version is None or is_template(version) else stand_in(manifest, version)


def _agreed(project: Project, readings: Sequence[Reading]) -> str | None:
    """The version that the project agrees on; None where only server.json itself says one."""
    fact = FACTS["version"]
    owner = owner_of(fact, readings, project.config.owners.get(fact.name, ""))
    decides = owner is not None and owner.home != "manifest" and not fault_of(owner)
    return owner.value if owner is not None and decides else None


def _made_later(project: Project, readings: Sequence[Reading]) -> bool:
    """Whether the version is none that the project holds: a build or a release makes it."""
    if version_mode(project) in ("stamped", "build"):
        return True
    apart = homes_apart(FACTS["version"], readings)
    return any(
        (r.fact, r.home, r.state) == ("version", "pyproject", "dynamic") and r.home not in apart
        for r in readings
    )


def _versions(
    project: Project, copy: JsonDocument, version: str, *, exact: bool
) -> Iterator[tuple[str, Edit]]:
    """By pointer, the edits that put `version` into every place of server.json that holds another one.

    `exact`: another spelling is another one too.
    """
    normal = str if exact else FACTS["version"].normal
    over = Project(project.tree.over({MANIFEST: copy.raw}))
    for reading in read_facts(over, ()):
        if (reading.fact, reading.home) != ("version", "manifest") or reading.value is None:
            continue
        if not is_template(reading.value) and normal(reading.value) != normal(version):
            edit = edit_for(copy, reading, version)
            if edit is not None:
                yield reading.place.address, edit


def _edited(document: JsonDocument, edits: Collection[Edit]) -> JsonDocument:
    if not edits:
        return document
    return JsonDocument(document.path, apply_edits(document.text, edits).encode("utf-8"))


def _unfilled(manifest: JsonDocument, pointer: str, found: Placeholder) -> Finding:
    text = str(value_at(manifest.data, pointer))
    written = text[found.start : found.end]
    means = _means_version(pointer_parts(pointer), text, found)
    hint = _GIVE_VERSION if means else f"Give `--set {found.last}=VALUE`."
    message = f"{manifest.place(pointer)} has the placeholder {written}, for which there is no value."
    return Finding(
        PLACEHOLDER_UNFILLED, manifest.place(pointer), message, manifest.where(pointer), written, hint=hint
    )


def _unused(manifest: JsonDocument, name: str) -> Finding:
    message = f"{manifest.path} has no placeholder {name}"
    return Finding(VALUE_UNUSED, manifest.place(""), message, have=name)


def _version_needed(manifest: JsonDocument) -> Finding:
    message = f"the version in {manifest.path} is made by the build or the release, and was not given"
    where = manifest.where("/version")
    place = manifest.place("/version")
    return Finding(VERSION_NEEDED, place, message, where, hint=_GIVE_VERSION, fact="version")

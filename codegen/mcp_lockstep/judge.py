"""One project judged whole: what there is to say about it, the edits that mend it, and the lock that then holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast, get_args

from mcp_lockstep.behind import judge_backend
from mcp_lockstep.cachekeys import judge_cache_keys
from mcp_lockstep.code.observe import observe
from mcp_lockstep.config import Config
from mcp_lockstep.documents import Edit
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.facts.ahead import published_before, with_releases
from mcp_lockstep.facts.codes import VALUE_NOT_STATIC
from mcp_lockstep.facts.locate import edit_for, span_of
from mcp_lockstep.facts.marker import Marked, judge_marker
from mcp_lockstep.facts.merge import Judged, merge
from mcp_lockstep.facts.project_table import judge_project_table
from mcp_lockstep.facts.read import homes_apart, owner_of, read_facts
from mcp_lockstep.facts.release import version_mode
from mcp_lockstep.facts.table import FACTS, Fact, Reading
from mcp_lockstep.facts.validity import fault_of, unusable
from mcp_lockstep.findings import SEVERITY_ORDER, Code, Finding, Place, Refused, Severity
from mcp_lockstep.launch.codes import SWITCH_ALWAYS_ON
from mcp_lockstep.launch.rules import rules_for
from mcp_lockstep.launch.scripts import console_scripts
from mcp_lockstep.lock import Lock, read_lock
from mcp_lockstep.parts import judge_models, judge_repeated, judge_startup, judge_surface
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.render import stand_in
from mcp_lockstep.rules import judge_manifest, judge_move
from mcp_lockstep.secrecy import without_secrets
from mcp_lockstep.surface import Kept

NO_SUCH_PLACE = Code(
    "LS0105",
    "no-such-place",
    "error",
    "The place that was named is no place of a fact in this project.",
    "`mcp-lockstep status` lists every fact with its places, in the spelling that `--accept` takes.",
    exit=2,
)
CODES = (NO_SUCH_PLACE,)


class Accept(NamedTuple):
    """A place that decides its fact this once, with `value`, or (None) with what stands there."""

    place: Place
    value: str | None = None


class Agreed(NamedTuple):
    """One fact of the project: where it stands, and which reading decides it (None: nobody)."""

    fact: Fact
    readings: tuple[Reading, ...]
    owner: Reading | None

    @property
    def value(self) -> str | None:
        """What the fact is after a sync."""
        return self.owner.value if self.owner else None


class Judgement(NamedTuple):
    """Everything there is to say about a project, the edits that mend it, and the lock that then holds."""

    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()
    facts: tuple[Agreed, ...] = ()
    lock: Lock = Lock()
    surface: Kept = Kept()


_OF_PROJECT = frozenset({"version", "identifier"})
"""Facts that `[project]` of pyproject.toml may decide."""


def judge(project: Project, base: Lock, accept: Accept | None = None, only: str = "") -> Judgement:
    """Judge `project` against the last agreement.

    `accept`: the place that decides its fact, this once. `only`: the one fact to look at. Refused when there is
    no such place.
    """
    modules = [observe(path, raw) for path in project.modules if (raw := project.raw(path)) is not None]
    readings = read_facts(project, modules)
    rows = [fact for fact in FACTS.values() if not only or fact.name == only]
    faults = {r: why for r in readings if (why := fault_of(r, project.config.registry))}
    broken = tuple(judge_project_table(project))
    lost = _OF_PROJECT if broken else frozenset[str]()
    owners = {f.name: _owner(project, f, readings, accept) for f in rows if f.name not in lost}
    owners = {name: owner for name, owner in owners.items() if owner not in faults}
    place = accept.place if accept else None
    surface = judge_surface(project, modules, base, place) if only in ("", "tools") else Kept()
    _accepted(project, accept, readings, surface)
    startup = judge_startup(project, modules, only)
    facts = [
        Agreed(fact, _mine(fact, (*readings, *startup.readings)), owners.get(fact.name)) for fact in rows
    ]
    merged = [_merged(project, one, readings, base, accept) for one in facts if one.fact.kind == "identity"]
    marked = judge_marker(project, readings) if only in ("", "name") else Marked()
    repeated = judge_repeated(project, surface, only)
    drifts = [finding for one in merged for finding in one.findings]
    published = [] if only else [*_published(project, owners.get("version"), owners.get("schema"))]
    stray = _unusable(project, faults, (*drifts, *published), only)
    drifts, published = _once(drifts, _unsaid(published, startup.findings))
    said = (*_ownerless(project, readings), *drifts, *marked.findings, *startup.findings, *published, *stray)
    models = () if only else judge_models(project)
    keys = () if only else (*judge_backend(project), *judge_cache_keys(project))
    if project.manifest is not None:
        said = without_secrets(project.manifest, said)
    findings = (*project.broken, *broken, *said, *models, *keys, *surface.findings, *repeated.findings)
    mended = [edit for part in (*merged, marked, repeated) for edit in part.edits]
    edits = _disjoint((*mended, *startup.edits))
    tools = base.tools if only not in ("", "tools") else surface.agreed
    lock = Lock({**base.facts, **_agreed(facts, accept)}, tools)
    return Judgement(findings, edits, tuple(facts), lock, surface)


def _accepted(project: Project, accept: Accept | None, readings: Sequence[Reading], surface: Kept) -> None:
    """Refused where the place to accept is none, or where its value cannot be that of its fact."""
    if accept is not None and accept.place not in {*(r.place for r in readings), *surface.places}:
        message = f"{accept.place} is no place of a fact"
        raise Refused(Finding(NO_SUCH_PLACE, accept.place, message, hint=_places(readings)))
    for reading in readings if accept is not None else ():
        if accept is not None and reading.place == accept.place:
            decides = reading if accept.value is None else reading._replace(value=accept.value)
            if fault := fault_of(decides, project.config.registry):
                raise Refused(unusable(decides, fault))


def _unsaid(published: Sequence[Finding], known: Sequence[Finding]) -> list[Finding]:
    """`published` without a guess whether an argument may be left out, where the code is `known` to tell that."""
    told = [f"{finding.place}/" for finding in known]

    def outdone(place: Place) -> bool:
        return any(one.startswith(f"{place}/") for one in told)

    return [f for f in published if f.code is not SWITCH_ALWAYS_ON or not outdone(f.place)]


def _once(drifts: Sequence[Finding], published: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Both without doubles: of two findings about one value the worse is told, with the way to mend it of the other."""
    mends = {finding.place: finding for finding in drifts if finding.fixable}
    ruled = {f.place for f in published if f.place in mends and _grade(f) <= _grade(mends[f.place])}
    kept = (f for f in published if f.place not in mends or f.place in ruled)
    return (
        [f for f in drifts if f.place not in ruled or not f.fixable],
        [_mended(f, mends[f.place]) if f.place in ruled else f for f in kept],
    )


def _mended(finding: Finding, by: Finding) -> Finding:
    return finding._replace(have=by.have, want=by.want, hint=by.hint, fact=by.fact, fixable=True)


def _grade(finding: Finding) -> int:
    return SEVERITY_ORDER.index(finding.severity)


def _unusable(
    project: Project, faults: Mapping[Reading, str], said: Sequence[Finding], only: str
) -> Iterator[Finding]:
    """A finding for every value that can be no value of its fact, where nothing was said about it."""
    told = {finding.place for finding in said if finding.severity != "note"}
    for reading, fault in faults.items():
        if reading.place not in told and only in ("", reading.fact):
            yield _located(project, Judged(reading, unusable(reading, fault)))[0]


def judge_tree(project: Project, accept: Accept | None = None, only: str = "") -> Judgement:
    """Judge `project` against its own lock; one that cannot be used is a finding, and no base."""
    try:
        lock, broken = read_lock(project.tree)
    except Refused as refused:
        lock, broken = None, refused.findings
    judgement = judge(project, lock or Lock(), accept, only)
    return judgement._replace(findings=held(dict.fromkeys((*broken, *judgement.findings))))


def held(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """`findings`, none of them mended by `sync` beside an input that cannot be used: it writes nothing then."""
    found = tuple(findings)
    stop = next((f.place for f in found if f.severity == "error" and f.code.exit == 2), None)
    if stop is None:
        return found
    return tuple(
        f._replace(hint=f"mend {stop} first: {f.hint}", fixable=False) if f.fixable else f for f in found
    )


def wanted(findings: Iterable[Finding], config: Config, ignore: Sequence[str] = ()) -> tuple[Finding, ...]:
    """`findings` less those that the configuration or the command line ignores, with the severities it sets."""
    patterns = (*config.ignore, *ignore)
    kept = (f for f in findings if not any(f.code.answers(pattern) for pattern in patterns))
    return tuple(_with_level(finding, config) for finding in kept)


def _with_level(finding: Finding, config: Config) -> Finding:
    level = next((level for text, level in config.severity.items() if finding.code.answers(text)), None)
    return finding._replace(level=cast(Severity, level)) if level in get_args(Severity) else finding


def _owner(
    project: Project, fact: Fact, readings: Sequence[Reading], accept: Accept | None
) -> Reading | None:
    if accept is not None:
        for reading in readings:
            if reading.fact == fact.name and reading.place == accept.place:
                return reading if accept.value is None else reading._replace(value=accept.value)
    return owner_of(fact, readings, project.config.owners.get(fact.name, ""))


def _ownerless(project: Project, readings: Sequence[Reading]) -> Iterator[Finding]:
    """A finding for every owner in the configuration that is no place of its fact."""
    for name, owner in project.config.owners.items():
        fact = FACTS.get(name)
        if fact is not None and fact.kind == "surface":
            continue
        if not any(r.fact == name and owner in (str(r.place), r.home) for r in readings):
            place, where = project.configured(f"/owners/{escape_part(name)}")
            message = f"{owner!r} is to decide {name!r}, and is no place of that fact"
            mine = [reading for reading in readings if reading.fact == name]
            yield Finding(NO_SUCH_PLACE, place, message, where, have=owner, hint=_places(mine))


def _is_waived(agreed: Agreed, accept: Accept | None) -> bool:
    return accept is not None and agreed.owner is not None and agreed.owner.place == accept.place


def _agreed(facts: Sequence[Agreed], accept: Accept | None) -> dict[str, str]:
    """What the lock records of each fact: its value; of a version that `sync` does not write the one that stays."""
    found: dict[str, str] = {}
    for one in facts:
        last = None if _is_waived(one, accept) else published_before(*one)
        value = one.value if last is None else last.value
        if one.fact.kind == "identity" and value is not None:
            found[one.fact.name] = value
    return found


def _merged(
    project: Project, agreed: Agreed, all_readings: Sequence[Reading], base: Lock, accept: Accept | None
) -> Marked:
    fact, readings, owner = agreed
    waived = _is_waived(agreed, accept)
    last = None if waived else base.facts.get(fact.name)
    apart = homes_apart(fact, all_readings, owner)
    judged = merge(fact, last, readings, owner, apart).judged
    if not waived and owner is not None and fact.name == "version":
        judged = with_releases(judged, last, readings, owner)
    if fact.name == "version" and version_mode(project) in ("stamped", "build"):
        judged = tuple(one for one in judged if one.finding.code is not VALUE_NOT_STATIC)
    if fact.name == "schema":
        judged = tuple(_unmoved(project, one) for one in judged)
    located = [_located(project, one) for one in judged]
    return Marked(
        tuple(finding for finding, _ in located), tuple(edit for _, edit in located if edit is not None)
    )


def _unmoved(project: Project, judged: Judged) -> Judged:
    """`judged`; `$schema` is not moved back to a revision that does not know all keys of the file."""
    reading, finding = judged
    if project.manifest is None or reading.home != "manifest" or not finding.want:
        return judged
    lost = judge_move(project.manifest, finding.want)
    if not lost:
        return judged
    hint = (
        f"{finding.want} does not know {', '.join(str(one.have) for one in lost)}: take out what it does not know, or "
        f"pin a newer revision; `sync` does not move the file before"
    )
    return Judged(reading, finding._replace(hint=hint, fixable=False))


def _located(project: Project, judged: Judged) -> tuple[Finding, Edit | None]:
    """The finding with its position, and the edit that mends it; where none can, the finding says so."""
    reading, finding = judged
    document = project.document(reading.place.path)
    if document is None:
        return finding._replace(fixable=False), None
    span = span_of(document, reading)
    if span is not None:
        finding = finding._replace(position=document.position(span))
    if not finding.fixable or not finding.want:
        return finding, None
    edit = edit_for(document, reading, finding.want)
    if edit is None:
        hint = f"write {finding.want} by hand: the value is no single literal"
        return finding._replace(fixable=False, hint=hint), None
    return finding, edit


def _disjoint(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """`edits` less those that reach into one before them: two places of a user can mean the same text."""
    kept: list[Edit] = []
    for edit in edits:
        if not any(e.path == edit.path and e.start < edit.end and edit.start < e.end for e in kept):
            kept.append(edit)
    return tuple(dict.fromkeys(kept))


def _published(project: Project, version: Reading | None, schema: Reading | None) -> Iterator[Finding]:
    """What is wrong with server.json for those who read it: the registry, and clients that run what it names.

    What a release job fills in is judged as it will be, with the project's `version`; a revision that the project
    pins (`schema`) is held against the keys of the file.
    """
    if project.manifest is not None:
        if schema is not None and schema.value:
            yield from judge_move(project.manifest, schema.value)
        released = stand_in(project.manifest, version.value if version is not None else None)
        yield from judge_manifest(released, rules_for(project.config.registry))
        yield from console_scripts(project)


def _mine(fact: Fact, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    return tuple(reading for reading in readings if reading.fact == fact.name)


def _places(readings: Sequence[Reading]) -> str:
    return "places: " + ", ".join(str(reading.place) for reading in readings)

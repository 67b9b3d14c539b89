"""Every reading of a project, and which of them decides each fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.documents import Span
from mcp_lockstep.documents.data import objects, table
from mcp_lockstep.facts.description import readmes
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.facts.readers import bundle, code, config, manifest, own, pyproject, readme
from mcp_lockstep.facts.release import version_mode
from mcp_lockstep.facts.table import Fact, Home, Reading
from mcp_lockstep.findings import Place
from mcp_lockstep.project import Project


def read_facts(project: Project, modules: Iterable[Module]) -> tuple[Reading, ...]:
    """What every place of the project says; broken files are left out (they are in `project.broken`)."""
    in_code = code.read(modules, project.packages)
    readings = (*config.read(project.config), *_files(project), *in_code, *own.read(project))
    return _as_released(project, _once(_without_foreign_packages(readings)))


def homes_apart(fact: Fact, readings: Sequence[Reading], owner: Reading | None = None) -> tuple[Home, ...]:
    """The homes that may speak of another thing than server.json does: a pyproject.toml that builds none of it.

    None where it is the `owner` all the same.
    """
    if fact.name != "version" or _builds_named_package(readings):
        return ()
    return () if owner is not None and owner.home == "pyproject" else ("pyproject",)


def owner_of(fact: Fact, readings: Sequence[Reading], decided: str = "") -> Reading | None:
    """The reading that decides `fact`: that of the place or home `decided`, else the first in order of authority."""
    mine = [reading for reading in readings if reading.fact == fact.name and reading.state == "known"]
    if decided:
        return next((reading for reading in mine if decided in (str(reading.place), reading.home)), None)
    apart = homes_apart(fact, readings)
    homes = (*(home for home in fact.owners if home not in apart), *apart)
    return next((reading for home in homes for reading in mine if reading.home == home), None)


def _files(project: Project) -> Iterator[Reading]:
    yield from pyproject.read(read_distribution(project))
    if project.manifest is not None:
        yield from manifest.read(project.manifest)
    if project.bundle is not None:
        yield from bundle.read(project.bundle)
    for document in readmes(project):
        yield from readme.read(document)
    if names_image(project):
        from mcp_lockstep.facts.readers import image

        yield from image.read(project)


def names_image(project: Project) -> bool:
    """Whether server.json has an image among its packages."""
    manifest = project.manifest
    packages = objects(table(manifest.data).get("packages")) if manifest and '"oci"' in manifest.text else ()
    return any(one.get("registryType") == "oci" for one in packages)


def _once(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Leave out a second reading of one text: a `__version__` that the build backend reads is no other place."""
    seen: set[tuple[str, Place, Span | None]] = set()
    kept: list[Reading] = []
    for reading in readings:
        if (key := (reading.fact, reading.place, reading.span)) not in seen:
            seen.add(key)
            kept.append(reading)
    return tuple(kept)


def _as_released(project: Project, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The versions in server.json and in a bundle count as stamped where a release job or the build writes them."""
    if project.manifest is None or version_mode(project) not in ("stamped", "build"):
        return readings
    return tuple(
        reading._replace(state="stamped")
        if reading.fact == "version" and reading.home in ("manifest", "bundle")
        else reading
        for reading in readings
    )


def _builds_named_package(readings: Sequence[Reading]) -> bool:
    """Whether pyproject.toml builds a distribution that server.json names, be it by a drifted name.

    Without a server.json nothing else can decide.
    """
    identifiers = [
        reading for reading in readings if reading.fact == "identifier" and reading.state == "known"
    ]
    homes = {reading.home for reading in identifiers}
    return "pyproject" in homes and ("manifest" in homes or not _published(readings))


def _published(readings: Sequence[Reading]) -> bool:
    return any(reading.home == "manifest" for reading in readings)


def _without_foreign_packages(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Leave out pypi packages of other projects: where one carries this project's name, the rest are not drift."""
    names = {r.value for r in readings if r.fact == "identifier" and r.home == "pyproject" and r.value}
    normal = {normal_identifier(name) for name in names}
    mine = [
        r
        for r in readings
        if r.fact == "identifier" and r.home == "manifest" and normal_identifier(r.value or "") in normal
    ]
    if not mine:
        return tuple(readings)
    foreign = {
        _package(r.place)
        for r in readings
        if r.fact == "identifier" and r.home == "manifest" and r not in mine
    }
    return tuple(r for r in readings if r.home != "manifest" or _package(r.place) not in foreign)


def _package(place: Place) -> str:
    """`/packages/0` of `server.json#/packages/0/version`; the address itself elsewhere."""
    return "/".join(place.address.split("/")[:3]) if place.address.startswith("/packages/") else place.address

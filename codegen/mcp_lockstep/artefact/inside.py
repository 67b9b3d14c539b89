"""The server.json inside an artefact: against the one that its project would publish, and against its version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_lockstep.artefact import codes
from mcp_lockstep.artefact.differences import Difference, differences, short
from mcp_lockstep.artefact.package import Artefact, data_of, same_name
from mcp_lockstep.documents import JsonDocument, value_at
from mcp_lockstep.documents.data import text_of
from mcp_lockstep.facts.normal import version_key
from mcp_lockstep.facts.release import version_mode
from mcp_lockstep.findings import Finding
from mcp_lockstep.launch.package import Package, packages_of
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import Project
from mcp_lockstep.render import rendered_for
from mcp_lockstep.secrecy import masked

_SHOWN = 10


def judge_published(
    artefact: Artefact, published: JsonDocument, project: Project | None
) -> Iterator[Finding]:
    """What `published`, the server.json that goes with an artefact, says of another package or version.

    The one inside is held against the one that `project` would publish, value by value; where there is no project,
    and where there is none inside, name and version of the artefact decide.
    """
    yield from _identifier(artefact, published)
    inside, manifest = artefact.manifest, project.manifest if project is not None else None
    found: tuple[Finding, ...] = ()
    if inside is not None and project is not None and manifest is not None:
        rendered = rendered_for(project, manifest, artefact.version or None)
        found = tuple(_differences(inside, rendered))
    elif inside is not None or project is None or version_mode(project) not in ("stamped", "build"):
        found = tuple(_versions(artefact, published))
    if inside is not None and _is_template(inside, project if found else None):
        message = "the server.json inside is the template: a build or a release fills in the version"
        # An sdist is the repository, template and all; into a wheel only a hook puts it, filled in.
        code = codes.MANIFEST_TEMPLATE if artefact.archive.kind == "sdist" else codes.MANIFEST_DIFFERS
        found = (Finding(code, inside.place(""), message),)
    yield from found


def _differences(inside: JsonDocument, rendered: JsonDocument) -> Iterator[Finding]:
    found = [
        one
        for one in differences(inside.data, rendered.data)
        if not is_template(one.want or "") and not _is_spelling(one)
    ]
    ours, theirs = masked(inside.data), masked(rendered.data)
    for one in found[:_SHOWN]:
        have = None if one.have is None else short(value_at(ours, one.pointer))
        want = None if one.want is None else short(value_at(theirs, one.pointer))
        yield _differs(inside, Difference(one.pointer, have, want))
    if len(found) > _SHOWN:
        message = f"{len(found) - _SHOWN:,} more values differ from what the project would publish"
        yield Finding(codes.MANIFEST_DIFFERS, inside.place(""), message)


def _is_spelling(one: Difference) -> bool:
    """Whether two versions differ in how they are written alone."""
    if one.pointer.rpartition("/")[2] != "version" or one.have is None or one.want is None:
        return False
    return version_key(one.have.strip('"')) == version_key(one.want.strip('"'))


def _identifier(artefact: Artefact, published: JsonDocument) -> Iterator[Finding]:
    """A finding where a server.json inside names packages, and this is none of them."""
    packages = _python_packages(published)
    if artefact.has_manifest and packages and not _mine(artefact, packages):
        first = packages[0]
        pointer = f"{first.pointer}/identifier"
        message = f"server.json names the package {first.identifier}, this one is {artefact.name}"
        place, where = published.place(pointer), published.where(pointer)
        yield Finding(
            codes.NAME_DIFFERS, place, message, where, first.identifier, artefact.name, fact="identifier"
        )


def _versions(artefact: Artefact, published: JsonDocument) -> Iterator[Finding]:
    """A finding for each version in server.json that is not the one of the artefact."""
    mine = _mine(artefact, _python_packages(published))
    said = [("/version", text_of(data_of(published).get("version")))] if mine else []
    said += [(f"{one.pointer}/version", one.version) for one in mine]
    for pointer, version in said:
        if version and not is_template(version) and version_key(version) != version_key(artefact.version):
            place, where = published.place(pointer), published.where(pointer)
            message = f"server.json says {version}, this is {artefact.version}"
            yield Finding(
                codes.VERSION_DIFFERS, place, message, where, version, artefact.version, fact="version"
            )


def _python_packages(published: JsonDocument) -> list[Package]:
    packages = packages_of(data_of(published))
    return [one for one in packages if one.kind == "pypi" and not is_template(one.identifier)]


def _mine(artefact: Artefact, packages: Sequence[Package]) -> list[Package]:
    return [one for one in packages if same_name(one.identifier, artefact.name)]


def _is_template(inside: JsonDocument, project: Project | None) -> bool:
    """Whether this is the file of the repository, which a build or a release fills in."""
    versions = [text_of(data_of(inside).get("version"))]
    versions += [one.version for one in packages_of(data_of(inside))]
    if any(map(is_template, versions)):
        return True
    if project is None or project.manifest is None or version_mode(project) not in ("stamped", "build"):
        return False
    return project.manifest.raw == inside.raw


def _differs(inside: JsonDocument, one: Difference) -> Finding:
    is_version = one.pointer.rpartition("/")[2] == "version"
    code = codes.VERSION_DIFFERS if is_version else codes.MANIFEST_DIFFERS
    where = inside.place(one.pointer)
    have, want = (repr(value) if value is not None else "nothing" for value in (one.have, one.want))
    message = f"{one.pointer.lstrip('/') or 'server.json'} is {have}, the project would publish {want}"
    fact = "version" if is_version else ""
    return Finding(code, where, message, inside.where(one.pointer), one.have, one.want, fact=fact)

"""The server.json inside an artefact: against the one that its project would publish, and against its version."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.artefact import codes
from mcp_lockstep.artefact.differences import Difference, differences
from mcp_lockstep.artefact.package import Artefact, data_of, same_name
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import text_of
from mcp_lockstep.facts.normal import version_key
from mcp_lockstep.facts.release import version_mode
from mcp_lockstep.findings import Finding
from mcp_lockstep.launch.package import packages_of
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import Project
from mcp_lockstep.render import Values, render

_SHOWN = 10


def judge_inside(artefact: Artefact, inside: JsonDocument, project: Project | None) -> Iterator[Finding]:
    """Where the server.json inside is not the one that `project` would publish for the version of the artefact."""
    manifest = project.manifest if project is not None else None
    if _is_template(inside, manifest, project):
        message = f"{inside.path} is a template: its version is filled in by the build or the release"
        yield Finding(codes.MANIFEST_TEMPLATE, inside.place(""), message)
        return
    if project is None or manifest is None:
        return
    rendered = render(project, manifest, Values(artefact.version or None)).document
    found = [one for one in differences(inside.data, rendered.data) if not is_template(one.want or "")]
    yield from (_differs(inside, one) for one in found[:_SHOWN])
    if len(found) > _SHOWN:
        message = f"{len(found) - _SHOWN:,} more values differ from what the project would publish"
        yield Finding(codes.MANIFEST_DIFFERS, inside.place(""), message)


def judge_versions(artefact: Artefact, published: JsonDocument, project: Project | None) -> Iterator[Finding]:
    """Identifier and versions in server.json against the name and the version of the artefact."""
    data = data_of(published)
    packages = [one for one in packages_of(data) if one.kind == "pypi" and not is_template(one.identifier)]
    mine = [one for one in packages if same_name(one.identifier, artefact.name)]
    if packages and not mine and artefact.has_manifest:
        first = packages[0]
        pointer = f"{first.pointer}/identifier"
        message = f"server.json names the package {first.identifier}, this one is {artefact.name}"
        place, where = published.place(pointer), published.where(pointer)
        yield Finding(
            codes.NAME_DIFFERS, place, message, where, first.identifier, artefact.name, fact="identifier"
        )
    if project is not None and not artefact.has_manifest and version_mode(project) in ("stamped", "build"):
        return
    said = [("/version", text_of(data.get("version")))] if mine else []
    said += [(f"{one.pointer}/version", one.version) for one in mine]
    for pointer, version in said:
        if version and not is_template(version) and version_key(version) != version_key(artefact.version):
            place, where = published.place(pointer), published.where(pointer)
            message = f"server.json says {version}, this is {artefact.version}"
            yield Finding(
                codes.VERSION_DIFFERS, place, message, where, version, artefact.version, fact="version"
            )


def _is_template(inside: JsonDocument, manifest: JsonDocument | None, project: Project | None) -> bool:
    """Whether this is the file of the repository, which a build or a release fills in."""
    versions = [text_of(data_of(inside).get("version"))]
    versions += [one.version for one in packages_of(data_of(inside))]
    if any(map(is_template, versions)):
        return True
    copied = manifest is not None and manifest.raw == inside.raw
    return copied and project is not None and version_mode(project) in ("stamped", "build")


def _differs(inside: JsonDocument, one: Difference) -> Finding:
    is_version = one.pointer.rpartition("/")[2] == "version"
    code = codes.VERSION_DIFFERS if is_version else codes.MANIFEST_DIFFERS
    where = inside.place(one.pointer)
    have, want = (repr(value) if value is not None else "nothing" for value in (one.have, one.want))
    message = f"{one.pointer.lstrip('/') or 'server.json'} is {have}, the project would publish {want}"
    fact = "version" if is_version else ""
    return Finding(code, where, message, inside.where(one.pointer), one.have, one.want, fact=fact)

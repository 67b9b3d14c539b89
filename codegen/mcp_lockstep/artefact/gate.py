"""One artefact judged: its file name, metadata and server.json against each other, and against its project."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from mcp_lockstep.archive import open_archive
from mcp_lockstep.artefact import codes
from mcp_lockstep.artefact.bundle import judge_bundle
from mcp_lockstep.artefact.commands import judge_marker, judge_scripts, package_of
from mcp_lockstep.artefact.home import project_of
from mcp_lockstep.artefact.inside import judge_published
from mcp_lockstep.artefact.metadata import Metadata
from mcp_lockstep.artefact.package import Artefact, data_of, same_name
from mcp_lockstep.artefact.record import judge_record
from mcp_lockstep.config import Config
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import text_of
from mcp_lockstep.facts.normal import is_version, version_key
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.judge import wanted
from mcp_lockstep.launch.judge import commands
from mcp_lockstep.launch.rules import RULES as COMMAND_RULES
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.render import stand_in
from mcp_lockstep.rules import OFFICIAL, PRIVATE, judge_manifest
from mcp_lockstep.secrecy import without_secrets


class Gated(NamedTuple):
    """What there is to say about one artefact: who it is, the commands that clients run, what is wrong."""

    path: str
    says: str
    commands: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def gate(path: str, ignore: Sequence[str] = (), tag: str = "") -> Gated:
    """Judge the wheel, sdist or bundle at `path`; what cannot be read is a finding.

    `ignore`: codes to leave out, besides those that the configuration of its project ignores.
    `tag`: of the release that it belongs to; empty where there is none.
    """
    try:
        archive = open_archive(path)
    except Refused as refused:
        return Gated(path, path, (), wanted(refused.findings, Config(), ignore))
    if archive.kind == "bundle":
        bundle = judge_bundle(archive)
        said = (*bundle.findings, *_tagged(path, bundle.version, tag))
        return Gated(path, bundle.says, (), wanted(said, _config(bundle.project), ignore))
    artefact = Artefact(archive)
    root, project, unreadable = project_of(path, artefact.name)
    published = _published(artefact, root, project)
    found = (
        *_identity(artefact),
        *_tagged(path, artefact.version, tag),
        *judge_record(artefact),
        *_judged(artefact, published, project),
    )
    if published is not None:
        found = without_secrets(published, found)
    findings = wanted((*artefact.broken, *unreadable, *found), _config(project), ignore)
    server = text_of(data_of(published).get("name")) if published is not None else ""
    says = " ".join(filter(None, (server or artefact.name, artefact.version)))
    return Gated(path, says, commands(published) if published is not None else (), findings)


def _config(project: Project | None) -> Config:
    return project.config if project is not None else Config()


def _published(artefact: Artefact, root: str, project: Project | None) -> JsonDocument | None:
    """The server.json that this artefact is published with: the one inside, else that of its project."""
    if artefact.has_manifest:
        inside = artefact.manifest
        return None if inside is None else stand_in(inside, artefact.version or None)
    if project is None or project.manifest is None:
        return None
    placed = JsonDocument(os.path.normpath(os.path.join(root, MANIFEST)), project.manifest.raw)
    return stand_in(placed, artefact.version or None)


def _identity(artefact: Artefact) -> Iterator[Finding]:
    """File name against metadata."""
    yield from _laid_out(artefact)
    metadata = artefact.metadata
    if metadata is None or not (metadata.said("name") and metadata.said("version")):
        yield from _unnamed(artefact)
        return
    yield from _doubled(metadata)
    label, name, version = artefact.label, metadata.said("name"), metadata.said("version")
    if label is not None and not same_name(name, label.name):
        place, where = metadata.field_place("Name")
        message = f"the metadata says {name!r}, the file is called {label.name!r}"
        yield Finding(codes.NAME_DIFFERS, place, message, where, name, label.name, fact="identifier")
    place, where = metadata.field_place("Version")
    if label is not None and version_key(version) != version_key(label.version):
        message = f"the metadata says {version}, the file is called {label.version}"
        yield Finding(codes.VERSION_DIFFERS, place, message, where, version, label.version, fact="version")
    if "+" in version:
        message = f"{version} has a local part"
        yield Finding(codes.VERSION_LOCAL, place, message, where, version, fact="version")


def _tagged(path: str, version: str, tag: str) -> Iterator[Finding]:
    """A finding where the tag of the release (`v1.2.0`, `weather-1.2.0`) ends with another version."""
    # A number behind letters, as in `py3`, counts something else, unless it has a point.
    starts = (
        found.start() for found in re.finditer(r"(?<![0-9.])(?:(?<![A-UW-Za-uw-z])[0-9]|[0-9]+\.)", tag)
    )
    named = [tag[at:] for at in starts if is_version(tag[at:])]
    if named and version and version_key(version) not in map(version_key, named):
        message = f"the release is tagged {tag!r}, and this is {version}"
        yield Finding(codes.TAG_DIFFERS, Place(path), message, have=version, want=named[0], fact="version")


def _laid_out(artefact: Artefact) -> Iterator[Finding]:
    """Names of the file and of its members that an installer does not take."""
    archive, place = artefact.archive, Place(artefact.path)
    if artefact.label is None:
        kind = "a wheel" if archive.kind == "wheel" else "an sdist"
        yield Finding(
            codes.FILE_NAME_INVALID, place, f"{os.path.basename(artefact.path)!r} is no name of {kind}"
        )
    if archive.kind == "wheel" and len(archive.folders) > 1:
        message = f"there are {len(archive.folders)} folders with metadata: {', '.join(archive.folders)}"
        yield Finding(codes.METADATA_TWICE, place, message)
    if (wheel := f"{archive.folder}/WHEEL") not in archive.names and archive.folders:
        yield Finding(codes.METADATA_MISSING, place, f"there is no {wheel}: installers refuse it")


def _doubled(metadata: Metadata) -> Iterator[Finding]:
    """A finding for each name and version that stands there once more."""
    for label, key in (("Name", "name"), ("Version", "version")):
        for field in metadata.again.get(key, ()):
            message = (
                f"`{label}` stands twice in the metadata: {metadata.said(key)!r}, and {field.value!r} here"
            )
            place, where = Place(metadata.path, "#", label), metadata.position(field.span)
            yield Finding(codes.METADATA_TWICE, place, message, where, field.value)


def _unnamed(artefact: Artefact) -> Iterator[Finding]:
    """Metadata that is missing, or says too little; nothing where another finding says why it cannot be read."""
    metadata, file = artefact.metadata, artefact.archive.metadata_file.rpartition("/")[2]
    label = artefact.archive.label(artefact.archive.metadata_file)
    if metadata is not None:
        yield Finding(codes.METADATA_MISSING, Place(label), f"{file} says no name or no version")
    elif artefact.archive.metadata_file not in artefact.archive.names:
        message = f"there is no {file} in {artefact.archive.folder}"
        if not artefact.archive.folder:
            message = f"there is no folder NAME-VERSION.dist-info, so no {file}"
        yield Finding(codes.METADATA_MISSING, Place(artefact.path), message)


def _judged(artefact: Artefact, published: JsonDocument | None, project: Project | None) -> Iterator[Finding]:
    """What server.json says, against the artefact, the project and the rules."""
    if not artefact.has_manifest:
        hint = "" if published is not None else "none is beside it either: nothing else could be compared"
        message = f"there is no {MANIFEST} in this {artefact.archive.kind}"
        yield Finding(codes.MANIFEST_ABSENT, Place(artefact.path), message, hint=hint)
    if published is None:
        if artefact.has_manifest and not artefact.broken:
            message = f"the {MANIFEST} inside holds no object"
            yield Finding(codes.MANIFEST_DIFFERS, Place(artefact.path), message)
        return
    yield from judge_published(artefact, published, project)
    private = project is not None and project.config.registry == "private"
    rules = PRIVATE if private else OFFICIAL
    yield from judge_manifest(published, (*(rules if artefact.has_manifest else ()), *COMMAND_RULES))
    if package_of(artefact, published) is not None:
        yield from judge_marker(artefact, published)
        yield from judge_scripts(artefact, published)

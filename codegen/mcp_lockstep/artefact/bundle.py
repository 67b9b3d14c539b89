"""An MCPB bundle judged: the manifest in it, by itself and in the place of the project's own, and its file's hash."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from urllib.parse import unquote

from mcp_lockstep.archive import Archive
from mcp_lockstep.artefact import codes
from mcp_lockstep.artefact.home import Home, home_of
from mcp_lockstep.artefact.package import data_of, same_name
from mcp_lockstep.documents import JsonDocument, value_at
from mcp_lockstep.documents.data import as_object, table, text_of
from mcp_lockstep.documents.kinds import other_kind
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import version_key
from mcp_lockstep.facts.release import version_mode
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.launch.package import packages_of
from mcp_lockstep.project import BUNDLE, MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.render import rendered_for
from mcp_lockstep.rules.any_kind import judge_mcpb
from mcp_lockstep.rules.urls import parse_url

_HINT = "bring the project in step, and pack the bundle again"


class Bundled(NamedTuple):
    """Who a bundle is, its version, its project (None: not at hand), and what is wrong."""

    says: str
    version: str
    project: Project | None
    findings: tuple[Finding, ...]


def judge_bundle(archive: Archive) -> Bundled:
    """Judge an opened bundle; nothing of it is run."""
    try:
        document = _manifest(archive)
    except Refused as refused:
        return Bundled(archive.path, "", None, (*archive.findings, *refused.findings))
    data = data_of(document)
    home = home_of(archive.path, lambda project: _is_of(project, archive.path, document))
    found = (
        *archive.findings,
        *home.broken,
        *judge_mcpb(document),
        *_entry_point(archive, document),
        *(_in_project(document, home.project) if home.project is not None else ()),
        *(_hash(archive.path, document, home) if home.project is not None else ()),
    )
    version = text_of(data.get("version"))
    says = " ".join(filter(None, (text_of(data.get("name")), version))) or archive.path
    return Bundled(says, version, home.project, tuple(dict.fromkeys(found)))


def _manifest(archive: Archive) -> JsonDocument:
    """The manifest in a bundle. Refused where there is none that can be read."""
    name = archive.metadata_file
    if archive.lost(name):
        raise Refused
    if name not in archive.files:
        message = f"there is no {name} in the root of this bundle: no application opens it"
        raise Refused(Finding(codes.METADATA_MISSING, Place(archive.path), message))
    document = JsonDocument(archive.label(name), archive.files[name])
    if as_object(document.data) is None and (other := other_kind(document, "MCPB manifest")) is not None:
        raise Refused(other)
    return document


def _is_of(project: Project, path: str, document: JsonDocument) -> bool:
    """Whether a bundle is one of `project`: by its file, or by its name, which is that of a manifest or a package."""
    name = text_of(data_of(document).get("name"))
    if any(file == os.path.basename(path) for file, _ in _published(project, document)):
        return True
    own = data_of(project.bundle) if project.bundle is not None else {}
    built = read_distribution(project).name
    return bool(name) and (
        text_of(own.get("name")) == name
        or (built is not None and built.text is not None and same_name(built.text, name))
    )


def _published(project: Project, document: JsonDocument) -> Iterator[tuple[str, str]]:
    """The bundles that server.json names for the version of this one: the name of the file, the pointer to it."""
    if project.manifest is None:
        return
    rendered = rendered_for(project, project.manifest, text_of(data_of(document).get("version")) or None)
    for package in packages_of(data_of(rendered)):
        address = parse_url(package.identifier) if package.kind == "mcpb" else None
        if address is not None:
            yield unquote(address.path.rpartition("/")[2]), package.pointer


def _entry_point(archive: Archive, document: JsonDocument) -> Iterator[Finding]:
    """A finding where the file that is started is not in the bundle; that of a program may end in `.exe`."""
    told = text_of(table(document.data, "server").get("entry_point"))
    path = re.sub(r"^(?:\$\{__dirname\}/|\./)+", "", told)
    if not path or any(name in (path, f"{path}.exe") for name in archive.names):
        return
    pointer = "/server/entry_point"
    message = f"the bundle starts {told!r}, and there is no such file in it"
    yield Finding(
        codes.MODULE_MISSING, document.place(pointer), message, document.where(pointer), told, hint=_HINT
    )


def _in_project(document: JsonDocument, project: Project) -> Iterator[Finding]:
    """What `check` says of the manifest, were it the one in the project."""
    laid = Project(project.tree.over({BUNDLE: document.raw}))
    for finding in judge_tree(laid).findings:
        if finding.place.path == BUNDLE:
            place = finding.place._replace(path=document.path)
            yield finding._replace(place=place, hint=_HINT, fixable=False)


def _hash(path: str, document: JsonDocument, home: Home) -> Iterator[Finding]:
    """A finding where server.json has another hash for this file, and no release job writes it."""
    project, version = home.project, text_of(data_of(document).get("version"))
    if project is None or project.manifest is None or version_mode(project) in ("stamped", "build"):
        return
    manifest = project.manifest
    if version_key(text_of(data_of(manifest).get("version"))) != version_key(version):
        return
    for file, pointer in _published(project, document):
        where = f"{pointer}/fileSha256"
        told = text_of(table(value_at(manifest.data, pointer)).get("fileSha256"))
        if file != os.path.basename(path) or not re.fullmatch("[0-9a-f]{64}", told):
            continue
        made = _sha256(path)
        if made != told:
            shown = os.path.normpath(os.path.join(home.root, MANIFEST))
            message = f"{shown} says that {file} has the hash {told}; this one has {made}"
            place = manifest.place(where)._replace(path=shown)
            yield Finding(codes.HASH_DIFFERS, place, message, manifest.where(where), told, made)


def _sha256(path: str) -> str:
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()

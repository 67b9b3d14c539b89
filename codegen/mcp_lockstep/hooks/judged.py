"""A project judged because it is built: what there is to say, whether that refuses the build, what goes in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcp_lockstep.config import Config
from mcp_lockstep.documents import JsonDocument, MarkdownDocument
from mcp_lockstep.documents.data import objects, table, text_of
from mcp_lockstep.facts.ahead import published_before
from mcp_lockstep.facts.codes import (
    MARKER_ELSEWHERE,
    MARKER_MISSING,
    MARKER_MISSPELT,
    MARKER_TWICE,
    MARKER_UNENDED,
)
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.facts.read import owner_of, read_facts
from mcp_lockstep.facts.release import BUILDERS, OTHER_JOBS, WORKFLOWS, version_mode
from mcp_lockstep.facts.table import FACTS
from mcp_lockstep.findings import Finding
from mcp_lockstep.hooks.built import Built, Kind, Verdict, asked_to_be_strict
from mcp_lockstep.hooks.codes import BUILT_VERSION_DIFFERS, DESCRIPTION_UNMARKED
from mcp_lockstep.judge import judge_tree, wanted
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.render import rendered_for
from mcp_lockstep.rules import OFFICIAL, PRIVATE, judge_manifest
from mcp_lockstep.tree import Disk, Tree

_RELEASE = r"v?(?:\d+!)?\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?"
"""A version that is uploaded; development and local versions are not."""


_ELSEWHERE = frozenset({"..", *(path.split("/")[0] for path in (WORKFLOWS, *OTHER_JOBS))})
"""Where files lie that tell how a release is made, and the README of a whole repository."""

MARKER_CODES = (MARKER_ELSEWHERE, MARKER_MISSING, MARKER_MISSPELT, MARKER_TWICE, MARKER_UNENDED)


class Look(NamedTuple):
    """A project before it is built, and what there is to say about it."""

    project: Project
    findings: tuple[Finding, ...]


def look(root: str) -> Look:
    """The project in the folder `root`, judged as `check` does."""
    project = Project(Tree(Disk(root)))
    return Look(project, wanted(judge_tree(project).findings, project.config))


def refuses(seen: Look, kind: Kind, findings: tuple[Finding, ...]) -> bool:
    """Whether `findings` refuse a build of that kind."""
    strict = asked_to_be_strict() or seen.project.config.build_strict
    return (strict or kind == "sdist") and any(finding.severity == "error" for finding in findings)


def judge_build(seen: Look, built: Built) -> Verdict:
    """What the build of `built` is told, and what goes into it."""
    project, manifest = seen.project, seen.project.manifest
    rendered = None if manifest is None else rendered_for(project, manifest, built.version)
    findings = seen.findings
    if manifest is not None and rendered is not None:
        said = (
            *_version(seen, manifest, rendered, built.version),
            *_unmarked(project, manifest, built.description),
        )
        findings = _together(findings, wanted(said, project.config), _marked(manifest, built.description))
    return Verdict(
        findings,
        refuses(seen, built.kind, findings),
        None if rendered is None else rendered.raw,
        inputs(project) if built.kind == "sdist" else (),
    )


def inputs(project: Project) -> tuple[str, ...]:
    """Every file that the judgement read; an in-tree backend.

    Less code, which the backend packs, what lies above, and, unless the configuration names it, what makes a release
    or an image.
    """
    own = [path for folder in project.config.backend_path for path in project.tree.files(folder, ".py")]
    read = (
        path
        for path, raw in sorted(project.tree.asked().items())
        if raw is not None
        and not path.endswith("/")
        and path != MANIFEST
        and _goes_along(project.config, path)
    )
    return (*read, *own)


def _goes_along(config: Config, path: str) -> bool:
    """Whether a file that was read goes into an sdist; one with settings of whoever builds never does."""
    if path.rpartition("/")[2].startswith(".env"):
        return False
    named = {place.place.partition("#")[0] for place in config.places}
    if path in named or (config.templates and path.startswith(f"{config.templates}/")):
        return True
    made = path.endswith((".py", ".sh")) or path in BUILDERS
    return not made and path.split("/")[0] not in _ELSEWHERE


def _together(before: tuple[Finding, ...], more: tuple[Finding, ...], marked: bool) -> tuple[Finding, ...]:
    """All findings, each fault once; that a README lacks the marker is dropped where what is built has it."""
    named = any(finding.fact == "name" or finding.code in MARKER_CODES for finding in before)
    kept = tuple(
        finding for finding in before if not (marked and finding.code in (MARKER_ELSEWHERE, MARKER_MISSING))
    )
    return (*kept, *(one for one in more if not (named and one.code is DESCRIPTION_UNMARKED)))


def _version(seen: Look, manifest: JsonDocument, rendered: JsonDocument, version: str) -> Iterator[Finding]:
    """What is wrong with the version that goes into server.json, and was not known before the build."""
    if rendered.raw == manifest.raw:
        return
    project, released = seen.project, re.fullmatch(_RELEASE, version) is not None
    known = any(f.fact == "version" and f.severity == "error" for f in seen.findings)
    if (
        released
        and not known
        and version_mode(project) not in ("stamped", "build")
        and not _is_ahead(project)
    ):
        yield from _replaced(project, manifest, version)
    rules = PRIVATE if project.config.registry == "private" else OFFICIAL
    before = {(finding.code, finding.place) for finding in judge_manifest(manifest, rules)}
    for finding in judge_manifest(rendered, rules):
        if (finding.code, finding.place) not in before:
            yield finding if released else finding._replace(level="note")


def _is_ahead(project: Project) -> bool:
    """Whether the project says of itself that it is ahead of what server.json publishes; `check` told it."""
    readings, version = read_facts(project, ()), FACTS["version"]
    owner = owner_of(version, readings, project.config.owners.get(version.name, ""))
    return published_before(version, readings, owner) is not None


def _replaced(project: Project, manifest: JsonDocument, version: str) -> Iterator[Finding]:
    """A finding for the first literal version in server.json that is not the one that is built."""
    normal = FACTS["version"].normal
    for reading in read_facts(project, ()):
        value = reading.value
        if (reading.fact, reading.home) != ("version", "manifest") or value is None or is_template(value):
            continue
        if normal(value) != normal(version):
            message = f"{reading.place} is {value}, the build makes {version}"
            hint = 'write that one, or set `version = "build"` in [tool.mcp-lockstep]'
            where = manifest.where(reading.place.address)
            yield Finding(
                BUILT_VERSION_DIFFERS, reading.place, message, where, value, version, hint, "version"
            )
            return


def _marked(manifest: JsonDocument, description: str | None) -> bool:
    """Whether the registry finds the marker of this server in `description`."""
    name = text_of(table(manifest.data).get("name"))
    markers = MarkdownDocument("", (description or "").encode("utf-8", "replace")).markers
    return any(marker.name == name and marker.ended and marker.exact for marker in markers)


def _unmarked(project: Project, manifest: JsonDocument, description: str | None) -> Iterator[Finding]:
    data: Mapping[str, object] = table(manifest.data)
    own = read_distribution(project).name
    name = text_of(data.get("name"))
    mine = any(
        package.get("registryType") == "pypi"
        and own is not None
        and normal_identifier(text_of(package.get("identifier"))) == normal_identifier(own.text or "")
        for package in objects(data.get("packages"))
    )
    if mine and name and description is not None and not _marked(manifest, description):
        message = f"the description of the package does not hold the ownership marker `mcp-name: {name}`"
        hint = f"put `<!-- mcp-name: {name} -->` into the file that becomes the description"
        yield Finding(
            DESCRIPTION_UNMARKED,
            manifest.place("/name"),
            message,
            manifest.where("/name"),
            None,
            name,
            hint,
            "name",
        )

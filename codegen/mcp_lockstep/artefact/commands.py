"""Whether the package is the one that clients start: its ownership marker and its console script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.artefact import codes
from mcp_lockstep.artefact.package import Artefact, data_of, same_name
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import text_of
from mcp_lockstep.facts.codes import MARKER_MISSING
from mcp_lockstep.facts.marker import marker_faults
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.launch import codes as launch_codes
from mcp_lockstep.launch.derive import launch_of, runner_of, script_of
from mcp_lockstep.launch.package import Package, packages_of
from mcp_lockstep.launch.scripts import console_scripts
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import MANIFEST, Project


def package_of(artefact: Artefact, manifest: JsonDocument) -> Package | None:
    """The entry of server.json that means this artefact; None where there is none."""
    packages = (one for one in packages_of(data_of(manifest)) if one.kind == "pypi")
    return next((one for one in packages if same_name(one.identifier, artefact.name)), None)


def judge_marker(artefact: Artefact, manifest: JsonDocument) -> Iterator[Finding]:
    """The ownership marker, looked for where the registry does: in the description of the metadata."""
    metadata, name = artefact.metadata, text_of(data_of(manifest).get("name"))
    if metadata is None or not name or is_template(name):
        return
    markers = metadata.described
    yield from marker_faults(metadata, markers)
    if markers and not any(marker.exact and marker.name == name for marker in markers):
        other = next((marker for marker in markers if marker.exact), None)
        if other is None:
            return
        message = f"the description names {other.name}, the server is {name}"
        where = metadata.position(other.name_span)
        place = Place(metadata.path, "#", "mcp-name")
        yield Finding(MARKER_MISSING, place, message, where, other.name, name, fact="name")
    elif not markers:
        start, _ = metadata.description
        message = f"the description does not hold the ownership marker `mcp-name: {name}`"
        hint = f"add `<!-- mcp-name: {name} -->` to the readme of the project, and build again"
        place, where = Place(metadata.path, "#", "mcp-name"), metadata.position((start, start))
        yield Finding(MARKER_MISSING, place, message, where, want=name, hint=hint, fact="name")


def judge_scripts(artefact: Artefact, manifest: JsonDocument) -> Iterator[Finding]:
    """The console script that clients start: of a wheel as it would be installed, of an sdist as it would be built."""
    if artefact.archive.kind == "sdist":
        yield from _sdist_scripts(artefact, manifest)
        return
    package = package_of(artefact, manifest)
    unread = artefact.archive.lost(f"{artefact.archive.folder}/entry_points.txt")
    if package is None or unread or runner_of(package) not in ("uvx", "uv"):
        return
    launch = launch_of(package)
    started = script_of(launch).name
    if started in artefact.calls:
        yield from _module(artefact, started, launch.command)
    elif started not in artefact.scripts:
        there = ", ".join(artefact.scripts)
        message = f"clients run `{launch.command}`, and there is no console script {started}"
        message += f" (there is {there})" if there else ""
        hint = f"add {started} to [project.scripts] of the project, and build again"
        yield Finding(
            launch_codes.SCRIPT_MISSING,
            artefact.entry_points,
            message,
            have=there or None,
            want=started,
            hint=hint,
        )


def _module(artefact: Artefact, script: str, command: str) -> Iterator[Finding]:
    """A finding where what a script calls is not in the wheel; editable wheels point to code that is elsewhere."""
    module = artefact.calls[script].partition(":")[0].strip()
    homes = [re.sub(r"^[^/]+\.data/(?:pure|plat)lib/", "", name) for name in artefact.archive.names]
    path = module.replace(".", "/")
    there = (home.startswith((f"{path}/", f"{path}.")) for home in homes)
    if any(there) or any("/" not in home and home.endswith(".pth") for home in homes):
        return
    package = path.partition("/")[0]
    packed = any(home.startswith((f"{package}/", f"{package}.")) for home in homes)
    missing = f"{artefact.calls[script]}, and there is no module {module}" if module else "nothing"
    borrowed = (
        bool(module)
        and not packed
        and artefact.metadata is not None
        and artefact.metadata.said("requires-dist")
    )
    yield Finding(
        codes.MODULE_MISSING,
        artefact.entry_points,
        f"clients run `{command}`, which calls {missing} in the wheel",
        want=module or None,
        hint="see that the build backend packs it, and build again",
        level="warning" if borrowed else None,
    )


def _sdist_scripts(artefact: Artefact, manifest: JsonDocument) -> Iterator[Finding]:
    if artefact.archive.lost(f"{artefact.archive.folder}/{PYPROJECT}"):
        return
    inside = artefact.archive.tree(artefact.archive.folder).over({MANIFEST: manifest.raw})
    project = Project(inside)
    scripts = tuple(console_scripts(project))
    # Without it nobody can build the sdist; what it is configured by is judged in the project.
    unread = [one for one in project.broken if one.place.path == PYPROJECT and project.pyproject is None]
    for finding in dict.fromkeys((*unread, *scripts)):
        label = artefact.archive.label(f"{artefact.archive.folder}/{finding.place.path}")
        yield finding._replace(place=finding.place._replace(path=label))

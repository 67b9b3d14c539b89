"""The ownership marker: is it there where a registry will look for it, and does it end where the name ends?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents import Edit, MarkdownDocument, Marker
from mcp_lockstep.documents.data import objects, table
from mcp_lockstep.facts.codes import (
    MARKER_ELSEWHERE,
    MARKER_MISSING,
    MARKER_MISSPELT,
    MARKER_TWICE,
    MARKER_UNENDED,
)
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.read import owner_of
from mcp_lockstep.facts.strays import stray_marker
from mcp_lockstep.facts.table import FACTS, Reading
from mcp_lockstep.facts.validity import fault_of
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

_PROVEN_BY_README = frozenset({"pypi", "nuget", "cargo"})


class Marked(NamedTuple):
    """What is wrong with the marker, and the edits that mend it."""

    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()


def judge_marker(project: Project, readings: Sequence[Reading]) -> Marked:
    """Look at the file that becomes the package's description; nothing to say where no package needs a marker."""
    owner = owner_of(FACTS["name"], readings, project.config.owners.get("name", ""))
    readme = project.readme
    if readme is not None and readme.markers:
        return Marked(tuple(marker_faults(readme, readme.markers)))
    if owner is None or owner.value is None or fault_of(owner, project.config.registry):
        return Marked()
    if not _needed(project) or _inline(project, owner.value):
        return Marked()
    return _missing(project, readme, owner.value)


def _needed(project: Project) -> bool:
    # Only the official registry reads a description of PyPI, NuGet or crates.io to tell whose a package is.
    if project.config.registry == "private":
        return False
    data = table(project.manifest.data) if project.manifest else {}
    proven = any(
        package.get("registryType") in _PROVEN_BY_README for package in objects(data.get("packages"))
    )
    # A pyproject.toml that cannot be read may name any file; a readme that cannot be read may hold the marker.
    if any(finding.place.path in (PYPROJECT, project.readme_path) for finding in project.broken):
        return False
    return proven and (project.pyproject is None or read_distribution(project).name is not None)


def _inline(project: Project, name: str) -> bool:
    """Whether pyproject.toml holds the readme itself, with the marker in it."""
    text = table(project.table, "readme").get("text")
    return isinstance(text, str) and any(m.name == name for m in MarkdownDocument("", text.encode()).markers)


def _line(path: str, name: str) -> str:
    """The marker as a comment in the language of the file."""
    return f".. mcp-name: {name}" if path.endswith(".rst") else f"<!-- mcp-name: {name} -->"


def _missing(project: Project, readme: MarkdownDocument | None, name: str) -> Marked:
    path = project.readme_path
    line, stray = _line(path, name), stray_marker(project, name)
    place = Place(path or "pyproject.toml", "#" if path else ":", "mcp-name" if path else "project.readme")
    there = (
        f"{path} does not hold"
        if readme
        else f"there is no {path} to hold"
        if path
        else "no readme is declared to hold"
    )
    elsewhere = f": it stands in {stray.path}, line {stray.line}" if stray else ""
    goes = "move it" if stray else f"add the line `{line}`"
    finding = Finding(
        MARKER_ELSEWHERE if stray else MARKER_MISSING,
        place,
        f"{there} the ownership marker `mcp-name: {name}`{elsewhere}",
        want=name,
        hint=f"{goes} to {path or 'the readme'}{', as `' + line + '`' if stray else ''}",
        fact="name",
        fixable=readme is not None,
    )
    return Marked((finding,), () if readme is None else (readme.insert_after_heading(line),))


def marker_faults(readme: MarkdownDocument, markers: Sequence[Marker]) -> Iterator[Finding]:
    """What is wrong with `markers`, those of `readme` that a registry looks at."""
    for marker in markers:
        if not marker.exact:
            written = readme.text[slice(*marker.span)]
            yield Finding(
                MARKER_MISSPELT,
                Place(readme.path, "#", "mcp-name"),
                f"the ownership marker is written `{written}`",
                readme.position(marker.span),
                have=written,
                want=f"mcp-name: {marker.name}",
                hint=f"write `mcp-name: {marker.name}`: lower case, one space behind the colon",
                fact="name",
            )
        elif not marker.ended:
            after = readme.text[marker.span[1] : marker.span[1] + 1]
            yield Finding(
                MARKER_UNENDED,
                Place(readme.path, "#", "mcp-name"),
                f"the ownership marker `mcp-name: {marker.name}` runs into {after!r}",
                readme.position(marker.span),
                have=marker.name + after,
                want=marker.name,
                hint=f"put it into a comment of its own: `{_line(readme.path, marker.name)}`",
                fact="name",
            )
    names = sorted({marker.name for marker in markers})
    if len(names) > 1:
        where = readme.position(markers[-1].span)
        message = f"{readme.path} holds ownership markers of {len(names)} servers: {', '.join(names)}"
        yield Finding(MARKER_TWICE, Place(readme.path, "#", "mcp-name"), message, where, fact="name")

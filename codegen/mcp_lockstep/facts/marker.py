"""The ownership marker: is it there where a registry will look for it, and does it end where the name ends?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents import Edit, MarkdownDocument, Marker, toml_pointer
from mcp_lockstep.documents.data import objects, text_of
from mcp_lockstep.facts.codes import (
    MARKER_ELSEWHERE,
    MARKER_MISSING,
    MARKER_MISSPELT,
    MARKER_TWICE,
    MARKER_UNENDED,
)
from mcp_lockstep.facts.description import README, Description, read_description, readmes
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.read import names_image, owner_of
from mcp_lockstep.facts.strays import Stray, stray_marker
from mcp_lockstep.facts.table import FACTS, Reading
from mcp_lockstep.facts.validity import fault_of
from mcp_lockstep.findings import Finding, Place, Position
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

_PROVEN_BY_README = frozenset({"pypi", "nuget", "cargo"})
_READMES = ("readme.md", "readme.rst", "readme.txt")


class Marked(NamedTuple):
    """What is wrong with the proofs of who owns a package, and the edits that mend it."""

    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()


def judge_marker(project: Project, readings: Sequence[Reading]) -> Marked:
    """Look at what becomes the package's description, and at its image; nothing to say where none needs a proof."""
    owner = owner_of(FACTS["name"], readings, project.config.owners.get("name", ""))
    description, texts = read_description(project), readmes(project)
    wrong = Marked(tuple(fault for text in texts for fault in marker_faults(text, text.markers)))
    if owner is None or owner.value is None or fault_of(owner, project.config.registry):
        return wrong
    if names_image(project) and project.config.registry != "private":
        from mcp_lockstep.facts.label import judge_label

        wrong = wrong._replace(findings=(*wrong.findings, *judge_label(project, owner.value)))
    seen = _seen(project, texts)
    marked = any(seen[text.path] for text in texts if text.path in description.files)
    if marked or not _needed(project, description) or _inline(description, owner.value):
        return wrong
    missing = _missing(project, description, owner.value)
    return Marked((*wrong.findings, *missing.findings), missing.edits)


def _registries(project: Project) -> frozenset[str]:
    """The registries whose descriptions are read, of those that server.json has packages on."""
    data = project.manifest_data
    return _PROVEN_BY_README & {text_of(one.get("registryType")) for one in objects(data.get("packages"))}


def _seen(project: Project, texts: Sequence[MarkdownDocument]) -> Mapping[str, Sequence[Marker]]:
    """The markers of each text that its readers get to see: crates.io takes out comments."""
    all_seen = "cargo" not in _registries(project)
    return {t.path: [m for m in t.markers if all_seen or not t.in_comment(m.span[0])] for t in texts}


def _needed(project: Project, description: Description) -> bool:
    # Only the official registry reads a description of PyPI, NuGet or crates.io to tell whose a package is.
    if project.config.registry == "private":
        return False
    # A pyproject.toml that cannot be read may name any file; a text that cannot be read may hold the marker.
    unread = (PYPROJECT, *description.files)
    if not description.known or any(finding.place.path in unread for finding in project.broken):
        return False
    return bool(_registries(project)) and (
        project.pyproject is None or read_distribution(project).name is not None
    )


def _inline(description: Description, name: str) -> bool:
    """Whether the declaration holds the description itself, with the marker in it."""
    inline = MarkdownDocument("", description.text.encode("utf-8", "replace"))
    return any(marker.name == name for marker in inline.markers)


def _line(path: str, name: str) -> str:
    """The marker as a comment in the language of the file."""
    return f".. mcp-name: {name}" if path.endswith(".rst") else f"<!-- mcp-name: {name} -->"


def _line_in(project: Project, path: str, name: str) -> str:
    """The marker as the file of a project is to hold it: in sight where comments are taken out."""
    return f"`mcp-name: {name}`" if "cargo" in _registries(project) else _line(path, name)


def _missing(project: Project, description: Description, name: str) -> Marked:
    there = [text for text in readmes(project) if text.path in description.files]
    if not there and not description.files:
        return _undeclared(project, description, name)
    path = there[0].path if there else description.files[0]
    line, stray = _line_in(project, path, name), stray_marker(project, name, description.files)
    hidden = any(text.markers for text in there)
    elsewhere = _elsewhere(stray)
    finding = Finding(
        MARKER_ELSEWHERE if stray else MARKER_MISSING,
        Place(path, "#", "mcp-name"),
        f"{f'{path} does not' if there else f'there is no {path} to'} hold the ownership marker "
        f"`mcp-name: {name}`{' but in a comment, which crates.io takes out' if hidden else elsewhere}",
        want=name,
        hint=f"move it to {path}, as `{line}`" if stray else f"add the line `{line}` to {path}",
        fact="name",
        fixable=bool(there),
    )
    return Marked((finding,), tuple(text.insert_after_heading(line) for text in there[:1]))


def _elsewhere(stray: Stray | None) -> str:
    return f": it stands in {stray.path}, line {stray.line}" if stray else ""


def _undeclared(project: Project, description: Description, name: str) -> Marked:
    """The package has no description, or one that stands in its declaration: a README of the project is to be it."""
    place, stray = description.place, stray_marker(project, name, ())
    readme = _readme(project) or MarkdownDocument(README, b"")
    elsewhere = _elsewhere(stray)
    said = "the text there does not" if description.text else "the package gets no description to"
    line = _line_in(project, readme.path, name)
    held = any(marker.name == name for marker in readme.markers)
    pyproject = project.pyproject if _takes_readme(description) and readme.raw else None
    finding = Finding(
        MARKER_ELSEWHERE if stray else MARKER_MISSING,
        place,
        f"{said} hold the ownership marker `mcp-name: {name}`{elsewhere}",
        _position(project, place),
        want=name,
        hint=f"add the text `mcp-name: {name} ` to it"
        if description.text
        else f"declare {readme.path} as {place.address}{'' if held else f', with the line `{line}`'}",
        fact="name",
        fixable=pyproject is not None,
    )
    if pyproject is None:
        return Marked((finding,))
    declared = pyproject.insert(toml_pointer(place.address), readme.path)
    return Marked((finding,), (declared,) if held else (declared, readme.insert_after_heading(line)))


def _position(project: Project, place: Place) -> Position:
    """Where a declaration stands, or would."""
    pyproject = project.pyproject if place.path == PYPROJECT else None
    return Position() if pyproject is None else pyproject.where(toml_pointer(place.address))


def _takes_readme(description: Description) -> bool:
    """Whether one line in pyproject.toml declares a description where there is none."""
    return not description.text and description.place.path == PYPROJECT


def _readme(project: Project) -> MarkdownDocument | None:
    """The README of the project that is to become its description."""
    names = (name for name in project.tree.folder("") if name.lower() in _READMES)
    found = (project.document(name) for name in sorted(names, key=lambda name: _READMES.index(name.lower())))
    return next((text for text in found if isinstance(text, MarkdownDocument)), None)


def marker_faults(readme: MarkdownDocument, markers: Sequence[Marker]) -> Iterator[Finding]:
    """What is wrong with `markers`, those of `readme` that a registry looks at."""
    sound = {marker.name for marker in markers if marker.exact and marker.ended}
    for marker in markers:
        if not marker.exact and marker.name not in sound:
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
        elif marker.exact and not marker.ended:
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
                # The registry is content with one that ends.
                level="note" if marker.name in sound else None,
            )
    names = sorted({marker.name for marker in markers})
    if len(names) > 1:
        where = readme.position(markers[-1].span)
        message = f"{readme.path} holds ownership markers of {len(names)} servers: {', '.join(names)}"
        yield Finding(MARKER_TWICE, Place(readme.path, "#", "mcp-name"), message, where, fact="name")

"""One wheel or sdist as the gate sees it: what its file name says, its metadata, and the server.json inside."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from mcp_lockstep.archive import Archive
from mcp_lockstep.artefact.metadata import Metadata
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.records import NamedTuple

_WHEEL = r"(?P<name>[^-]+)-(?P<version>[^-]+)(?:-[0-9][^-]*)?-[^-]+-[^-]+-[^-]+\.whl"
_SDIST = r"(?P<name>.+?)-(?P<version>[^-]+)\.tar\.gz"


class Label(NamedTuple):
    """What a file name says of the package."""

    name: str
    version: str


class Artefact:
    """A wheel or an sdist, its parts opened once. A part that cannot be read is a finding in `broken`."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.broken: list[Finding] = list(archive.findings)

    @property
    def path(self) -> str:
        return self.archive.path

    @cached_property
    def label(self) -> Label | None:
        """What the file name says; None where it is none of a wheel or an sdist."""
        pattern = _WHEEL if self.archive.kind == "wheel" else _SDIST
        found = re.fullmatch(pattern, os.path.basename(self.path), re.DOTALL)
        return Label(found["name"], found["version"]) if found is not None else None

    @cached_property
    def metadata(self) -> Metadata | None:
        """The metadata; None where there is none or it cannot be read."""
        name = self.archive.metadata_file
        raw = self.archive.files.get(name)
        try:
            return None if raw is None else Metadata(self.archive.label(name), raw)
        except Refused as refused:
            self.broken += refused.findings
            return None

    @cached_property
    def manifest(self) -> JsonDocument | None:
        """The server.json inside, an object; None where there is none or it cannot be read."""
        name = self.archive.manifest_file
        raw = self.archive.files.get(name)
        if raw is None:
            return None
        try:
            document = JsonDocument(self.archive.label(name), raw)
            return document if as_object(document.data) is not None else None
        except Refused as refused:
            self.broken += refused.findings
            return None

    @property
    def has_manifest(self) -> bool:
        """Whether there is a server.json inside, be it broken."""
        return self.archive.manifest_file in self.archive.names

    @cached_property
    def name(self) -> str:
        """The name of the package; empty where nothing says one."""
        said = self.metadata.said("name") if self.metadata is not None else ""
        return said or (self.label.name if self.label is not None else "")

    @cached_property
    def version(self) -> str:
        """The version of the package; empty where nothing says one."""
        said = self.metadata.said("version") if self.metadata is not None else ""
        return said or (self.label.version if self.label is not None else "")

    @cached_property
    def scripts(self) -> tuple[str, ...]:
        """The programs that a wheel installs, by name."""
        shipped = (re.fullmatch(r"[^/]+\.data/scripts/([^/]+)", name) for name in self.archive.names)
        return tuple(dict.fromkeys((*self.calls, *(found[1] for found in shipped if found is not None))))

    @cached_property
    def calls(self) -> Mapping[str, str]:
        """What each listed script calls, `weather.server:main`."""
        raw = self.archive.files.get(f"{self.archive.folder}/entry_points.txt", b"")
        return dict(_console_scripts(raw.decode("utf-8", "replace")))

    @property
    def entry_points(self) -> Place:
        """Where console scripts are listed; the archive itself where nothing lists them."""
        name = f"{self.archive.folder}/entry_points.txt"
        return Place(self.archive.label(name) if name in self.archive.files else self.path)


def data_of(document: JsonDocument) -> JsonObject:
    """A server.json, parsed; empty where it is no object."""
    return as_object(document.data) or {}


def same_name(one: str, other: str) -> bool:
    """Whether two spellings mean one package."""
    return normal_identifier(one) == normal_identifier(other)


def _console_scripts(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
        elif section in ("console_scripts", "gui_scripts") and line and line[0] not in "#;" and "=" in line:
            name, _, target = line.partition("=")
            yield name.strip(), target.partition("[")[0].strip()

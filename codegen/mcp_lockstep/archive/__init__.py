"""Wheels, sdists and bundles, read where they lie: nothing is unpacked to disk, and hostile ones are findings."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Memory, Tree

if TYPE_CHECKING:
    from mcp_lockstep.archive.faults import Contents

Kind = Literal["wheel", "sdist", "bundle"]

SUFFIXES: Mapping[str, Kind] = {".whl": "wheel", ".tar.gz": "sdist", ".mcpb": "bundle"}
"""How the name of a file ends -> what it is."""


_METADATA: Mapping[Kind, str] = {"wheel": "{}/METADATA", "sdist": "{}/PKG-INFO", "bundle": "manifest.json"}


class Archive(NamedTuple):
    """A wheel, an sdist or a bundle: the names of its members, the contents of those that tell what it is, its faults.

    `names` are sorted, `files` maps a name to its bytes.
    """

    path: str
    kind: Kind
    names: tuple[str, ...]
    files: Mapping[str, bytes]
    findings: tuple[Finding, ...] = ()

    @property
    def folder(self) -> str:
        """The folder of the metadata: `NAME-VERSION.dist-info` of a wheel, `NAME-VERSION` of an sdist, else empty."""
        name = os.path.basename(self.path)
        if self.kind == "bundle":
            return ""
        if self.kind == "sdist":
            return name.removesuffix(".tar.gz")
        mine = (one for one in self.folders if _package(one) == _package(name))
        return next(mine, next(iter(self.folders), ""))

    @property
    def folders(self) -> tuple[str, ...]:
        """Every folder with metadata that a wheel has, by name; one is right."""
        tops = {name.partition("/")[0] for name in self.names if "/" in name}
        return tuple(sorted(top for top in tops if top.endswith(".dist-info")))

    @property
    def metadata_file(self) -> str:
        """The name of the member with the metadata, be it there or not."""
        return _METADATA[self.kind].format(self.folder)

    @property
    def manifest_file(self) -> str:
        """The name of the member that is the server.json, be it there or not."""
        return f"{self.folder}/{'mcp/server.json' if self.kind == 'wheel' else 'server.json'}"

    def lost(self, member: str) -> bool:
        """Whether a member is there and could not be read; a finding of the archive says why."""
        return member in self.names and member not in self.files

    def label(self, member: str) -> str:
        """How findings call a member: `dist/x.whl!x.dist-info/METADATA`."""
        return f"{self.path}!{member}"

    def tree(self, folder: str = "") -> Tree:
        """The kept files below `folder` as a project."""
        prefix = f"{folder}/" if folder else ""
        inside = {name[len(prefix) :]: raw for name, raw in self.files.items() if name.startswith(prefix)}
        return Tree(Memory(inside))

    def shallowest(self, ending: str) -> str:
        """The name of the kept file that lies least deep of those called `ending`; empty where there is none."""
        found = [name for name in self.files if f"/{name}".endswith(f"/{ending}")]
        return min(found, key=lambda name: (name.count("/"), name), default="")


def kind_of(path: str) -> Kind | None:
    """What `path` is by its name; None for any other name."""
    return next((kind for suffix, kind in SUFFIXES.items() if path.endswith(suffix)), None)


def open_archive(path: str) -> Archive:
    """The wheel, sdist or bundle at `path`. Refused where it cannot be read; what is odd in it is in `findings`."""
    # Every `check` asks for the kind of its paths, and hardly one opens any.
    from mcp_lockstep.archive.codes import ARCHIVE_UNKNOWN

    kind = kind_of(path)
    if kind is not None and (obstacle := _obstacle(path, kind)) is not None:
        raise Refused(obstacle)
    if kind == "wheel":
        from mcp_lockstep.archive.wheel import read_wheel

        return _opened(path, kind, read_wheel(path))
    if kind == "sdist":
        from mcp_lockstep.archive.sdist import read_sdist

        return _opened(path, kind, read_sdist(path))
    if kind == "bundle":
        from mcp_lockstep.archive.wheel import read_bundle

        return _opened(path, kind, read_bundle(path))
    raise Refused(Finding(ARCHIVE_UNKNOWN, Place(path), f"{path} is no wheel, sdist or bundle"))


def _obstacle(path: str, kind: Kind) -> Finding | None:
    """Why there is nothing to read at `path`; None where there is."""
    from mcp_lockstep.archive.codes import ARCHIVE_DAMAGED
    from mcp_lockstep.documents.codes import FILE_MISSING, FILE_UNREADABLE

    if not os.path.lexists(path):
        hint = "build it first, or name the file that was built"
        return Finding(FILE_MISSING, Place(path), f"{path} is not there", hint=hint)
    if not os.path.isfile(path):
        there = "is a folder" if os.path.isdir(path) else "is no regular file"
        return Finding(ARCHIVE_DAMAGED, Place(path), f"{path} {there}, a {kind} is a file")
    try:
        with open(path, "rb") as handle:
            empty = not handle.read(1)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        return Finding(FILE_UNREADABLE, Place(path), message, hint=FILE_UNREADABLE.explain)
    hint = "build it again, and do not upload this one"
    return Finding(ARCHIVE_DAMAGED, Place(path), f"{path} is empty", hint=hint) if empty else None


def _opened(path: str, kind: Kind, contents: Contents) -> Archive:
    names = tuple(sorted(contents.names))
    contents.clash(names)
    return Archive(path, kind, names, contents.files, contents.faults())


def _package(name: str) -> str:
    """The package that a wheel or its folder of metadata is named for, spelled as indexes compare it."""
    return re.sub("[-_.]+", "-", name.removesuffix(".dist-info").partition("-")[0]).lower()

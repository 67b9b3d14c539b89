"""One project: its configuration, its files, each opened once, and where its code lies."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property

from mcp_lockstep.bundled.targets import Target, Templates, target
from mcp_lockstep.config import PYPROJECT, TABLE, Config, read_config
from mcp_lockstep.documents import Document, JsonDocument, TomlDocument, open_document
from mcp_lockstep.documents.data import JsonObject, table
from mcp_lockstep.documents.kinds import other_kind, sign_of
from mcp_lockstep.findings import Finding, Place, Position, Refused
from mcp_lockstep.project.packaged import packaged
from mcp_lockstep.tree import Tree, join

MANIFEST = "server.json"
BUNDLE = "manifest.json"
GENERATED_FOLDER = "_generated"
_NOT_CODE = frozenset(
    {"tests", "test", "docs", "doc", "examples", "example", "scripts", "benchmarks", "bench", "dist", "build"}
)
_DEEPEST_NAMESPACE = 2


class Project:
    """What a tree holds, read lazily. A file that cannot be read is a finding in `broken`; the rest goes on."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.broken: list[Finding] = []
        self._documents: dict[str, Document | None] = {}
        try:
            self.config, findings = read_config(tree)
            self.broken += findings
        except Refused as refused:
            self.config = Config()
            self.broken += refused.findings

    def document(self, path: str) -> Document | None:
        """The document at `path`, parsed; None where there is none or it is broken."""
        if path not in self._documents:
            self._documents[path] = self._open(path)
        return self._documents[path]

    def configured(self, pointer: str) -> tuple[Place, Position]:
        """Where the key at `pointer` (`/owners/version`) stands in the file of the configuration."""
        path = self.config.path
        document = self.document(path)
        if document is None:
            return Place(path), Position()
        full = f"{TABLE if path == PYPROJECT else ''}{pointer}"
        return document.place(full), document.where(full)

    def report(self, finding: Finding) -> None:
        """Add what a reader found unusable."""
        self.broken.append(finding)

    def raw(self, path: str) -> bytes | None:
        """The bytes of a file; None where there is none or it cannot be read."""
        try:
            return self.tree.read(path)
        except Refused as refused:
            self.broken += refused.findings
            return None

    @cached_property
    def pyproject(self) -> TomlDocument | None:
        document = self.document(PYPROJECT)
        return document if isinstance(document, TomlDocument) else None

    @cached_property
    def manifest(self) -> JsonDocument | None:
        """server.json; None where there is none, it is broken, or it is a file of another kind."""
        document = self.document(MANIFEST)
        if not isinstance(document, JsonDocument):
            return None
        if (other := other_kind(document)) is not None:
            self.broken.append(other)
            return None
        return document

    @cached_property
    def bundle(self) -> JsonDocument | None:
        """`manifest.json` where it is that of an MCPB bundle; extensions of browsers have one of that name, too."""
        raw = self.raw(BUNDLE)
        if raw is None or not re.search(rb'"(?:manifest|dxt)_version"\s*:\s*"', raw):
            return None
        document = self.document(BUNDLE)
        if not isinstance(document, JsonDocument) or sign_of(document.data).kind != "MCPB manifest":
            return None
        return document

    def pyproject_table(self, *keys: str) -> JsonObject:
        """The table that `keys` lead to in pyproject.toml, the whole file without any; empty where there is none."""
        return table(self.pyproject.data, *keys) if self.pyproject else {}

    @property
    def manifest_data(self) -> JsonObject:
        """What server.json holds; nothing where there is none."""
        return table(self.manifest.data) if self.manifest else {}

    @cached_property
    def table(self) -> JsonObject:
        """`[project]` of pyproject.toml; empty where there is none."""
        return self.pyproject_table("project")

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """Folders of the import packages, `src/weather`, `weather`, `src/acme/weather` in a namespace."""
        declared = dict.fromkeys(packaged(self.pyproject_table()))
        found = [folder for folder in declared if "__init__.py" in self.tree.folder(folder)]
        for base in ("src", *(folder for folder in declared if folder not in found)):
            found += self._packages_in(base, _DEEPEST_NAMESPACE)
        return tuple(dict.fromkeys((*found, *self._packages_in("", 0))))

    def _packages_in(self, base: str, depth: int) -> Iterator[str]:
        """The packages in `base`, and in its folders that are none, as namespaces are."""
        for name in self.tree.folder(base):
            if not name.endswith("/") or name[:-1] in _NOT_CODE or name[:-1] == GENERATED_FOLDER:
                continue
            folder = join(base, name[:-1])
            if "__init__.py" in self.tree.folder(folder):
                yield folder
            elif depth:
                yield from self._packages_in(folder, depth - 1)

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """The user's Python files: those of the packages less what is generated, and modules beside pyproject.toml."""
        single = tuple(name for name in self.tree.folder("") if name.endswith(".py") and name != "setup.py")
        below = (path for folder in self.packages for path in self.tree.files(folder, ".py"))
        ours = f"{self.generated_folder}/"
        made = {job.output for job in self.config.models}
        found = (*single, *(path for path in below if ours == "/" or not path.startswith(ours)))
        return tuple(path for path in found if path not in made)

    @cached_property
    def generated_folder(self) -> str:
        """The folder of the generated files, `src/weather/_generated`, be it lost; empty without a contract."""
        folders = [join(package, GENERATED_FOLDER) for package in self.packages]
        there = [folder for folder in folders if self.tree.folder(folder)]
        return next(iter(there or folders), "") if self.config.contract else ""

    @cached_property
    def templates(self) -> Templates:
        """The templates of the target that the configuration names, with the user's own. Refused for no target."""
        own, root = self.config.templates, self.tree.root
        if not own or root is None:
            return Templates(self._target())
        for path in self.tree.files(own, ""):
            # Templates are read by path later; asked for here, they count for the memo.
            self.tree.read(path)
        return Templates(self._target(), os.path.join(root, own))

    def _target(self) -> Target:
        """The target of the configuration. Refused, where it is named, for one that this version does not have."""
        try:
            return target(self.config.sdk)
        except Refused as refused:
            place, where = self.configured("/sdk")
            raise Refused(
                *(found._replace(place=place, position=where) for found in refused.findings)
            ) from None

    def _open(self, path: str) -> Document | None:
        try:
            raw = self.tree.read(path)
            if raw is None:
                return None
            document = open_document(path, raw)
            _ = document.data
        except Refused as refused:
            self.broken += refused.findings
            return None
        return document

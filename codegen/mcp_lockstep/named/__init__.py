"""What a SCHEMA on the command line or in the configuration means: one function for every spelling."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Literal

from mcp_lockstep.bundled import catalog
from mcp_lockstep.bundled.catalog import SCHEMA_NOT_BUNDLED
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.codes import FILE_MISSING, FILE_OUTSIDE_PROJECT
from mcp_lockstep.documents.data import as_object, text_of
from mcp_lockstep.documents.kinds import no_schema
from mcp_lockstep.findings import Finding, Place, Refused, nearest
from mcp_lockstep.named.address import fetch, is_address, plain_address
from mcp_lockstep.named.codes import NOT_PULLED
from mcp_lockstep.named.pins import digest, pinned, pins, pulled_document
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree, safe
from mcp_lockstep.tree.revision import SCHEME, Revision

Kind = Literal["bundled", "pulled", "own"]
Reader = Callable[[str], "bytes | None"]


class Reach(NamedTuple):
    """What may be read for a schema: a project, files by path, and addresses (None: nothing is fetched)."""

    tree: Tree
    file: Reader
    fetch: Callable[[str], bytes] | None = None


class Named(NamedTuple):
    """A schema that was found.

    `label` is `NAME@REVISION`, the name of a file, or what the user wrote; `sha256` that of the published document,
    or of the canonical JSON of an own one. `key` is equal for schemas that the same models are made of.
    `document` is None for a bundled one.
    """

    kind: Kind
    label: str
    revision: str
    sha256: str
    key: str
    document: JsonDocument | None = None

    @property
    def path(self) -> str:
        """What findings call the document."""
        return self.document.path if self.document is not None else self.label

    def data(self) -> object:
        """The schema as JSON; a bundled one with its descriptions. It is shared: read it, never change it."""
        if self.document is not None:
            return self.document.data
        name, _, revision = self.label.partition("@")
        return catalog.documented(name, revision)


def for_command(folder: str = ".") -> Reach:
    """What a command may read whose user named the schema: any file, and the address, should it be one."""
    return Reach(Tree(Disk(folder)), read_file, fetch)


def for_project(tree: Tree) -> Reach:
    """What may be read for a schema that a configuration names: files of the project."""

    def read(path: str) -> bytes | None:
        if not safe(path):
            message = f"the schema {path!r} is no path inside the project"
            raise Refused(Finding(FILE_OUTSIDE_PROJECT, Place(path), message))
        return tree.read(path)

    return Reach(tree, read)


def read_file(path: str) -> bytes | None:
    """The bytes of any file that the user named; None where there is none."""
    folder, name = os.path.split(os.path.realpath(path))
    return Disk(folder).read(name)


def resolve(spec: str, reach: Reach) -> Named:
    """The schema that `spec` names: NAME@REVISION, NAME, an address, `git:REV:PATH`, or a path.

    A pulled copy comes before the bundled schema of the same name. Refused where there is none.
    """
    if spec.startswith(SCHEME):
        return _own(spec, _in_revision(spec, reach.tree.root or "."))
    if is_address(spec):
        return _at_address(spec, reach)
    found = _catalogued(spec, reach.tree)
    if found is not None:
        return found
    raw = reach.file(spec) if spec else None
    if raw is None:
        raise _missing(spec, reach.tree)
    # By its name alone: the models do not depend on the folder that the command runs in.
    return _own(os.path.basename(spec), JsonDocument(spec, raw))


def _catalogued(spec: str, tree: Tree) -> Named | None:
    name, _, revision = spec.partition("@")
    bundled = catalog.revisions(name)
    label = spec if revision or not bundled else f"{name}@{bundled[-1]}"
    pin = pinned(tree, label)
    if pin is not None:
        document = pulled_document(tree, pin)
        return Named("pulled", label, label.partition("@")[2], pin.sha256, f"document {pin.sha256}", document)
    if label.partition("@")[2] not in bundled:
        return None
    entry = catalog.find(label)
    # The published document, not our words for it: a newer version of ours makes no file stale.
    return Named("bundled", label, entry.revision, entry.sha256, f"bundled {label} {entry.sha256}")


def _at_address(spec: str, reach: Reach) -> Named:
    plain = plain_address(spec)
    pin = next((pin for pin in pins(reach.tree) if pin.source == plain), None)
    if pin is not None:
        found = _catalogued(pin.label, reach.tree)
        assert found is not None
        return found
    if reach.fetch is None:
        message = f"{plain} was not pulled, and only a command that names an address fetches it"
        hint = f"mcp-lockstep schemas pull NAME@REVISION {plain}"
        raise Refused(Finding(NOT_PULLED, Place(plain), message, hint=hint))
    return _own(plain, JsonDocument(plain, reach.fetch(spec)))


def _in_revision(spec: str, folder: str) -> JsonDocument:
    revision, _, path = spec.removeprefix(SCHEME).partition(":")
    if not path:
        message = f"{spec} does not read git:REV:PATH"
        raise Refused(
            Finding(FILE_MISSING, Place(spec), message, hint="PATH is seen from the folder of the project")
        )
    raw = Revision(folder, revision).read(path)
    if raw is None:
        raise Refused(Finding(FILE_MISSING, Place(spec), f"{spec} is not there", have=spec))
    return JsonDocument(spec, raw)


def _own(label: str, document: JsonDocument) -> Named:
    if (other := no_schema(document)) is not None:
        raise Refused(other)
    text = json.dumps(document.data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    found = digest(text.encode("ascii"))
    data = as_object(document.data) or {}
    return Named("own", label, text_of(data.get("version")), found, f"own {label} {found}", document)


def _missing(spec: str, tree: Tree) -> Refused:
    """Why there is no such schema, with the nearest names there are."""
    name, _, revision = spec.partition("@")
    if revision and name in catalog.schema_names() and "/" not in revision:
        message = f"there is no {spec} in this project and none that comes with mcp-lockstep"
        hint = f"mcp-lockstep schemas pull {spec} SOURCE brings it here; {_near(spec, catalog.revisions(name), name)}"
        return Refused(Finding(NOT_PULLED, Place(spec), message, have=spec, hint=hint))
    if "/" in spec or "\\" in spec or "." in spec.rpartition("@")[0] or spec.endswith(".json"):
        folder = os.path.dirname(spec)
        names = tree.folder(folder) if not folder or safe(folder) else ()
        # A link to nothing lies there, and is not what was meant.
        near = nearest(os.path.basename(spec), [one for one in names if one != os.path.basename(spec)], 0.75)
        hint = f"did you mean {os.path.join(folder, near)}?" if near else "name a JSON Schema"
        return Refused(Finding(FILE_MISSING, Place(spec), f"{spec} is not there", have=spec, hint=hint))
    known = [*catalog.schema_names(), *(entry.label for entry in catalog.entries())]
    near = nearest(spec, known)
    hint = f"did you mean {near}?" if near else "`mcp-lockstep schemas list` prints the bundled ones"
    message = f"there is no schema {spec!r}, and no file of that name"
    return Refused(Finding(SCHEMA_NOT_BUNDLED, Place(spec), message, have=spec, hint=hint))


def _near(spec: str, revisions: tuple[str, ...], name: str) -> str:
    labels = [f"{name}@{revision}" for revision in revisions]
    near = nearest(spec, labels)
    return f"did you mean {near}?" if near else f"bundled are {', '.join(labels)}"

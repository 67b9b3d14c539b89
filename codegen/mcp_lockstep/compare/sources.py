"""What OLD and NEW name: a contract or a schema, from a file, a folder, the catalogue, git, a wheel or an sdist."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mcp_lockstep.archive import kind_of, open_archive
from mcp_lockstep.bundled import catalog
from mcp_lockstep.compare.codes import NOTHING_TO_COMPARE
from mcp_lockstep.compare.nodes import HOLDERS
from mcp_lockstep.compare.shapes import CONSTRAINTS
from mcp_lockstep.contract.codes import CONTRACT_EMPTY
from mcp_lockstep.contract.model import KINDS, Contract, shown
from mcp_lockstep.contract.origin import Origins
from mcp_lockstep.contract.sources import open_source, read_contract
from mcp_lockstep.documents import JsonDocument, PythonDocument
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.documents.data import as_object, text_of
from mcp_lockstep.documents.pointer import array_index, pointer_parts
from mcp_lockstep.findings import Finding, Place, Position, Refused
from mcp_lockstep.named import Named, for_command, resolve
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Memory, Tree, join
from mcp_lockstep.tree.revision import SCHEME, Revision

_IN_ARCHIVE = ("_generated/contract.json", "contract.json")


class Side(NamedTuple):
    """One of the two: `label` is what the user called it; either `contract` or `schema` is there.

    `document` is the file that the schema is from, `origins` where the items of the contract are from, in files
    of the folder `label` if it `is_folder`; neither where it comes with this package.
    """

    label: str
    contract: Contract | None = None
    schema: object = None
    document: JsonDocument | None = None
    origins: Origins | None = None
    is_folder: bool = False
    positions: Mapping[str, Position] | None = None

    def place(self, pointer: str) -> tuple[Place, Position]:
        """Where the value at `pointer` stands, for a finding."""
        if self.positions is not None:
            return _symbol(self.label, pointer, self.positions)
        if self.document is not None:
            return self.document.place(pointer), self.document.where(pointer)
        parts = pointer_parts(pointer)
        if self.origins is not None and len(parts) > 1 and parts[0] in KINDS:
            origins = self.origins.of(parts[0])
            index = array_index(parts[1], len(origins))
            if index is not None:
                origin = origins[index]
                here = origin.below(*parts[2:])
                place = here.document.place(here.pointer)
                return _shown(place, self.label, self.is_folder), here.document.where(here.pointer)
        return Place(self.label, "#" if pointer else "", pointer), Position()


def _symbol(label: str, pointer: str, positions: Mapping[str, Position]) -> tuple[Place, Position]:
    """The class, and the field of it, that a pointer into the schema of a module stands for."""
    while pointer and pointer not in positions:
        pointer = pointer.rpartition("/")[0]
    address = ".".join(pointer_parts(pointer)[1::2])
    return Place(label, "::" if address else "", address), positions.get(pointer, Position())


def read_side(name: str, other: str = "") -> Side:
    """What `name` names; `git:REV` alone is the path `other` at that revision. Refused where that is nothing."""
    if name.startswith(SCHEME):
        return _from_git(name, other)
    if kind_of(name) is not None and os.path.isfile(name):
        return _from_archive(name)
    if not os.path.exists(name) and _bundled(name):
        return _from_catalogue(resolve(name, for_command()))
    tree, path = open_source(name)
    return _read(tree, path, name.replace(os.sep, "/"))


def _from_catalogue(found: Named) -> Side:
    """The schema that a name means: a pulled copy before the bundled one, as everywhere."""
    if found.document is None:
        # Our own words for what a schema says are no difference between two of them.
        entry = catalog.find(found.label)
        return Side(entry.label, schema=catalog.schema(entry.name, entry.revision))
    return Side(found.label, schema=found.document.data, document=found.document)


def _bundled(name: str) -> bool:
    return name.partition("@")[0] in catalog.schema_names()


def _from_git(name: str, other: str) -> Side:
    revision, colon, path = name.removeprefix(SCHEME).partition(":")
    if not colon:
        if not other or other.startswith(SCHEME) or _bundled(other) or kind_of(other) is not None:
            message = f"{shown(name)} means the path NEW at that revision, but NEW is no path"
            hint = "git:REV:PATH names the path too"
            raise Refused(Finding(NOTHING_TO_COMPARE, Place(name), message, hint=hint))
        path = other
    # A path that is a folder now may have been a file then, so git decides, seen from the folder around it.
    full = os.path.abspath(path)
    base = full if os.path.isdir(full) else os.path.dirname(full)
    while not os.path.isdir(base):
        base = os.path.dirname(base)
    inner = os.path.relpath(full, base).replace(os.sep, "/")
    label = f"{SCHEME}{revision}:{path}"
    tree = Tree(Revision(base, revision))
    return _read(tree, "" if inner == "." else inner, label)


def _from_archive(name: str) -> Side:
    archive = open_archive(name)
    if archive.findings:
        raise Refused(*archive.findings)
    for ending in _IN_ARCHIVE:
        if found := archive.shallowest(ending):
            tree = Tree(Memory({"contract.json": archive.files[found]}))
            return _read(tree, "contract.json", archive.label(found))
    message = f"{name} holds no contract"
    hint = "what is built of a generated server has one in `_generated/contract.json`"
    raise Refused(Finding(NOTHING_TO_COMPARE, Place(name), message, hint=hint))


def _read(tree: Tree, path: str, label: str) -> Side:
    raw = tree.read(path) if path and not tree.folder(path) else None
    if path and raw is None and not tree.folder(path):
        message = f"{label} is not there; a contract or a schema is wanted"
        raise Refused(Finding(FILE_MISSING, Place(label), message))
    if raw is not None and path.endswith((".py", ".pyi")):
        return _module(raw, label)
    if raw is not None:
        document = JsonDocument(label, raw)
        if _is_schema(document.data):
            return Side(label, schema=document.data, document=document)
    try:
        offer = read_contract(tree, path)
    except Refused as refused:
        raise Refused(*(_named(found, label) for found in refused.findings)) from None
    unusable = [f for f in offer.findings if f.code.exit == 2 and f.severity == "error" and not _inside(f)]
    if unusable:
        raise Refused(*(f._replace(place=_shown(f.place, label, raw is None)) for f in unusable))
    if not any(offer.contract) and not any(f.code is CONTRACT_EMPTY for f in offer.findings):
        message = f"{label} holds neither a contract nor a schema"
        raise Refused(Finding(NOTHING_TO_COMPARE, Place(label), message))
    return Side(label, contract=offer.contract, origins=offer.origins, is_folder=raw is None)


def _module(raw: bytes, label: str) -> Side:
    from mcp_lockstep.compare.modules import read_module

    try:
        module = read_module(PythonDocument(label, raw).source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        message = f"{label} is no Python that can be read: {error}"
        raise Refused(Finding(NOTHING_TO_COMPARE, Place(label), message)) from None
    if not module.positions:
        message = f"{label} holds no models"
        raise Refused(Finding(NOTHING_TO_COMPARE, Place(label), message))
    return Side(label, schema=module.schema, positions=module.positions)


def _named(finding: Finding, label: str) -> Finding:
    """`finding` about the root of a tree, by the name that the user gave it."""
    if finding.place.path != ".":
        return finding
    message = finding.message.replace(". ", f"{label} ", 1)
    return finding._replace(place=Place(label), message=message)


def _shown(place: Place, label: str, is_folder: bool) -> Place:
    """A place in a file as it is called: by what the user wrote."""
    folder = "" if label == "." else label.rstrip("/")
    return place._replace(path=join(folder, place.path) if is_folder else label)


def _inside(finding: Finding) -> bool:
    """Whether a finding is about one item of a list: the others can be compared all the same."""
    parts = pointer_parts(finding.place.address) if finding.place.address.startswith("/") else ()
    return len(parts) > 1


def _is_schema(data: object) -> bool:
    if isinstance(data, bool):
        return True
    keys = as_object(data)
    if keys is None or any(kind in keys for kind in KINDS) or "inputSchema" in keys or "result" in keys:
        return False
    if "packages" in keys or "remotes" in keys or "server.schema.json" in text_of(keys.get("$schema")):
        return False
    return not keys or not CONSTRAINTS.union(HOLDERS, ["$schema", "$id"]).isdisjoint(keys)

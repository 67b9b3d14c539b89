"""Reads what `--from SOURCE` names: contracts, manifests and lists of a registry, as files or folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from mcp_lockstep.contract import codes
from mcp_lockstep.contract.identity import initialize_identity, manifest_identity
from mcp_lockstep.contract.judge import judge
from mcp_lockstep.contract.model import KINDS, Contract, Identity, Kind, canonical, merged, shown
from mcp_lockstep.contract.origin import Origin, Origins
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.codes import FILE_MISSING, FILE_TOO_LARGE
from mcp_lockstep.documents.data import JsonObject, as_array, as_object, text_of
from mcp_lockstep.documents.kinds import sign_of, words_of
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import MAX_BYTES, Disk, Memory, Tree, join

_PROJECT_FILES = ("contract.json", "server.json")
_SOURCES = frozenset({"server.json", "registry list", "registry entry", "contract", "tool"})
"""Kinds of files that say something here; others can have the same keys, and mean something else by them."""


class Published(NamedTuple):
    """A server.json, and where it was read."""

    data: JsonObject
    origin: Origin


class Offer(NamedTuple):
    """What the SOURCES say: `origins` has the place of each item of `contract`, `files` are those read.

    `published` is the first server.json among them.
    """

    contract: Contract
    origins: Origins
    identity: Identity
    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    published: Published | None = None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that forbid using the contract."""
        return tuple(finding for finding in self.findings if finding.severity == "error")


class _Found:
    """What has been read so far."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.items: dict[Kind, list[tuple[JsonObject, Origin]]] = {kind: [] for kind in KINDS}
        self.manifests: list[Published] = []
        self.dumps: list[Identity] = []
        self.files: list[str] = []
        self.findings: list[Finding] = []

    def offer(self) -> Offer:
        contract = Contract(*(tuple(item for item, _ in self.items[kind]) for kind in KINDS))
        origins = Origins(*(tuple(origin for _, origin in self.items[kind]) for kind in KINDS))
        identity = merged([*(manifest_identity(found.data) for found in self.manifests), *self.dumps])
        findings = (*self.findings, *self._disagreements(), *judge(contract, origins))
        return Offer(
            contract, origins, identity, tuple(self.files), findings, next(iter(self.manifests), None)
        )

    def _disagreements(self) -> Iterator[Finding]:
        named = ((text_of(found.data.get("name")), found.origin) for found in self.manifests)
        names = [(name, origin) for name, origin in named if name]
        for name, origin in names[1:]:
            if name != names[0][0]:
                first, here = names[0], origin.below("name")
                message = f"is {shown(name)}, but {first[1].below('name')} is {shown(first[0])}"
                yield here.finding(codes.SOURCES_DISAGREE, message, have=name, want=first[0])


def read_contract(tree: Tree, path: str) -> Offer:
    """The contract at `path`, a file or a folder of one-tool files, judged.

    What is wrong with it is in the findings of the offer; Refused only where nothing can be read at all.
    """
    found = _Found()
    _read(found, tree, path)
    offer = found.offer()
    # A project may start without a tool: only who makes one of it should be surprised.
    calm = (f._replace(level="note") if f.code is codes.CONTRACT_EMPTY else f for f in offer.findings)
    return offer._replace(findings=tuple(calm))


def read_sources(sources: Iterable[str], *, name: str = "") -> Offer:
    """What several SOURCES say together: lists end to end, identities merged, server.json first.

    `name` picks a server from a list of a registry. Refused where a SOURCE cannot be read at all.
    """
    found = _Found(name)
    for source in sources:
        tree, path = open_source(source)
        shown_as = source.rstrip("/") if path == "" else os.path.dirname(source)
        _read(found, tree, path, shown_as.replace(os.sep, "/"))
    return found.offer()


def open_source(source: str) -> tuple[Tree, str]:
    """The tree that holds the file or folder SOURCE, and its path there. Refused for a command or a URL."""
    if source.startswith("stdio:") or "://" in source:
        message = f"{source}: reading a running server is not in this version; a file or a folder is wanted"
        raise Refused(Finding(codes.SOURCE_UNSUPPORTED, Place(source), message, have=source))
    # The user named this one, so it may be a link.
    if os.path.exists(source) and not os.path.isfile(source) and not os.path.isdir(source):
        return _piped(source), os.path.basename(source)
    full = os.path.realpath(source)
    if os.path.isdir(full):
        return Tree(Disk(full)), ""
    return Tree(Disk(os.path.dirname(full))), os.path.basename(full)


def _piped(source: str) -> Tree:
    """What comes out of a pipe (`--from /dev/stdin`), as a tree that holds this one file."""
    with open(source, "rb") as handle:
        raw = handle.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        message = f"{source} is larger than {MAX_BYTES:,} bytes"
        raise Refused(Finding(FILE_TOO_LARGE, Place(source), message))
    return Tree(Memory({os.path.basename(source): raw}))


def _read(found: _Found, tree: Tree, path: str, folder: str = "") -> None:
    """Read the file or folder at `path`; `folder` is how messages call the root of the tree."""
    names = tree.folder(path)
    if not names and path:
        _read_file(found, tree, path, folder)
        return
    project = [name for name in _PROJECT_FILES if name in names]
    files = project or [name for name in names if name.endswith(".json")]
    if not files:
        place = Place(join(folder, path).rstrip("/") or ".")
        message = f"{place} is a folder without JSON files; one file for each tool is wanted"
        raise Refused(Finding(codes.SOURCE_UNKNOWN, place, message))
    for name in files:
        _read_file(found, tree, join(path, name), folder)


def _read_file(found: _Found, tree: Tree, path: str, folder: str) -> None:
    raw, label = tree.read(path), join(folder, path)
    if raw is None:
        message = f"{label} is not there; a contract, a server.json or a list of a registry is wanted"
        raise Refused(Finding(FILE_MISSING, Place(label), message))
    document = JsonDocument(label, raw)
    found.files.append(label)
    data = document.data
    if isinstance(data, list):
        _list(found, "tools", document.data, Origin(document))
    elif (top := as_object(data)) is None or not _object(found, top, Origin(document)):
        have = _other(data)
        message = (
            f"is {have}; an object with `tools`, an array of tools, one tool, a server.json "
            "or a list of a registry is wanted"
        )
        found.findings.append(Origin(document).finding(codes.SOURCE_UNKNOWN, message, have=have))


def _other(data: object) -> str:
    """What was given instead, without its values: they may be secret."""
    if sign_of(data).kind != "server.json":
        return words_of(data)
    keys = list(as_object(data) or ())
    return f"an object with {', '.join(shown(key) for key in keys[:5])}" if keys else "an empty object"


def _object(found: _Found, data: JsonObject, origin: Origin) -> bool:
    """Take what one object says; False where it says nothing that is known."""
    if sign_of(data).kind not in _SOURCES:
        return False
    inner = as_object(data.get("result"))
    if "tools" not in data and inner is not None and any(kind in inner for kind in KINDS):
        return _object(found, inner, origin.below("result"))
    if any(kind in data for kind in KINDS):
        _contract(found, data, origin)
    elif "inputSchema" in data:
        found.items["tools"].append((data, origin))
    elif "servers" in data:
        _registry(found, data, origin)
    elif (server := as_object(data.get("server"))) is not None:
        _manifest(found, server, origin.below("server"))
    elif _is_manifest(data):
        _manifest(found, data, origin)
    else:
        return False
    return True


def _is_manifest(data: JsonObject) -> bool:
    known = "server.schema.json" in text_of(data.get("$schema"))
    return known or ("name" in data and ("packages" in data or "remotes" in data))


def _contract(found: _Found, data: JsonObject, origin: Origin) -> None:
    answer = as_object(data.get("initialize"))
    if answer is not None:
        found.dumps.append(initialize_identity(as_object(answer.get("result")) or answer))
    for kind in KINDS:
        _list(found, kind, data.get(kind), origin.below(kind))
    if not any(found.items.values()):
        message = "promises nothing: no tool, no resource, no prompt"
        found.findings.append(origin.finding(codes.CONTRACT_EMPTY, message))


def _list(found: _Found, kind: Kind, value: object, origin: Origin) -> None:
    """Take one list: an array, null, or the answer to the list call with the array in it."""
    answer = as_object(value)
    if answer is not None:
        key = next((key for key in ("result", kind) if key in answer), "")
        if key:
            _list(found, kind, answer[key], origin.below(key))
            return
        if "code" in answer or "error" in answer:
            message = f"is the error {shown(answer)}; the list is taken to be empty"
            found.findings.append(origin.finding(codes.LIST_REFUSED, message, have=shown(answer)))
            return
    array = as_array(value)
    if array is None and value is not None:
        message = f"is {shown(value)}; an array is wanted"
        found.findings.append(origin.finding(codes.WRONG_TYPE, message, have=shown(value), want="an array"))
    for index, item in enumerate(array or ()):
        known, here = as_object(item), origin.below(index)
        if known is None:
            message = f"is {shown(item)}; an object is wanted"
            found.findings.append(here.finding(codes.WRONG_TYPE, message, have=shown(item), want="an object"))
        else:
            found.items[kind].append((known, here))


def _registry(found: _Found, data: JsonObject, origin: Origin) -> None:
    """Take the one server of a registry's list, or the one that the user named, in its newest version."""
    servers: list[tuple[JsonObject, Origin, bool]] = []
    for index, item in enumerate(as_array(data["servers"]) or ()):
        entry, here = as_object(item) or {}, origin.below("servers", index)
        inner, latest = as_object(entry.get("server")), '"isLatest":true' in canonical(entry.get("_meta"))
        servers.append((entry, here, latest) if inner is None else (inner, here.below("server"), latest))
    named = [entry for entry in servers if not found.name or entry[0].get("name") == found.name]
    if len({text_of(server.get("name")) for server, _, _ in named}) == 1:
        server, here, _ = max(named, key=lambda entry: entry[2])
        _manifest(found, server, here)
        return
    offered = ", ".join(sorted({shown(server.get("name")) for server, _, _ in servers})[:10])
    wanted = f"none is called {found.name}" if found.name else "one is wanted"
    message = f"holds {len(servers)} servers, {wanted}" + (f": {offered}" if offered else "")
    here = origin.below("servers")
    found.findings.append(here.finding(codes.SOURCE_AMBIGUOUS, message, hint="Choose one with --name."))


def _manifest(found: _Found, data: JsonObject, origin: Origin) -> None:
    found.manifests.append(Published(data, origin))

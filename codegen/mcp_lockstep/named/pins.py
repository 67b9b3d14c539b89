"""The documents that `schemas pull` brought into a project, and what their checksums were."""

from __future__ import annotations

import re
from hashlib import sha256

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents import JsonDocument, TomlDocument, toml_string
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.documents.data import as_object, objects, text_of
from mcp_lockstep.documents.kinds import no_schema
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.named.codes import OTHER_DOCUMENT, WRONG_LABEL
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Tree

FOLDER = "mcp-lockstep.schemas"
PINS = f"{FOLDER}/pins.toml"
_HEAD = "# Kept by `mcp-lockstep schemas pull`. Commit this folder.\n"
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9._-]*")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Pin(NamedTuple):
    """One pulled document: its name, where it came from, the sha256 of its bytes."""

    label: str
    source: str
    sha256: str

    @property
    def path(self) -> str:
        """The file of the copy."""
        return f"{FOLDER}/{self.label}.json"


class Pulled(NamedTuple):
    """The files that a pull writes, by path, and what it replaces (None: the schema was not pulled before)."""

    files: dict[str, bytes]
    pin: Pin
    before: Pin | None


def pins(tree: Tree) -> tuple[Pin, ...]:
    """The pulled documents of a project, by name. Refused where the list of them is broken."""
    raw = tree.read(PINS)
    if raw is None:
        return ()
    document = TomlDocument(PINS, raw)
    rows = objects((as_object(document.data) or {}).get("pin"))
    found = [
        Pin(text_of(row.get("schema")), text_of(row.get("source")), text_of(row.get("sha256")))
        for row in rows
    ]
    for index, pin in enumerate(found):
        if not _LABEL.fullmatch(pin.label) or not _DIGEST.fullmatch(pin.sha256):
            place, where = document.place(f"/pin/{index}"), document.where(f"/pin/{index}")
            message = f"{PINS}: entry {index + 1} names no schema with a checksum"
            raise Refused(Finding(OTHER_DOCUMENT, place, message, where, hint=_again(pin.label)))
    return tuple(sorted(found))


def pinned(tree: Tree, label: str) -> Pin | None:
    """The pin of the schema `label`; None where it was not pulled."""
    return next((pin for pin in pins(tree) if pin.label == label), None)


def pulled_document(tree: Tree, pin: Pin) -> JsonDocument:
    """The copy of a pulled document. Refused where it is gone or is no longer what was pulled."""
    raw = tree.read(pin.path)
    if raw is None:
        message = f"{pin.path} is missing, and {PINS} lists it"
        raise Refused(Finding(FILE_MISSING, Place(pin.path), message, hint=_again(pin.label, pin.source)))
    found = digest(raw)
    if found != pin.sha256:
        message = f"{pin.path} is not what was pulled: its sha256 is {found}, {pin.sha256} is pinned"
        hint = _again(pin.label, pin.source)
        raise Refused(
            Finding(OTHER_DOCUMENT, Place(pin.path), message, have=found, want=pin.sha256, hint=hint)
        )
    return JsonDocument(pin.path, raw)


def pull(tree: Tree, label: str, source: str, raw: bytes) -> Pulled:
    """What keeps the document `raw` as `label`. Refused for a bad name, no JSON, or no document of that revision."""
    if not _LABEL.fullmatch(label):
        message = f"{label!r} is no name of the form NAME@REVISION"
        raise Refused(Finding(WRONG_LABEL, Place(label), message, hint=WRONG_LABEL.explain))
    pin = Pin(label, source, digest(raw))
    if (other := no_schema(JsonDocument(source, raw))) is not None:
        raise Refused(other)
    published = next((entry for entry in catalog.entries() if entry.label == label), None)
    if published is not None and published.sha256 != pin.sha256:
        message = (
            f"{source} is not the published document of {label}: its sha256 is {pin.sha256}, "
            f"{published.sha256} was published"
        )
        hint = f"published at {published.url}" if published.url else OTHER_DOCUMENT.explain
        raise Refused(
            Finding(OTHER_DOCUMENT, Place(source), message, have=pin.sha256, want=published.sha256, hint=hint)
        )
    known = pins(tree)
    before = next((other for other in known if other.label == label), None)
    listed = sorted([*(other for other in known if other.label != label), pin])
    return Pulled({pin.path: raw, PINS: _text(listed).encode("utf-8")}, pin, before)


def digest(raw: bytes) -> str:
    """The sha256 of a document's bytes, 64 hexadecimal digits."""
    return sha256(raw).hexdigest()


def _text(listed: list[Pin]) -> str:
    entries = (
        f"\n[[pin]]\nschema = {toml_string(pin.label)}\nsource = {toml_string(pin.source)}\n"
        f"sha256 = {toml_string(pin.sha256)}\n"
        for pin in listed
    )
    return _HEAD + "".join(entries)


def _again(label: str, source: str = "") -> str:
    from shlex import quote

    return f"mcp-lockstep schemas pull {quote(label)} {quote(source) if source else 'SOURCE'}"

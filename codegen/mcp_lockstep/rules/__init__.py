"""What is wrong with a server.json: its schema, and every rule of the registry that needs no network.

`judge_manifest` judges one document; `OFFICIAL` lists the rules of the official registry, `PRIVATE` those
that hold for any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mcp_lockstep import catalog
from mcp_lockstep.findings import Code, Finding, Position
from mcp_lockstep.rules import (
    arguments,
    bundle,
    image,
    keys,
    meta,
    name,
    package,
    repository,
    revision,
    schema,
    text,
    transport,
    version,
    website,
)
from mcp_lockstep.rules.manifest import Fault, JsonObject, Rule, manifest_of, shown

if TYPE_CHECKING:
    from mcp_lockstep.documents.document import Document

NOT_AN_OBJECT = Code(
    "LS2000",
    "manifest-not-object",
    "error",
    "server.json does not hold a JSON object.",
    "One file describes one server. A list of servers is a registry list: `mcp-lockstep validate` judges it "
    "as one.",
)

PRIVATE: tuple[Rule, ...] = (
    revision.schema_revision,
    schema.schema_faults,
    keys.unknown_keys,
    text.description,
    text.title,
    text.placeholders,
    version.versions,
    website.website,
    website.icons,
    meta.meta_size,
    package.identifiers,
    package.released,
    image.images,
    bundle.bundles,
    transport.transports,
    arguments.named_arguments,
    arguments.variable_names,
    arguments.choices,
)
"""The rules that hold whatever registry the file is for."""

OFFICIAL: tuple[Rule, ...] = (
    *PRIVATE,
    name.server_name,
    repository.repository,
    package.registry_types,
    package.base_urls,
    image.image_hosts,
    bundle.bundle_addresses,
    transport.remotes,
)
"""Every rule of the official registry that can be judged offline."""


def judge_manifest(document: Document, rules: tuple[Rule, ...] = OFFICIAL) -> tuple[Finding, ...]:
    """Everything that is wrong with a server.json, in the order of the file.

    Raises Refused when the document cannot be read; a document of any other shape is judged.
    """
    data = document.data
    if not isinstance(data, dict):
        message = f"server.json holds {shown(data)}; an object is wanted."
        return (Finding(NOT_AN_OBJECT, document.place(""), message, document.where(""), have=shown(data)),)
    faults = judge_data(cast("JsonObject", data), rules)
    return tuple(sorted((_finding(document, fault) for fault in faults), key=lambda f: f.position[:2]))


def judge_data(data: JsonObject, rules: tuple[Rule, ...] = OFFICIAL) -> tuple[Fault, ...]:
    """Everything that is wrong with a parsed server.json, in the order of the rules.

    Where a rule has an error for a value, the schema's own words about the same value are left out.
    """
    manifest = manifest_of(data, revision.effective_revision(data), catalog.newest("server"))
    faults = tuple(fault for rule in rules for fault in rule(manifest))
    if not faults:
        return ()
    special = (f for f in faults if f.code not in schema.CODES and (f.level or f.code.severity) == "error")
    ruled = {fault.pointer for fault in special}
    return tuple(f for f in faults if f.pointer not in ruled or f.code not in schema.CODES)


def _finding(document: Document, fault: Fault) -> Finding:
    return Finding(
        fault.code,
        document.place(fault.pointer),
        fault.message,
        _position(document, fault),
        have=fault.have,
        want=fault.want,
        hint=fault.hint,
        level=fault.level,
    )


def _position(document: Document, fault: Fault) -> Position:
    # What is wrong with an unknown key is the key, not the value that stands under it.
    if fault.code in _ABOUT_KEYS and fault.pointer in document.key_spans:
        return document.position(document.key_spans[fault.pointer])
    return document.where(fault.pointer)


_ABOUT_KEYS = (keys.UNKNOWN_KEY, meta.META_KEY_DROPPED, schema.KEY_NOT_ALLOWED)

_FAMILIES = (
    revision,
    schema,
    keys,
    text,
    name,
    version,
    repository,
    website,
    meta,
    package,
    image,
    bundle,
    transport,
    arguments,
)

CODES: tuple[Code, ...] = tuple(
    sorted(
        {NOT_AN_OBJECT}.union(
            *({c for c in vars(family).values() if isinstance(c, Code)} for family in _FAMILIES)
        )
    )
)
"""Every kind of finding that this package can make, by id."""

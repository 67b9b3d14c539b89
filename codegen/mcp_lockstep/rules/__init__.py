"""What is wrong with a server.json: its schema, and every rule of the registry that needs no network.

`judge_manifest` judges one document (`any_kind` has registry lists and MCPB manifests, `every` all codes).
`OFFICIAL` lists the rules of the official registry, `PRIVATE` those that hold for any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents.kinds import other_kind
from mcp_lockstep.findings import Code, Finding, Position
from mcp_lockstep.rules import (
    arguments,
    bundle,
    former,
    image,
    keys,
    meta,
    name,
    package,
    proposed,
    repository,
    revision,
    samples,
    schema,
    secrets,
    text,
    transport,
    version,
    website,
)
from mcp_lockstep.rules.manifest import (
    Fault,
    JsonObject,
    Manifest,
    Rule,
    each_package,
    manifest_of,
)
from mcp_lockstep.secrecy import without_secrets

if TYPE_CHECKING:
    from mcp_lockstep.documents.document import Document

BYTE_ORDER_MARK = Code(
    "LS2004",
    "byte-order-mark",
    "warning",
    "server.json begins with a byte order mark.",
    "The registry's own program stops at it with a message about the character `ï`; skipping it was proposed. Save "
    "the file as UTF-8 without the mark.",
)

PRIVATE: tuple[Rule, ...] = (
    revision.schema_revision,
    schema.schema_faults,
    keys.unknown_keys,
    text.description,
    text.title,
    samples.placeholders,
    version.server_version,
    website.website,
    website.icons,
    meta.meta_size,
    each_package(
        (
            version.package_versions,
            package.identifiers,
            transport.transports,
            arguments.named_arguments,
            arguments.variable_names,
        ),
        {
            **dict.fromkeys(package.BASE_URLS, (package.released,)),
            "oci": (image.images,),
            "mcpb": (bundle.bundles,),
        },
    ),
    transport.remotes,
    arguments.choices,
    secrets.credentials,
    secrets.keys_given,
    secrets.secrets_marked,
)
"""The rules that hold whatever registry the file is for."""

OFFICIAL: tuple[Rule, ...] = (
    *PRIVATE,
    former.former_packages,
    name.server_name,
    name.owner_case,
    repository.repository,
    each_package(
        (package.registry_types, proposed.value_hints, proposed.version_lengths),
        {
            **dict.fromkeys(package.BASE_URLS, (package.base_urls,)),
            "pypi": (package.base_urls, package.local_versions),
            "oci": (image.image_hosts,),
            "mcpb": (bundle.bundle_addresses,),
            "go": (proposed.go_packages,),
        },
    ),
    transport.public_remotes,
    proposed.remote_networks,
    proposed.whole_repository,
)
"""Every rule of the official registry that can be judged offline."""


def judge_manifest(document: Document, rules: tuple[Rule, ...] = OFFICIAL) -> tuple[Finding, ...]:
    """Everything that is wrong with a server.json, in the order of the file.

    Raises Refused when the document cannot be read; a document of any other shape is judged.
    """
    if (other := other_kind(document)) is not None:
        return (other,)
    return judge_manifests((document,), rules)[0]


def judge_manifests(documents: Sequence[Document], rules: tuple[Rule, ...]) -> list[tuple[Finding, ...]]:
    """Everything that is wrong with each of several server.json files, all of which were read and are objects."""
    faults = _judge([cast("JsonObject", document.data) for document in documents], rules)
    return [
        (*_marked(document), *_findings(document, found))
        for document, found in zip(documents, faults, strict=True)
    ]


def _marked(document: Document) -> Iterator[Finding]:
    if document.text.startswith("\ufeff"):
        message = "server.json begins with a byte order mark, which the registry's program does not read."
        hint = "Save it as UTF-8 without the mark."
        yield Finding(BYTE_ORDER_MARK, document.place(""), message, Position(), hint=hint)


def judge_data(data: JsonObject, rules: tuple[Rule, ...] = OFFICIAL) -> tuple[Fault, ...]:
    """Everything that is wrong with a parsed server.json, in the order of the rules."""
    return _judge((data,), rules)[0]


_AS_WRITTEN = (revision.schema_revision, schema.schema_faults, keys.unknown_keys, former.former_packages)
"""The rules that are about the names of keys; all others know those of today."""


def _judge(files: Sequence[JsonObject], rules: tuple[Rule, ...]) -> list[tuple[Fault, ...]]:
    newest = catalog.newest("server")
    written = [manifest_of(data, revision.effective_revision(data), newest) for data in files]
    today = [_with_todays_names(manifest) for manifest in written]
    faults: list[list[Fault]] = [[] for _ in files]
    # Rule by rule, not file by file: a third less time for many files, for the code of one rule stays in the cache.
    for rule in rules:
        for manifest, found in zip(written if rule in _AS_WRITTEN else today, faults, strict=True):
            found += rule(manifest)
    for index, manifest in enumerate(written):
        if manifest is not today[index]:
            faults[index] = [former.as_written(fault, manifest.data) for fault in faults[index]]
    return [_without_repeats(tuple(found)) for found in faults]


def _with_todays_names(manifest: Manifest) -> Manifest:
    if manifest.revision != former.REVISION:
        return manifest
    return manifest_of(former.with_todays_names(manifest.data), manifest.revision, manifest.newest)


def judge_move(document: Document, target: str) -> tuple[Finding, ...]:
    """Every key of a server.json that would be lost if it were moved back to the revision `target`."""
    data = cast("JsonObject", document.data)
    if target not in catalog.revisions("server") or target >= revision.effective_revision(data):
        return ()
    return _findings(document, tuple(keys.newer_keys(data, target)))


def findings_of(document: Document, faults: Iterable[Fault]) -> tuple[Finding, ...]:
    """The findings for `faults` of a document, each value judged once, in the order of the file."""
    return _findings(document, _without_repeats(tuple(faults)))


def _without_repeats(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    # Where a rule has an error for a value, the schema's own words about the same value add nothing.
    if not faults:
        return ()
    special = (f for f in faults if f.code not in schema.CODES and (f.level or f.code.severity) == "error")
    ruled = {fault.pointer for fault in special}
    return tuple(f for f in faults if f.pointer not in ruled or f.code not in schema.CODES)


def _findings(document: Document, faults: tuple[Fault, ...]) -> tuple[Finding, ...]:
    if not faults:
        return ()
    found = without_secrets(document, [_finding(document, fault) for fault in faults])
    return tuple(sorted(found, key=lambda f: f.position[:2]))


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


_ABOUT_KEYS = (
    former.FORMER_PACKAGE,
    keys.UNKNOWN_KEY,
    keys.KEY_NEWER,
    meta.META_KEY_DROPPED,
    schema.KEY_NOT_ALLOWED,
)

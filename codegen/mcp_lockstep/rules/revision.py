"""Rules for `$schema`: it is there, and it names a revision that is known."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.bundled import catalog
from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, JsonObject, Manifest, shown

SCHEMA_FIELD_REQUIRED = Code(
    "LS2001",
    "schema-field-required",
    "error",
    "server.json does not say which revision of the format it keeps to.",
    "The published schema lets `$schema` be absent, the registry does not. Its message names the field "
    "`schema`.",
    registry="schema-field-required",
)
SCHEMA_UNKNOWN = Code(
    "LS2002",
    "schema-unknown",
    "error",
    "`$schema` is no address of a published revision.",
    "A draft, another host or another path names no revision: the date inside it is not taken as one, and "
    "nothing is fetched. The file is judged by the newest bundled revision instead.",
    registry="schema-version-not-available schema-version-extraction-error",
)
SCHEMA_REVISION_OLD = Code(
    "LS2003",
    "schema-revision-old",
    "note",
    "The file keeps to an older revision than the newest one bundled.",
    "The registry still takes the file and warns. It reads every file with today's field names, so keys "
    "that only the older revision knows are lost; where the file has such keys this is a warning. "
    "`mcp-lockstep migrate FILE --write` moves the file to the newest revision.",
    registry="schema-version-deprecated",
)


def effective_revision(data: JsonObject) -> str:
    """The revision that a server.json is judged by: its own, or the newest where it names no known one."""
    declared = data.get("$schema")
    known = catalog.server_revision(declared) if isinstance(declared, str) else None
    return known or catalog.newest("server")


def schema_revision(manifest: Manifest) -> Iterator[Fault]:
    """`$schema` names a bundled revision."""
    declared, want = manifest.data.get("$schema"), catalog.server_url(manifest.newest)
    if declared == want:
        return
    if declared is None or declared == "":
        yield Fault(
            SCHEMA_FIELD_REQUIRED,
            "/$schema",
            "server.json has no `$schema`; the registry asks for the address of a revision.",
            want=want,
            hint=f'Add "$schema": "{want}".',
        )
    elif isinstance(declared, str) and catalog.server_revision(declared) is None:
        yield Fault(
            SCHEMA_UNKNOWN,
            "/$schema",
            f"`$schema` is {shown(declared)}, which is no published revision; it is judged by "
            f"{manifest.newest}.",
            have=declared,
            want=want,
            hint="Known are: " + ", ".join(map(catalog.server_url, catalog.revisions("server"))) + ".",
        )


def outdated(manifest: Manifest, lost: tuple[str, ...]) -> Iterator[Fault]:
    """An older revision is a note, and a warning where fields (`lost`, as people write them) are dropped."""
    if manifest.revision == manifest.newest:
        return
    message = f"`$schema` names revision {manifest.revision}; the newest is {manifest.newest}"
    if lost:
        message += f", where {', '.join(lost)} would be dropped"
    yield Fault(
        SCHEMA_REVISION_OLD,
        "/$schema",
        f"{message}.",
        have=manifest.revision,
        want=manifest.newest,
        hint="`mcp-lockstep migrate FILE --write` moves the file to the newest revision.",
        level="warning" if lost else None,
    )

"""A server.json in the spelling of today, without secrets: what a new project may be made from."""

from __future__ import annotations

import copy
import json

from mcp_lockstep.contract.sources import Published
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import as_object
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.documents.pointer import pointer_parts
from mcp_lockstep.findings import Refused
from mcp_lockstep.interface.said import Said
from mcp_lockstep.migrate import migrate
from mcp_lockstep.migrate.codes import ASSUMED, DROPPED
from mcp_lockstep.rules.manifest import JsonObject
from mcp_lockstep.secrecy.clearing import cleared

_PACKAGE_OWN = frozenset({"version", "registryBaseUrl", "registry_base_url", "fileSha256", "file_sha256"})
"""What a migration takes out of a package, and a package for another registry would not have anyway."""


def modern(published: Published, said: Said) -> JsonObject:
    """The server.json as the newest revision has it; secrets in it are left out, and that is said."""
    return _without_secrets(_migrated(published, said), said)


def _migrated(published: Published, said: Said) -> JsonObject:
    text = json.dumps(published.data, ensure_ascii=True)
    try:
        migrated = migrate(JsonDocument(published.origin.document.path, text.encode("utf-8")))
    except Refused:
        # It names a revision that is newer than all that are known: what is known of it still holds.
        return copy.deepcopy(published.data)
    for finding in migrated.said:
        pointer = place_pointer(finding.place)
        parts = pointer_parts(pointer)
        if finding.code is DROPPED:
            of_package = parts[:1] == ("packages",) and parts[-1] in _PACKAGE_OWN
            why = "it belongs to the other package" if of_package else "no revision of today has it"
            said.left_out(pointer, why, "" if of_package else finding.hint)
        elif finding.code is ASSUMED and pointer != "/$schema":
            said.changed(pointer, None, finding.want, "assumed, as it said nothing")
    # What the migration said has places of the file; what is said from here on has those of the newer spelling.
    said.origin = migrated.origin
    return as_object(migrated.after.data) or {}


def _without_secrets(data: JsonObject, said: Said) -> JsonObject:
    clear = cleared(data)
    for pointer in clear.taken:
        said.left_out(pointer, "it looks like a secret, and those are never written")
    return clear.data

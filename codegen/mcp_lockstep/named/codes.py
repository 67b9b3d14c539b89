"""What can be wrong with the name of a schema, and with what stands behind it."""

from __future__ import annotations

from mcp_lockstep.findings import Code

NOT_PULLED = Code(
    "LS0191",
    "schema-not-pulled",
    "error",
    "A schema is named that the project has no copy of.",
    "`check` and `sync` fetch nothing, and the draft of the protocol changes from day to day. "
    "`mcp-lockstep schemas pull SCHEMA SOURCE` brings a document into the project once, with its checksum.",
    exit=2,
)
OTHER_DOCUMENT = Code(
    "LS0192",
    "schema-other-document",
    "error",
    "A document is not the one that its checksum was taken of.",
    "Either the copy was edited, or the address now gives something else. Pull it again if the change is wanted; "
    "a released revision never changes.",
    exit=3,
)
NOT_FETCHED = Code(
    "LS0193",
    "schema-not-fetched",
    "error",
    "A document could not be fetched from its address.",
    "Only https addresses are fetched, without credentials in them, and at most 10 MB. Where the network is closed, "
    "download the document and name the file.",
    exit=2,
)
WRONG_LABEL = Code(
    "LS0195",
    "schema-wrong-label",
    "error",
    "A document cannot be kept under the name given.",
    "A pulled document is kept as NAME@REVISION, both of letters, digits, `.`, `_` and `-`.",
    exit=2,
)
CODES = (NOT_PULLED, OTHER_DOCUMENT, NOT_FETCHED, WRONG_LABEL)

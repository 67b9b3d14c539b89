"""Rules for a registry list: one file with many servers."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import At, Fault, JsonObject, field, shown
from mcp_lockstep.rules.schema import evaluator, worded
from mcp_lockstep.rules.text import description_too_long

DUPLICATE_SERVER = Code(
    "LS2180",
    "duplicate-server",
    "error",
    "Two entries of a registry list have the same name.",
    "Names are the keys of the list: readers keep one of the two, and not always the same one.",
)


def list_schema(data: JsonObject) -> Iterator[Fault]:
    """Everything that the schema of registry lists forbids."""
    for violation in evaluator("registry-list", "current").violations(data):
        if violation.keyword == "maxLength" and violation.pointer.endswith("/server/description"):
            yield description_too_long(violation, "a registry list")
        else:
            yield worded(violation)


def unique_names(data: JsonObject) -> Iterator[Fault]:
    """Every server of a registry list has a name of its own."""
    first: dict[str, str] = {}
    for entry in At("", data).children("servers"):
        server = entry.child("server")
        name, here = server.text("name"), server.to("name")
        if name and first.setdefault(name, here) != here:
            message = f"{field(here)} is {shown(name)}, like {field(first[name])}."
            yield Fault(
                DUPLICATE_SERVER, here, message, name, "a name of its own", "Rename or remove one of them."
            )

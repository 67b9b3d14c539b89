"""What is wrong with a JSON file that may be a server.json, a registry list or the manifest of a bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mcp_lockstep.documents.kinds import other_kind, sign_of
from mcp_lockstep.findings import Finding
from mcp_lockstep.rules import OFFICIAL, findings_of, judge_manifest, mcpb, registry_list
from mcp_lockstep.rules.manifest import Fault, JsonObject, Rule, members

if TYPE_CHECKING:
    from mcp_lockstep.documents.document import Document


def judge_any(document: Document, rules: tuple[Rule, ...] = OFFICIAL) -> tuple[Finding, ...]:
    """Everything that is wrong with a server.json, registry list or bundle manifest, whichever it is."""
    match sign_of(document.data).kind:
        case "server.json":
            return judge_manifest(document, rules)
        case "registry list":
            return judge_registry_list(document)
        case "MCPB manifest":
            return judge_mcpb(document)
        case _:
            other = other_kind(document, "server.json", "registry list", "MCPB manifest")
            return (other,) if other is not None else ()


def judge_registry_list(document: Document) -> tuple[Finding, ...]:
    """Everything that is wrong with a registry list, in the order of the file. Raises Refused."""
    return _judge(document, (registry_list.list_schema, registry_list.unique_names))


def judge_mcpb(document: Document) -> tuple[Finding, ...]:
    """Everything that is wrong with a bundle's `manifest.json`, in the order of the file. Raises Refused."""
    return _judge(document, (mcpb.bundle_revision_named, mcpb.bundle_schema))


def _judge(
    document: Document, rules: tuple[Callable[[JsonObject], Iterator[Fault]], ...]
) -> tuple[Finding, ...]:
    return findings_of(document, (fault for rule in rules for fault in rule(members(document.data))))

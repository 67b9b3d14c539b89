"""What is wrong with a JSON file that may be a server.json, a registry list or the manifest of a bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_lockstep.documents.kinds import Kind, other_kind, sign_of
from mcp_lockstep.findings import Finding
from mcp_lockstep.rules import OFFICIAL, findings_of, judge_manifests, mcpb, registry_list
from mcp_lockstep.rules.manifest import Fault, JsonObject, Rule, members

if TYPE_CHECKING:
    from mcp_lockstep.documents.document import Document


def judge_each(
    documents: Sequence[Document], rules: tuple[Rule, ...] = OFFICIAL
) -> list[tuple[Finding, ...]]:
    """Everything that is wrong with each of several files, be it a server.json, registry list or bundle manifest.

    Together they cost less than one by one. Raises Refused where one cannot be read.
    """
    kinds: list[Kind] = [sign_of(document.data).kind for document in documents]
    paired = list(zip(documents, kinds, strict=True))
    judged = iter(judge_manifests([document for document, kind in paired if kind == "server.json"], rules))
    return [
        next(judged) if kind == "server.json" else _judge_other(document, kind) for document, kind in paired
    ]


def _judge_other(document: Document, kind: Kind) -> tuple[Finding, ...]:
    match kind:
        case "registry list":
            return _judge_registry_list(document)
        case "MCPB manifest":
            return judge_mcpb(document)
        case _:
            other = other_kind(document, "server.json", "registry list", "MCPB manifest")
            return (other,) if other is not None else ()


def _judge_registry_list(document: Document) -> tuple[Finding, ...]:
    """Everything that is wrong with a registry list, in the order of the file. Raises Refused."""
    return _judge(document, (registry_list.list_schema, registry_list.unique_names))


def judge_mcpb(document: Document) -> tuple[Finding, ...]:
    """Everything that is wrong with a bundle's `manifest.json`, in the order of the file. Raises Refused."""
    return _judge(document, (mcpb.bundle_revision_named, mcpb.bundle_schema, mcpb.bundle_keys))


def _judge(
    document: Document, rules: tuple[Callable[[JsonObject], Iterator[Fault]], ...]
) -> tuple[Finding, ...]:
    return findings_of(document, (fault for rule in rules for fault in rule(members(document.data))))

"""What a server.json, of any revision, or the answer to `initialize` says about the server."""

from __future__ import annotations

from mcp_lockstep.contract.model import Identity
from mcp_lockstep.documents.data import JsonObject, as_object, objects, text_of
from mcp_lockstep.rules import judge_data
from mcp_lockstep.secrecy.clearing import cleared


def initialize_identity(answer: JsonObject) -> Identity:
    """The identity in the answer to `initialize`: its `serverInfo` and `instructions`."""
    info = as_object(answer.get("serverInfo")) or {}
    return Identity(
        label=text_of(info.get("name")),
        version=text_of(info.get("version")),
        title=text_of(info.get("title")),
        description=text_of(info.get("description")),
        website=text_of(info.get("websiteUrl")),
        instructions=text_of(answer.get("instructions")),
        icons=objects(info.get("icons")),
    )


def manifest_identity(manifest: JsonObject) -> Identity:
    """The identity in a server.json, without secrets; values of a wrong type count as absent."""
    manifest = cleared(manifest).data
    return Identity(
        name=text_of(manifest.get("name")),
        version=text_of(manifest.get("version")),
        title=text_of(manifest.get("title")),
        description=text_of(manifest.get("description")),
        website=text_of(_get(manifest, "websiteUrl")),
        icons=objects(manifest.get("icons")),
    )


def publishable(icon: JsonObject) -> bool:
    """Whether server.json takes an icon: clients get `data:` addresses over the wire, a registry refuses them."""
    faults = judge_data({"icons": [icon]})
    return not any(f.pointer.startswith("/icons") and f.code.severity == "error" for f in faults)


def _get(item: JsonObject, key: str) -> object:
    """The value of a camel-case key, or of the snake-case one that stood in its place before 2025-09-16."""
    if key in item:
        return item[key]
    return item.get("".join(f"_{c.lower()}" if c.isupper() else c for c in key))

"""Identities from server.json and from the answer to `initialize`."""

from __future__ import annotations

from mcp_lockstep.contract.identity import initialize_identity, manifest_identity
from mcp_lockstep.contract.model import Identity
from mcp_lockstep.documents.data import JsonObject


def test_answer_to_initialize() -> None:
    info = {
        "name": "weather",
        "title": "Weather",
        "version": "1.0",
        "websiteUrl": "https://x",
        "icons": [{"src": "i"}],
    }
    assert initialize_identity({"serverInfo": info, "instructions": "Ask."}) == Identity(
        label="weather",
        title="Weather",
        version="1.0",
        website="https://x",
        instructions="Ask.",
        icons=({"src": "i"},),
    )
    assert initialize_identity({"serverInfo": None}) == Identity()


def test_values_of_a_wrong_type_count_as_absent() -> None:
    manifest: JsonObject = {"name": 5, "packages": {"a": 1}, "icons": ["x"], "remotes": None, "version": None}
    assert manifest_identity(manifest) == Identity()

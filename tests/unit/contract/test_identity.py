"""Identities from server.json and from the answer to `initialize`."""

from __future__ import annotations

from mcp_lockstep.contract.identity import initialize_identity, manifest_identity
from mcp_lockstep.contract.model import Argument, Identity, Variable
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


def test_variables_and_arguments_of_a_manifest() -> None:
    packages: list[JsonObject] = [
        {
            "environmentVariables": [
                {"name": "API_KEY", "description": "Key.", "isRequired": True, "isSecret": True},
                {"name": "UNITS", "default": "metric", "choices": ["metric", "imperial"]},
            ],
            "packageArguments": [
                {"type": "positional", "valueHint": "folder", "isRepeated": True},
                {"type": "named", "name": "--port", "default": "8080", "format": "number"},
            ],
        },
        {
            "environment_variables": [
                {"name": "API_KEY"},
                {"name": "MODE", "value": "http", "is_required": True},
            ],
            "package_arguments": [
                {"type": "positional", "value_hint": "other"},
                {"type": "named", "name": "--port"},
            ],
        },
    ]
    identity = manifest_identity({"name": "a/b", "packages": packages})
    assert identity.variables == (
        Variable("API_KEY", "Key.", required=True, secret=True),
        Variable("UNITS", default="metric", choices=("metric", "imperial")),
        Variable("MODE", value="http", required=True),
    )
    assert identity.arguments == (
        Argument(hint="folder", repeated=True),
        Argument("--port", default="8080", format="number"),
    )


def test_values_of_a_wrong_type_count_as_absent() -> None:
    manifest: JsonObject = {"name": 5, "packages": {"a": 1}, "icons": ["x"], "remotes": None, "version": None}
    assert manifest_identity(manifest) == Identity()

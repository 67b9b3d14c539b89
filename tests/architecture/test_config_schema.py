"""The published schema of the configuration accepts what the reader accepts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tomli
from jsonschema import Draft7Validator

from mcp_lockstep.config import Config, read_config
from mcp_lockstep.tree import Memory, Tree

FULL = """\
name = "io.github.acme/weather"
sdk = "mcp2"
contract = "contract.json"
version = "bumped"
build-strict = true
backend-path = ["_build"]
plugins = ["a"]
ignore = { "description-too-long" = "shown shortened" }
severity = { LS2001 = "note" }
[[places]]
fact = "version"
place = "VERSION"
[[models]]
schema = "mcp@2026-07-28"
output = "src/weather/protocol.py"
[[servers]]
path = "servers/forecast"
"""


def accepted(root: Path, text: str) -> tuple[bool, bool]:
    """Whether the schema and whether the reader accept `text` as mcp-lockstep.toml."""
    schema = json.loads((root / "schemas/config.json").read_text(encoding="utf-8"))
    _, findings = read_config(Tree(Memory({"mcp-lockstep.toml": text.encode()})))
    errors = [finding for finding in findings if finding.severity == "error"]
    return Draft7Validator(schema).is_valid(tomli.loads(text)), not errors


def test_a_full_configuration_is_accepted_by_both(root: Path) -> None:
    assert accepted(root, FULL) == (True, True)


@pytest.mark.parametrize(
    "text",
    [
        "nmae = 'x'",
        "sdk = 'mcp3'",
        "build-strict = 1",
        "plugins = [1]",
        "ignore = { a = 1 }",
        "severity = { LS2 = 'fatal' }",
        "[[places]]\nfact = 'version'",
        "[[servers]]\npath = 'x'\nname = 'y'",
    ],
)
def test_a_wrong_configuration_is_refused_by_both(root: Path, text: str) -> None:
    assert accepted(root, text) == (False, False)


def test_every_field_of_the_configuration_has_a_key(root: Path) -> None:
    schema = json.loads((root / "schemas/config.json").read_text(encoding="utf-8"))
    assert {key.replace("-", "_") for key in schema["properties"]} == set(Config._fields) - {"path"}

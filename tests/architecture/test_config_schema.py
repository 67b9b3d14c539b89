"""The published schema of the configuration accepts what the reader accepts, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
import tomli
from jsonschema import Draft7Validator

from mcp_lockstep.config import Config, read_config
from mcp_lockstep.documents.data import JsonObject, table
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


VALUES = (
    *(
        '""',
        '"x"',
        '" x "',
        '"mcp2"',
        '"fastmcp3"',
        '"build"',
        '"private"',
        '"exact"',
        '"msgspec"',
        '"2.12"',
        '"3.12"',
        '"*"',
    ),
    *(
        '"../x"',
        '"/x"',
        '"C:/x"',
        '"a/../b"',
        '"a/.."',
        '"a/..b"',
        '"."',
        '".."',
        "'a\\..\\b'",
        "'a\\b'",
        '"a/b:c"',
    ),
    *("1", "1.5", "nan", "true", "2026-01-01", "[]", '[""]', '["x"]', '["../x"]', "[1]", '[["x"]]'),
    *("{}", '{ a = "x" }', '{ a = "note" }', "{ a = 1 }", "{ a = {} }", "[{}]", '[{ a = "x" }]'),
)
"""Texts, paths, numbers, lists and tables: something right for every key, and much that is wrong."""

TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "": ("", {}),
    "models": ("[[models]]\n", {"schema": '"s.json"', "output": '"m.py"'}),
    "places": ("[[places]]\n", {"fact": '"version"', "place": '"VERSION"'}),
    "servers": ("[[servers]]\n", {"path": '"servers/forecast"'}),
}
"""Key of each array of tables -> how one begins, and what it cannot lack; the configuration itself at the start."""


def accepted(root: Path, text: str) -> tuple[bool, bool]:
    """Whether the schema and whether the reader accept `text` as mcp-lockstep.toml."""
    _, findings = read_config(Tree(Memory({"mcp-lockstep.toml": text.encode()})))
    errors = [finding for finding in findings if finding.severity == "error"]
    return Draft7Validator(published(root)).is_valid(tomli.loads(text)), not errors


def published(root: Path) -> JsonObject:
    return cast("JsonObject", json.loads((root / "schemas/config.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", TABLES)
def test_schema_and_reader_agree_on_every_key_with_every_kind_of_value(name: str, root: Path) -> None:
    head, needed = TABLES[name]
    keys = table(published(root), *(("properties", name, "items") if name else ()), "properties")
    differing: list[str] = []
    right: set[str] = set()
    # Whether the file that `extends` names is there is no matter of a schema.
    for key in (*(set(keys) - {"extends"}), "unknown"):
        for value in VALUES:
            text = head + "".join(f"{one} = {what}\n" for one, what in {**needed, key: value}.items())
            schema, reader = accepted(root, text)
            differing += [text] if schema is not reader else []
            right |= {key} if schema else set()
    assert differing == []
    assert right == set(keys) - {"extends"}


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


def test_the_page_about_the_configuration_has_every_key_and_no_other(root: Path) -> None:
    page = (root / "docs/configuration.md").read_text(encoding="utf-8")
    schema = json.loads((root / "schemas/config.json").read_text(encoding="utf-8"))
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    without_effect = re.findall("`([a-z]+)`", page.partition("and do nothing")[0].rpartition("\n\n")[2])
    told = [*re.findall("`([a-z-]+)`", "".join(rows)), *without_effect]
    assert sorted(told) == sorted(schema["properties"])
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    config, findings = read_config(Tree(Memory({"pyproject.toml": block.encode()})))
    assert findings == ()
    assert (config.name, config.places[0].place) == ("io.github.acme/weather", "docs/conf.py")

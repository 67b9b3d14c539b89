"""The file of a module of models: what its head says, and what it is made of."""

from __future__ import annotations

import json

import pytest

from generated_modules import loaded
from mcp_lockstep.config import ModelJob
from mcp_lockstep.findings import Refused
from mcp_lockstep.generated.modules import task
from mcp_lockstep.generated.recipe import read_seal
from mcp_lockstep.models.file import ModuleFile, module_file
from mcp_lockstep.named import for_project
from mcp_lockstep.named.pins import pull
from mcp_lockstep.tree import Memory, Tree

HOSTILE = 'x"\n"""\r\u2028\u202e# type: ignore\x7f' + "y" * 300


def made(schema: str, files: dict[str, bytes], patches: str = "") -> ModuleFile:
    job = ModelJob(schema, "out.py", patches=patches)
    return module_file(task(job, for_project(Tree(Memory(files)))))


def head(text: str) -> list[str]:
    return text.partition("\n\n")[0].splitlines()[2:]


def test_the_head_of_a_bundled_schema() -> None:
    text = made("server@2025-12-11", {}).text
    assert head(text) == [
        "# fmt: off",
        "# ruff: noqa",
        "# isort: skip_file",
        "# schema: server@2025-12-11",
        "# $id: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "# revision: 2025-12-11",
        "# sha256: 3fba09590c99f61735d234822279f4223fab9e300c0a81e81c91ab62a4114de0 (published document)",
        "# profile: exact, pydantic",
    ]
    seal = read_seal(text.encode())
    assert seal is not None and seal.intact
    assert {"ServerJson", "Package"} <= set(loaded(text).__all__)


def test_no_text_of_others_ends_its_line() -> None:
    schema = {"$id": HOSTILE, "version": HOSTILE, "title": "T", "type": "string"}
    text = made("a.json", {"a.json": json.dumps(schema).encode()}).text
    lines = head(text)
    assert [line.partition(":")[0] for line in lines[3:]] == [
        "# schema", "# $id", "# revision", "# sha256", "# profile",
    ]  # fmt: skip
    assert all(line.isascii() and line.isprintable() and len(line) < 200 for line in lines)
    assert loaded(text).__all__ == ["T"]


def test_key_order_changes_no_byte() -> None:
    schema = {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "number"}}}
    turned = {"properties": {"a": {"type": "number"}, "b": {"type": "string"}}, "type": "object"}
    one = made("x/forecast.schema.json", {"x/forecast.schema.json": json.dumps(schema).encode()})
    two = made("forecast.schema.json", {"forecast.schema.json": json.dumps(turned, indent=3).encode()})
    assert one.text == two.text
    assert one.names == {"": "Forecast"}


def test_patches_are_carried_out_and_counted() -> None:
    patches = {
        "patches": [
            {"pointer": "/type", "old": "string", "new": "integer", "reason": "the server sends numbers"}
        ]
    }
    files = {"a.json": b'{"title": "A", "type": "string"}', "p.json": json.dumps(patches).encode()}
    text = made("a.json", files, "p.json").text
    assert "# patches: 1" in head(text)
    assert "JsonInt" in text
    files["a.json"] = b'{"title": "A", "type": "number"}'
    with pytest.raises(Refused) as caught:
        made("a.json", files, "p.json")
    assert [finding.code.slug for finding in caught.value.findings] == ["patch-unfit"]


def test_pulled_prose_is_tidied() -> None:
    raw = b'{"definitions": {"A": {"type": "string", "description": "Like {@link B | bees}."}, "B": {}}}'
    files = pull(Tree(Memory({})), "mcp@draft", "draft.json", raw).files
    text = made("mcp@draft", files).text
    assert "Like bees." in text
    assert "# schema: mcp@draft" in text


def test_what_is_wrong_with_a_schema_has_its_line() -> None:
    found = made("a.json", {"a.json": b'{\n "type": "object",\n "minLength": "x"\n}'})
    (finding,) = found.findings
    assert (found.text, finding.code.slug, finding.position.line) == ("", "schema-malformed", 3)

"""The manifest cases of the reference material through `migrate`, `render` and `validate`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.migrate import migrate

NEWEST = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
VERSION = '"version": "1.2.0",\n      '
BASE = '"registryBaseUrl": "https://ghcr.io",\n      '
TAGLESS, TAGGED = '"ghcr.io/acme/widget-mcp"', '"ghcr.io/acme/widget-mcp:1.2.0"'

MOVED: dict[str, tuple[tuple[str, str], ...]] = {
    "07": (("https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json", NEWEST),),
    "08": (("https://modelcontextprotocol.io/schema/2025-10-17/server.json", NEWEST),),
    "10": (),
    "25": ((TAGLESS, TAGGED), (f"{TAGGED},\n      {VERSION}", f"{TAGGED},\n      ")),
    "26": ((BASE, ""),),
}
"""By case, the texts that a migration replaces, each once; every other byte stays and nothing is left to say."""

LEFT = {
    "22": ["wrong-type"],
    "23": ["unsupported-transport-type", "streamable-transport-url-required"],
    "28": ["mcpb-hash-required", "mcpb-identifier"],
}
"""By case, what a person must decide after a migration that changes nothing."""


def case_of(shared: Path, number: str) -> Path:
    return next((shared / "cases").glob(f"{number}-*")) / "server.json"


@pytest.mark.parametrize("number", MOVED)
def test_a_case_is_moved_and_all_else_stays(shared: Path, number: str) -> None:
    raw = case_of(shared, number).read_bytes()
    expected = raw.decode()
    for old, new in MOVED[number]:
        assert old in expected
        expected = expected.replace(old, new, 1)
    migrated = migrate(JsonDocument("server.json", raw))
    assert migrated.after.text == expected
    assert migrated.left == ()


@pytest.mark.parametrize("number", LEFT)
def test_what_no_step_can_mend_is_left_and_told(shared: Path, number: str) -> None:
    migrated = migrate(JsonDocument("server.json", case_of(shared, number).read_bytes()))
    assert not migrated.changed
    assert [finding.code.slug for finding in migrated.left] == LEFT[number]


def test_the_default_that_was_a_number_becomes_a_text(shared: Path) -> None:
    migrated = migrate(JsonDocument("server.json", case_of(shared, "29").read_bytes()))
    assert '"default": "8000"' in migrated.after.text
    assert migrated.left == ()


def test_a_template_is_rendered_elsewhere(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(case_of(shared, "14").parent, tmp_path / "project")
    folder = tmp_path / "project"
    template = (folder / "server.json").read_bytes()
    assert main(["render", str(folder)]) == 1
    assert "{{OCI_IMAGE}}" in capsys.readouterr().err
    out = tmp_path / "out.json"
    image = "ghcr.io/acme/widget-mcp:1.3.0"
    assert main(["render", str(folder), "--set", f"OCI_IMAGE={image}", "-o", str(out)]) == 0
    expected = template.decode().replace("{{VERSION}}", "1.3.0").replace("{{OCI_IMAGE}}", image)
    assert out.read_text(encoding="utf-8") == expected
    assert (folder / "server.json").read_bytes() == template


def test_the_examples_of_the_format_are_valid_and_stay_so_when_moved(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = shared / "seeds" / "server-json-examples"
    assert main(["validate", str(examples)]) == 0
    assert capsys.readouterr().out.endswith("valid: 12 files\n")
    for path in sorted(examples.iterdir()):
        before = json.loads(path.read_bytes())
        migrated = migrate(JsonDocument(path.name, path.read_bytes()))
        wrong = [f.code.slug for f in migrated.left if f.severity == "error"]
        http = any(remote["url"].startswith("http:") for remote in before.get("remotes", ()))
        assert wrong == ["invalid-remote-url"] * http

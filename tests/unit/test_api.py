"""The two verbs as other programs call them."""

from __future__ import annotations

from pathlib import Path

import pytest

import mcp_lockstep

PYPROJECT = '[project]\nname = "widget"\nversion = "1.3.0"\nreadme = "README.md"\n'
MANIFEST = """{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.acme/widget",
  "description": "Counts widgets.",
  "version": "1.2.0",
  "packages": [{"registryType": "pypi", "identifier": "widget", "version": "1.3.0", "transport": {"type": "stdio"}}]
}
"""
README = "# widget\n\n<!-- mcp-name: io.github.acme/widget -->\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in (("pyproject.toml", PYPROJECT), ("server.json", MANIFEST), ("README.md", README)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_check_says_what_sync_mends(project: Path) -> None:
    found = mcp_lockstep.check(project, only="version")
    assert [(str(f.place), f.have, f.want) for f in found] == [("server.json#/version", "1.2.0", "1.3.0")]
    synced = mcp_lockstep.sync(project)
    assert [change.path for change in synced.plan.changes] == ["server.json"]
    assert (project / "server.json").read_text(encoding="utf-8") == MANIFEST.replace("1.2.0", "1.3.0")
    assert mcp_lockstep.check(project, only="version") == ()


def test_what_is_not_there_is_never_in_step(project: Path) -> None:
    for call in (mcp_lockstep.check, mcp_lockstep.sync):
        with pytest.raises(mcp_lockstep.Refused, match="is no folder"):
            call(project / "nowhere")
    with pytest.raises(ValueError, match="there is no fact 'versions'; there are arguments, "):
        mcp_lockstep.check(project, only="versions")


def test_only_public_names_are_there() -> None:
    assert (
        mcp_lockstep.Place("a", "#", "/b")
        == mcp_lockstep.Finding(
            mcp_lockstep.Code("LS9999", "x", "note", "", ""), mcp_lockstep.Place("a", "#", "/b"), ""
        ).place
    )
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        mcp_lockstep.nonsense  # noqa: B018 - the access is what is tested

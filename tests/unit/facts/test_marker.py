"""The ownership marker: where it must stand, and what is wrong with it."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.documents import apply_edits
from mcp_lockstep.facts.marker import judge_marker
from mcp_lockstep.facts.read import read_facts
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

NAME = "io.github.acme/weather"
PYPROJECT = "[project]\nname = 'weather'\nversion = '1'\n"


def judged(
    readme: str | None,
    pyproject: str | None = PYPROJECT,
    registry: str = "pypi",
    path: str = "README.md",
    name: str = NAME,
) -> tuple[list[str], str | None]:
    """The slugs of what is said about the marker, and the mended text (None: nothing to mend)."""
    manifest = {"name": name, "packages": [{"registryType": registry, "identifier": "weather"}]}
    files = {"server.json": json.dumps(manifest).encode()}
    files |= {} if readme is None else {path: readme.encode()}
    files |= {} if pyproject is None else {"pyproject.toml": pyproject.encode()}
    project = Project(Tree(Memory(files)))
    marked = judge_marker(project, read_facts(project, ()))
    text = apply_edits(readme or "", marked.edits) if marked.edits else None
    return [finding.code.slug for finding in marked.findings], text


@pytest.mark.parametrize(
    "readme",
    [
        f"mcp-name: {NAME}",
        f"<!-- mcp-name: {NAME} -->\n",
        f"<!--mcp-name: {NAME}-->",
        f"`mcp-name: {NAME}`",
        f"mcp-name: {NAME}, of course\n",
        f"mcp-name: {NAME}\r\n",
        f"mcp-name: {NAME}\n\nmcp-name: {NAME}\n",
    ],
)
def test_a_marker_that_the_registry_reads(readme: str) -> None:
    assert judged(readme) == ([], None)


@pytest.mark.parametrize("registry", ["pypi", "nuget", "cargo"])
def test_a_marker_is_asked_for_where_the_description_proves_ownership(registry: str) -> None:
    assert judged("# W\n", None, registry)[0] == ["readme-marker-missing"]


@pytest.mark.parametrize("registry", ["npm", "oci", "mcpb", "", "PyPI"])
def test_and_nowhere_else(registry: str) -> None:
    assert judged("# W\n", None, registry) == ([], None)


def test_it_is_added_behind_the_first_heading() -> None:
    assert judged("# W\n\nText.\n")[1] == f"# W\n\n<!-- mcp-name: {NAME} -->\n\nText.\n"
    assert judged("W\r\n=\r\nText.")[1] == f"W\r\n=\r\n\r\n<!-- mcp-name: {NAME} -->\r\nText."
    assert judged("Text.")[1] == f"<!-- mcp-name: {NAME} -->\n\nText."


def test_it_is_a_comment_in_the_language_of_the_file() -> None:
    path = "docs/index.rst"
    text = judged("W\n=\n\nText.\n", f"{PYPROJECT}readme = '{path}'\n", path=path)[1]
    assert text == f"W\n=\n\n.. mcp-name: {NAME}\n\nText.\n"


@pytest.mark.parametrize(
    ("readme", "slugs"),
    [
        (f"mcp-name: {NAME}.", ["readme-marker-unended"]),
        (f"MCP-Name: {NAME}\n", ["readme-marker-misspelt"]),
        (f"mcp-name:{NAME}\n", ["readme-marker-misspelt"]),
        (f"mcp-name:  {NAME}\n", ["readme-marker-misspelt"]),
        (f"mcp-name: {NAME}\nmcp-name: a.b/c\n", ["readme-marker-twice"]),
        (f"mcp-name: {NAME}.\nmcp-name: a.b/c\n", ["readme-marker-unended", "readme-marker-twice"]),
    ],
)
def test_a_marker_that_the_registry_does_not_read(readme: str, slugs: list[str]) -> None:
    assert judged(readme) == (slugs, None)


@pytest.mark.parametrize(
    ("pyproject", "file", "fixable"),
    [
        (PYPROJECT, "README.md", True),
        (f"{PYPROJECT}readme = 'docs/a.md'\n", "docs/a.md", False),
        (f"{PYPROJECT}readme = {{ file = 'docs/a.md' }}\n", "docs/a.md", False),
        (f"{PYPROJECT}readme = {{ text = 'inline' }}\n", "pyproject.toml", False),
    ],
)
def test_the_file_is_the_one_that_becomes_the_description(pyproject: str, file: str, fixable: bool) -> None:
    manifest = {"name": NAME, "packages": [{"registryType": "pypi", "identifier": "weather"}]}
    files = {
        "server.json": json.dumps(manifest).encode(),
        "pyproject.toml": pyproject.encode(),
        "README.md": b"# W\n",
    }
    project = Project(Tree(Memory(files)))
    (finding,) = judge_marker(project, read_facts(project, ())).findings
    assert (finding.place.path, finding.fixable, finding.want) == (file, fixable, NAME)


def test_a_pyproject_that_builds_nothing_has_no_description() -> None:
    assert judged("# W\n", "[tool.other]\n") == ([], None)


def test_a_description_inside_pyproject_holds_the_marker_itself() -> None:
    inline = PYPROJECT + "readme = {{text = 'Weather. mcp-name: {} ', content-type = 'text/markdown'}}\n"
    assert judged(None, inline.format(NAME)) == ([], None)
    assert judged(None, inline.format("io.github.acme/other")) == (["readme-marker-missing"], None)


def test_a_pyproject_that_cannot_be_read_may_name_any_file() -> None:
    assert judged(None, "[project\n") == ([], None)

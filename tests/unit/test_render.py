"""The server.json to publish: what is filled, what is refused, and how a template is judged."""

from __future__ import annotations

import json

import pytest

from manifests import sound_manifest
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import as_object
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.project import Project
from mcp_lockstep.render import Rendered, Values, fill, render, stand_in
from mcp_lockstep.tree import Memory, Tree

PYPROJECT = '[project]\nname = "weather"\n{}\n[tool.mcp-lockstep]\n{}\n'
TEMPLATE = """{{
\t"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
\t"name": "io.github.acme/weather", "description": "Forecasts.",
\t"version": "{0}",
\t"packages": [
\t\t{{"registryType": "pypi", "identifier": "weather", "version": "{0}", "transport": {{"type":"stdio"}}}},
\t\t{{"registryType": "oci", "identifier": "ghcr.io/acme/weather:{1}", "transport": {{"type":"stdio"}}}}
\t]
}}"""


def project_of(manifest: str, pyproject: str | None = 'version = "1.2.0"', config: str = "") -> Project:
    files = {"server.json": manifest.encode()}
    if pyproject is not None:
        files["pyproject.toml"] = PYPROJECT.format(pyproject, config).encode()
    return Project(Tree(Memory(files)))


def rendered(project: Project, version: str | None = None, **named: str) -> Rendered:
    assert project.manifest is not None
    return render(project, project.manifest, Values(version, named))


@pytest.mark.parametrize("form", ["{{VERSION}}", "$VERSION", "${VERSION}", "@VERSION@", "{{ env.VERSION }}"])
def test_the_version_of_the_project_is_put_in_and_the_style_kept(form: str) -> None:
    result = rendered(project_of(TEMPLATE.format(form, form)))
    assert result.document.text == TEMPLATE.format("1.2.0", "1.2.0")
    assert result.findings == ()


def test_a_given_version_wins_and_a_prefix_stays() -> None:
    result = rendered(project_of(TEMPLATE.format("{{VERSION}}", "v{{VERSION}}")), "2.0.0rc1")
    assert result.document.text == TEMPLATE.format("2.0.0rc1", "v2.0.0rc1")


def test_a_version_without_placeholders_is_replaced_everywhere() -> None:
    result = rendered(project_of(TEMPLATE.format("0.0.0", "0.0.0"), 'dynamic = ["version"]'), "1.3.0")
    assert result.document.text == TEMPLATE.format("1.3.0", "1.3.0")
    assert result.findings == ()


@pytest.mark.parametrize(
    ("pyproject", "config"),
    [
        ('dynamic = ["version"]', ""),
        ('dynamic = ["version"]', 'version = "build"'),
        (None, None),
    ],
)
def test_a_version_that_nobody_knows_is_asked_for(pyproject: str | None, config: str | None) -> None:
    project = project_of(TEMPLATE.format("0.0.0", "0.0.0"), pyproject, config or "")
    slugs = [(f.code.slug, str(f.place)) for f in rendered(project).findings]
    wanted = [("render-version-needed", "server.json#/version")] if pyproject else []
    assert slugs == wanted


def test_another_spelling_of_the_agreed_version_stays() -> None:
    text = TEMPLATE.format("1.2.0-rc.1", "1.2.0-rc.1")
    project = project_of(text, 'version = "1.2.0rc1"')
    assert rendered(project).document.text == text
    assert rendered(project, "1.2.0rc1").document.text == TEMPLATE.format("1.2.0rc1", "1.2.0rc1")


def test_each_unfilled_placeholder_is_a_finding() -> None:
    project = project_of(TEMPLATE.format("{{VERSION}}", "{{TAG}}-@BUILD@"), None)
    found = [(f.code.slug, str(f.place), f.have, f.hint) for f in rendered(project).findings]
    assert found == [
        ("placeholder-unfilled", "server.json#/version", "{{VERSION}}", "Give `--version V`."),
        ("placeholder-unfilled", "server.json#/packages/0/version", "{{VERSION}}", "Give `--version V`."),
        ("placeholder-unfilled", "server.json#/packages/1/identifier", "{{TAG}}", "Give `--set TAG=VALUE`."),
        (
            "placeholder-unfilled",
            "server.json#/packages/1/identifier",
            "@BUILD@",
            "Give `--set BUILD=VALUE`.",
        ),
    ]


def test_named_values_go_in_and_are_left_as_given() -> None:
    project = project_of(TEMPLATE.format("{{VERSION}}", "{{TAG}}"))
    result = rendered(project, TAG="9", OTHER="x")
    assert result.document.text == TEMPLATE.format("1.2.0", "9")
    assert [(f.code.slug, f.have) for f in result.findings] == [("render-value-unused", "OTHER")]


def test_a_value_is_put_in_as_text_whatever_it_holds() -> None:
    hostile = 'a"b\\n{{VERSION}}\u202e'
    project = project_of(TEMPLATE.format("{{X}}", "1.2.0"))
    data = as_object(rendered(project, X=hostile).document.data)
    assert data is not None
    assert data["version"] == hostile


def test_text_that_a_client_or_a_shell_reads_is_no_placeholder() -> None:
    data = sound_manifest()
    package = {
        "registryType": "pypi",
        "identifier": "weather",
        "version": "$VERSION",
        "transport": {"type": "stdio"},
        "runtimeArguments": [{"type": "positional", "value": "${HOME}/x:$PWD"}],
        "environmentVariables": [{"name": "A", "default": "$PYTHON_VERSION"}],
    }
    meta = {"io.modelcontextprotocol.registry/publisher-provided": {"run": "$HOME ${X_VERSION}"}}
    document = JsonDocument(
        "server.json", json.dumps({**data, "packages": [package], "_meta": meta}).encode()
    )
    filled = fill(document, Values("1.2.0"))
    assert filled.unfilled == ()
    assert [edit.text for edit in filled.edits] == ['"1.2.0"']


@pytest.mark.parametrize(
    ("key", "text", "filled"),
    [
        ("version", "{{ANYTHING}}", True),
        ("version", "v{{ANYTHING}}", True),
        ("version", "{{MAJOR}}.{{MINOR}}", False),
        ("version", "{{PACKAGE_VERSION}}-x", True),
        ("title", "{{PACKAGE_VERSION}}", False),
        ("title", "Weather {{version}}", True),
        ("$schema", "https://x/{{VERSION}}/server.schema.json", False),
    ],
)
def test_what_means_the_version(key: str, text: str, filled: bool) -> None:
    document = JsonDocument("server.json", json.dumps({key: text}).encode())
    result = fill(document, Values("1.2.0"))
    assert (bool(result.edits), bool(result.unfilled)) == (filled, not filled)


def test_a_template_is_judged_by_its_rendered_copy_at_its_own_places() -> None:
    bad = TEMPLATE.format("{{VERSION}}", "{{VERSION}}").replace("acme/weather:", "Acme/Weather:")
    findings = [f for f in judge_tree(project_of(bad)).findings if f.code.id.startswith("LS2")]
    (reference,) = [f for f in findings if f.code.slug == "oci-reference-invalid"]
    assert "ghcr.io/Acme/Weather:1.2.0" in reference.message
    assert reference.position[:2] == (7, 41)


@pytest.mark.parametrize("pyproject", ['version = "1.2.0"', 'dynamic = ["version"]', None])
def test_a_sound_template_has_notes_only(pyproject: str | None) -> None:
    readme = b"<!-- mcp-name: io.github.acme/weather -->\n"
    files = {
        "server.json": TEMPLATE.format("{{VERSION}}", "{{VERSION}}").encode(),
        "README.md": readme,
    }
    if pyproject:
        files["pyproject.toml"] = (
            f'[project]\nname = "weather"\nreadme = "README.md"\n{pyproject}\n'
            '[project.scripts]\nweather = "weather:main"\n'
        ).encode()
    findings = judge_tree(Project(Tree(Memory(files)))).findings
    assert [(f.severity, f.code.slug) for f in findings if f.severity != "note"] == []


def test_a_stand_in_keeps_text_and_places() -> None:
    document = JsonDocument("server.json", TEMPLATE.format("{{VERSION}}", "x").encode())
    standing = stand_in(document, None)
    data = as_object(standing.data)
    assert data is not None
    assert data["version"] == "1.0.0"
    assert (standing.text, standing.spans["/version"]) == (document.text, document.spans["/version"])
    plain = JsonDocument("server.json", TEMPLATE.format("1.2.0", "x").encode())
    assert stand_in(plain, "9") is plain

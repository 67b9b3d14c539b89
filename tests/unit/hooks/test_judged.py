"""What a build is told, when that refuses it, and what goes in: on projects in memory, without any backend."""

from __future__ import annotations

import json
from itertools import product

import pytest

from mcp_lockstep.findings import Code, Finding, Place, Severity
from mcp_lockstep.hooks.built import STRICT, Built, Kind
from mcp_lockstep.hooks.judged import Look, judge_build, refuses
from mcp_lockstep.judge import judge_tree, wanted
from mcp_lockstep.project import Project
from mcp_lockstep.render import rendered_for
from mcp_lockstep.tree import Memory, Tree
from packages import package, server

MARKER = "<!-- mcp-name: io.github.acme/weather -->\n"
SCRIPTS = '[project.scripts]\nweather = "w:m"\n'
PYPROJECT = f'[project]\nname = "weather"\nversion = "1.2.0"\nreadme = "README.md"\n{SCRIPTS}'
DYNAMIC = PYPROJECT.replace('version = "1.2.0"', 'dynamic = ["version"]')


def manifest(version: str = "1.2.0", **more: object) -> str:
    return json.dumps(server(package(version=version), **{"version": version, **more}), indent=2)


def project(**files: str) -> Project:
    """A sound project with other contents in some files: `pyproject`, `server`, `readme`, and more by name."""
    named = {"pyproject": "pyproject.toml", "server": "server.json", "readme": "README.md"}
    whole = {"pyproject": PYPROJECT, "server": manifest(), "readme": MARKER, **files}
    return Project(Tree(Memory({named.get(key, key): text.encode() for key, text in whole.items()})))


def seen(one: Project) -> Look:
    return Look(one, wanted(judge_tree(one).findings, one.config))


def told(
    one: Project, version: str = "1.2.0", description: str | None = MARKER, kind: Kind = "sdist"
) -> list[str]:
    """Severity and slug of every finding of a build."""
    verdict = judge_build(seen(one), Built(kind, version, description))
    return [f"{finding.severity} {finding.code.slug}" for finding in verdict.findings]


# Refusal

KINDS: tuple[Kind, ...] = ("sdist", "wheel", "editable")
STRICTNESS = {
    "neither": ("", None),
    "table": ("[tool.mcp-lockstep]\nbuild-strict = true\n", None),
    "variable": ("", "1"),
    "variable is a word": ("", "yes"),
    "variable is 0": ("", "0"),
    "variable is empty": ("", ""),
    "table, and variable is 0": ("[tool.mcp-lockstep]\nbuild-strict = true\n", "0"),
}
LOOSE = ("neither", "variable is 0", "variable is empty")
SEVERITIES: tuple[Severity | None, ...] = ("error", "warning", "note", None)


@pytest.mark.parametrize(("kind", "strict", "severity"), [*product(KINDS, STRICTNESS, SEVERITIES)])
def test_what_refuses_a_build(
    kind: Kind, strict: str, severity: Severity | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error, and nothing less: an sdist always, the others where that is asked for."""
    table, variable = STRICTNESS[strict]
    monkeypatch.delenv(STRICT, raising=False)
    if variable is not None:
        monkeypatch.setenv(STRICT, variable)
    found = () if severity is None else (Finding(Code("LS2999", "x", severity, "", ""), Place("a"), "x"),)
    one = Look(project(pyproject=PYPROJECT + table), ())
    assert refuses(one, kind, found) is (severity == "error" and (kind == "sdist" or strict not in LOOSE))


def test_a_finding_that_was_made_a_note_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STRICT, raising=False)
    error = Finding(Code("LS2999", "x", "error", "", ""), Place("a"), "x")
    note = error._replace(level="note")
    assert not refuses(Look(project(), ()), "sdist", (note,))
    assert refuses(Look(project(), ()), "sdist", (note, error))


def test_the_verdict_says_whether_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STRICT, raising=False)
    drifted = seen(project(server=manifest("1.1.0")))
    assert [judge_build(drifted, Built(kind, "1.2.0", MARKER)).refused for kind in KINDS] == [
        True,
        False,
        False,
    ]


# The version

TEMPLATE = manifest("{{VERSION}}")
BUILD = '[tool.mcp-lockstep]\nversion = "build"\n'


def test_a_sound_project_is_told_nothing() -> None:
    assert told(project()) == []
    assert judge_build(seen(project()), Built("wheel", "1.2.0", MARKER)).manifest == manifest().encode()


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2.6.0", ["error built-version-differs"]),
        ("1.2.0", []),
        ("1.2", []),
        ("v1.2.0", []),
        ("2.6.0rc1", ["error built-version-differs"]),
        ("2.6.0.post1", ["error built-version-differs"]),
        ("2.6.1.dev1", []),
        ("2.6.1.dev1+g1a2b3c4", []),
    ],
)
def test_a_version_that_only_the_build_knows(version: str, expected: list[str]) -> None:
    """Development versions are uploaded by nobody: what is wrong with them is a note."""
    assert [
        text for text in told(project(pyproject=DYNAMIC), version) if not text.startswith("note")
    ] == expected


def test_the_finding_names_both_versions_and_the_place() -> None:
    found = judge_build(seen(project(pyproject=DYNAMIC)), Built("sdist", "2.6.0", MARKER)).findings
    (one,) = [finding for finding in found if finding.code.slug == "built-version-differs"]
    assert (str(one.place), one.position[:2]) == ("server.json#/version", (5, 14))
    assert (one.have, one.want) == ("1.2.0", "2.6.0")
    assert one.message == "server.json#/version is 1.2.0, the build makes 2.6.0"


@pytest.mark.parametrize("text", [TEMPLATE, manifest("0.0.0")])
def test_the_build_may_write_it(text: str) -> None:
    one = project(pyproject=DYNAMIC + BUILD, server=text)
    assert told(one, "2.6.0") == []
    verdict = judge_build(seen(one), Built("wheel", "2.6.0", MARKER))
    assert verdict.manifest == manifest("2.6.0").encode()


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1!2.0", []), ("2.6.0rc1", []), ("2.6.1.dev1", []), ("2.6.0+local", ["note local-version"])],
)
def test_the_rules_are_asked_about_the_version_that_was_built(version: str, expected: list[str]) -> None:
    """No file has it; what is wrong with one that nobody uploads is a note."""
    assert told(project(pyproject=DYNAMIC + BUILD, server=TEMPLATE), version) == expected


def test_a_server_json_about_something_else_keeps_its_version() -> None:
    """pyproject.toml builds a library; the server that server.json names is an image."""
    image = json.dumps(server(package("oci", "docker.io/acme/weather:3.0.0"), version="3.0.0"))
    one = project(pyproject=PYPROJECT.replace('"weather"', '"tools"', 1), server=image)
    assert one.manifest is not None
    assert rendered_for(one, one.manifest, "1.2.0").raw == image.encode()


@pytest.mark.parametrize("text", ["{", "[]", "1", ""])
def test_a_server_json_that_is_none_goes_in_nowhere(text: str) -> None:
    verdict = judge_build(seen(project(server=text)), Built("sdist", "1.2.0", MARKER))
    assert verdict.manifest is None
    assert verdict.refused


# The description


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        (MARKER, []),
        ("mcp-name: io.github.acme/weather", []),
        ("", ["error description-unmarked"]),
        ("<!-- mcp-name: io.github.acme/tides -->", ["error description-unmarked"]),
        ("<!-- MCP-Name: io.github.acme/weather -->", ["error description-unmarked"]),
        ("mcp-name: io.github.acme/weather.", ["error description-unmarked"]),
        (None, []),
    ],
)
def test_the_marker_is_looked_for_in_what_was_built(description: str | None, expected: list[str]) -> None:
    assert told(project(), description=description) == expected


@pytest.mark.parametrize("readme", ["# Weather\n", f"# Weather\n\n{MARKER}"])
def test_a_marker_that_is_built_is_enough(readme: str) -> None:
    """A plugin makes the description of pieces: the file itself may lack it."""
    assert told(project(readme=readme)) == []


def test_a_missing_marker_is_told_once() -> None:
    assert told(project(readme="# Weather\n"), description="# Weather\n") == ["error readme-marker-missing"]


@pytest.mark.parametrize(
    "entry",
    [package("oci", "docker.io/acme/weather:1.2.0"), package("npm", "weather"), package(identifier="tides")],
)
def test_only_the_package_that_is_built_needs_a_marker(entry: object) -> None:
    one = project(server=json.dumps(server(entry)))
    assert "error description-unmarked" not in told(one, description="")


def test_an_ignored_code_is_left_out() -> None:
    table = '[tool.mcp-lockstep]\nignore = { description-unmarked = "ours" }\n'
    assert told(project(pyproject=PYPROJECT + table), description="") == []


# What an sdist needs


def test_an_sdist_gets_nothing_that_builds_an_image_or_runs_it() -> None:
    """They were looked into for a label, and may hold passwords."""
    image = {
        "registryType": "oci",
        "identifier": "ghcr.io/acme/weather:1.2.0",
        "transport": {"type": "stdio"},
    }
    beside = (
        "compose.yaml",
        "docker-compose.yml",
        "Makefile",
        "justfile",
        "docker-bake.hcl",
        "scripts/image.sh",
    )
    named = json.dumps(server(package(version="1.2.0"), image))
    one = project(server=named, Dockerfile="FROM x\n", **dict.fromkeys(beside, "A: b\n"))
    found = judge_build(seen(one), Built("sdist", "1.2.0", MARKER))
    assert "image-without-label" in {finding.code.slug for finding in found.findings}
    assert found.inputs == ("Dockerfile", "README.md", "pyproject.toml")


def test_an_sdist_gets_what_the_configuration_names_be_it_hidden() -> None:
    table = (
        '[tool.mcp-lockstep]\ncontract = ".mcp/contract.json"\n'
        '[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = ".claude-plugin/plugin.json#/version"\n'
        '[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = ".github/plugin.json#/version"\n'
        '[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = ".env"\npattern = "VERSION=(.+)"\n'
        '[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = "docs/conf.py"\npattern = "release = .(.+)."\n'
    )
    more = {
        ".mcp/contract.json": '{"tools": []}',
        ".claude-plugin/plugin.json": '{"version": "1.2.0"}',
        ".github/plugin.json": '{"version": "1.2.0"}',
        "docs/conf.py": "release = '1.2.0'\n",
        ".env": "VERSION=1.2.0\nKEY=swordfish\n",
        ".github/workflows/publish.yml": "on: push\n",
        ".gitlab-ci.yml": "a: {}\n",
        "azure-pipelines.yml": "a: {}\n",
        ".circleci/config.yml": "a: {}\n",
    }
    one = project(pyproject=PYPROJECT + table, **more)
    assert judge_build(seen(one), Built("sdist", "1.2.0", MARKER)).inputs == (
        ".claude-plugin/plugin.json",
        ".github/plugin.json",
        ".mcp/contract.json",
        "README.md",
        "docs/conf.py",
        "pyproject.toml",
    )


def test_an_sdist_gets_what_was_read_and_no_code() -> None:
    table = '[tool.mcp-lockstep]\ncontract = "contract.json"\nbackend-path = ["_build"]\n'
    more = {
        "contract.json": '{"tools": []}',
        "mcp-lockstep.lock": "lock = 1\n",
        "src/weather/__init__.py": "x = 1\n",
        "_build/own.py": "",
        ".github/workflows/publish.yml": "on: push\n",
        "notes.txt": "nothing that is read",
    }
    one = project(pyproject=PYPROJECT + table, **more)
    verdict = judge_build(seen(one), Built("sdist", "1.2.0", MARKER))
    assert verdict.inputs == (
        "README.md",
        "contract.json",
        "mcp-lockstep.lock",
        "pyproject.toml",
        "_build/own.py",
    )
    assert judge_build(seen(one), Built("wheel", "1.2.0", MARKER)).inputs == ()

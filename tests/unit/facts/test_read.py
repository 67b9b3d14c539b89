"""Which readings a project has, and which of them decides."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.code.observe import observe
from mcp_lockstep.facts.read import homes_apart, owner_of, read_facts
from mcp_lockstep.facts.table import FACTS, Reading
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

PYPI = {"registryType": "pypi", "identifier": "weather", "version": "1.0"}


def facts(**files: object) -> tuple[Reading, ...]:
    """The readings of a project; a file is written `pyproject_toml`, an object becomes JSON."""
    tree = {
        name.replace("__", "/").replace("_", "."): (
            text if isinstance(text, str) else json.dumps(text)
        ).encode()
        for name, text in files.items()
    }
    project = Project(Tree(Memory(tree)))
    modules = [observe(path, project.raw(path) or b"") for path in project.modules]
    return read_facts(project, modules)


def said(readings: tuple[Reading, ...], fact: str) -> list[tuple[str, str | None]]:
    return [(str(r.place), r.value if r.state == "known" else r.state) for r in readings if r.fact == fact]


def decides(readings: tuple[Reading, ...], fact: str, decided: str = "") -> str:
    owner = owner_of(FACTS[fact], readings, decided)
    return "" if owner is None else str(owner.place)


def pyproject(name: str = "weather", version: str = "version = '1.0'") -> str:
    return f"[project]\nname = '{name}'\n{version}\n"


@pytest.mark.parametrize(
    ("files", "owner"),
    [
        ({"pyproject_toml": pyproject()}, "pyproject.toml:project.version"),
        ({"server_json": {"version": "1"}}, "server.json#/version"),
        ({"server_json": {"packages": [PYPI]}}, "server.json#/packages/0/version"),
        (
            {"pyproject_toml": pyproject(), "server_json": {"version": "1", "packages": [PYPI]}},
            "pyproject.toml:project.version",
        ),
        (
            {
                "pyproject_toml": pyproject("other"),
                "server_json": {"version": "1", "packages": [PYPI]},
            },
            "pyproject.toml:project.version",
        ),
        (
            {
                "pyproject_toml": pyproject(),
                "server_json": {"version": "1", "packages": [{"registryType": "npm", "version": "1"}]},
            },
            "server.json#/version",
        ),
        ({"pyproject_toml": pyproject(), "server_json": {"version": "1"}}, "server.json#/version"),
        (
            {
                "pyproject_toml": pyproject(version="dynamic = ['version']"),
                "server_json": {"version": "1", "packages": [PYPI]},
            },
            "server.json#/version",
        ),
        (
            {"pyproject_toml": pyproject(), "server_json": {"version": "{{V}}", "packages": [PYPI]}},
            "pyproject.toml:project.version",
        ),
        ({"README_md": "x"}, ""),
    ],
)
def test_who_decides_the_version(files: dict[str, object], owner: str) -> None:
    assert decides(facts(**files), "version") == owner


def test_who_decides_the_name() -> None:
    readme = "<!-- mcp-name: c.d/readme -->"
    own = facts(server_json={"name": "a.b/manifest"}, README_md=readme)
    assert decides(own, "name") == "server.json#/name"
    configured = facts(
        server_json={"name": "a.b/manifest"}, pyproject_toml="[tool.mcp-lockstep]\nname = 'e.f/config'"
    )
    assert decides(configured, "name") == "pyproject.toml:tool.mcp-lockstep.name"
    assert decides(facts(README_md=readme), "name") == ""


@pytest.mark.parametrize("decided", ["server.json#/version", "manifest"])
def test_a_place_or_a_home_can_be_made_the_owner(decided: str) -> None:
    readings = facts(pyproject_toml=pyproject(), server_json={"version": "1", "packages": [PYPI]})
    assert decides(readings, "version", decided) == "server.json#/version"
    assert decides(readings, "version", "nowhere") == ""


def test_packages_of_other_projects_are_left_out() -> None:
    other = {"registryType": "pypi", "identifier": "other", "version": "9"}
    readings = facts(pyproject_toml=pyproject("Weather"), server_json={"packages": [other, PYPI]})
    assert said(readings, "identifier") == [
        ("pyproject.toml:project.name", "Weather"),
        ("server.json#/packages/1/identifier", "weather"),
    ]
    assert "server.json#/packages/0/version" not in dict(said(readings, "version"))
    readings = facts(pyproject_toml=pyproject("drifted"), server_json={"packages": [PYPI]})
    assert ("server.json#/packages/0/identifier", "weather") in said(readings, "identifier")


def test_homes_apart() -> None:
    npm = facts(pyproject_toml=pyproject(), server_json={"version": "1", "packages": []})
    assert homes_apart(FACTS["version"], npm) == ("pyproject",)
    assert homes_apart(FACTS["name"], npm) == ()
    owner = owner_of(FACTS["version"], npm, "pyproject")
    assert homes_apart(FACTS["version"], npm, owner) == ()


@pytest.mark.parametrize(
    ("identifier", "version"),
    [
        ("ghcr.io/acme/weather:1.2.0", "1.2.0"),
        ("ghcr.io/acme/weather:v1.2.0", "1.2.0"),
        ("ghcr.io:443/acme/weather:1.2.0-alpine", "1.2.0"),
        ("ghcr.io/acme/weather:v1.2.0-slim-bookworm", "1.2.0"),
        (f"ghcr.io/acme/weather:1.2.0-rc.1-alpine3.20@sha256:{'a' * 64}", "1.2.0-rc.1"),
        ("ghcr.io/acme/weather:1.2.0-nightly.3", "1.2.0-nightly.3"),
        (f"ghcr.io/acme/weather:1{'-slim' * 100_000}!", None),
        (f"ghcr.io/acme/weather:1.2.0@sha256:{'a' * 64}", "1.2.0"),
        ("ghcr.io/acme/weather:latest", None),
        ("ghcr.io/acme/weather", None),
        ("ghcr.io:443/acme/weather", None),
    ],
)
def test_the_version_of_an_image_is_its_tag(identifier: str, version: str | None) -> None:
    package = {"registryType": "oci", "identifier": identifier}
    found = dict(said(facts(server_json={"packages": [package]}), "version"))
    assert found.get("server.json#/packages/0/identifier") == version


@pytest.mark.parametrize(
    "text", ["{{VERSION}}", "${VERSION}", "$VERSION", "@VERSION@", "__VERSION__", "v{{ x }}"]
)
def test_placeholders_of_a_release(text: str) -> None:
    assert said(facts(server_json={"version": text}), "version") == [("server.json#/version", "stamped")]


@pytest.mark.parametrize(
    "data",
    [
        [],
        "text",
        None,
        {"version": 1, "name": None, "packages": {"a": 1}},
        {"packages": [None, 1, "x", [], {}, {"registryType": 1, "identifier": [], "version": {}}]},
        {"$schema": "https://x.example/schemas/2025-12-11.json"},
    ],
)
def test_a_manifest_of_another_shape_says_nothing(data: object) -> None:
    assert facts(server_json=data) == ()


@pytest.mark.parametrize("text", ["project = 1", "[project]\nname = 1\nversion = []\ndynamic = 'version'"])
def test_a_pyproject_of_another_shape_says_nothing(text: str) -> None:
    assert facts(pyproject_toml=text) == ()


def test_code_states_a_version_only_where_it_is_the_packages_own() -> None:
    literal = "__version__ = '1.0'\n"
    readings = facts(weather__init__py="", src__weather__helpers_py=literal, src__weather__version_py=literal)
    assert said(readings, "version") == []


def test_code() -> None:
    files = {
        "src/weather/__init__.py": b"__version__ = '1.0'\n",
        "src/weather/helpers.py": b"__version__ = '2.0'\n",
        "src/weather/vendored/__init__.py": b"__version__ = '3.0'\n",
        "src/weather/app.py": (
            b"from fastmcp import FastMCP\n"
            b"mcp = FastMCP('io.github.acme/weather', version='1.1')\n"
            b"other = FastMCP('Weather', version=version())\n"
        ),
        "tests/app.py": b"mcp = FastMCP(version='9')\n",
    }
    project = Project(Tree(Memory(files)))
    readings = read_facts(project, [observe(path, files[path]) for path in project.modules])
    assert said(readings, "version") == [
        ("src/weather/__init__.py::__version__", "1.0"),
        ("src/weather/app.py::mcp.version", "1.1"),
        ("src/weather/app.py::other.version", "dynamic"),
    ]
    assert said(readings, "name") == [("src/weather/app.py::mcp.name", "io.github.acme/weather")]


def test_a_server_in_the_package_itself_is_read_once_and_its_name_is_no_version() -> None:
    files = {"weather/__init__.py": b"from fastmcp import FastMCP\nmcp = FastMCP('a.b/c', version='1.0')\n"}
    project = Project(Tree(Memory(files)))
    readings = read_facts(project, [observe(path, files[path]) for path in project.modules])
    assert said(readings, "version") == [("weather/__init__.py::mcp.version", "1.0")]
    assert said(readings, "name") == [("weather/__init__.py::mcp.name", "a.b/c")]


@pytest.mark.parametrize("text", [
    "[project]\nname = ''\nversion = ' '\n",
    "[tool.poetry]\nname = ''\nversion = ''\n",
])  # fmt: skip
def test_an_empty_text_decides_nothing(text: str) -> None:
    readings = facts(pyproject_toml=text, server_json={"version": "1.0", "packages": [PYPI]})
    assert decides(readings, "version") == "server.json#/version"
    assert {value for _, value in said(readings, "version")} == {"1.0"}
    assert {value for _, value in said(readings, "identifier")} == {"weather"}

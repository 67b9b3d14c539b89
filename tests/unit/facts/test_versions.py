"""The version behind a build backend's configuration: found as a text with its place, never by running code."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

BACKENDS = {
    "hatch": "hatchling.build",
    "setuptools": "setuptools.build_meta",
    "pdm": "pdm.backend",
    "flit": "flit_core.buildapi",
    "maturin": "maturin",
    "proxy": "mcp_lockstep.hooks.backend",
    "none": "",
}


def tree(backend: str, settings: str, files: Mapping[str, str]) -> Tree:
    system = (
        f'[build-system]\nrequires = []\nbuild-backend = "{BACKENDS[backend]}"\n' if BACKENDS[backend] else ""
    )
    project = '[project]\nname = "weather-mcp"\ndynamic = ["version"]\n'
    texts = {"pyproject.toml": f"{system}{project}{settings}", **files}
    return Tree(Memory({path: text.encode() for path, text in texts.items()}))


def stated(backend: str, settings: str, files: Mapping[str, str]) -> tuple[str, str | None]:
    version = read_distribution(Project(tree(backend, settings, files))).version
    assert version is not None
    return str(version.place), version.text


HATCH = "readme = 'README.md'\n[tool.hatch.version]\npath = '{}'\n"
ATTR = "[tool.setuptools.dynamic]\nversion = { attr = '%s' }\n"


@pytest.mark.parametrize(
    ("backend", "settings", "files", "place", "text"),
    [
        ("hatch", HATCH.format("a/b.py"), {"a/b.py": "__version__ = '1.0'\n"}, "a/b.py::__version__", "1.0"),
        (
            "setuptools",
            ATTR % "wx.VERSION",
            {"src/wx.py": "VERSION = (1, 2, 3)\n"},
            "src/wx.py::VERSION",
            "1.2.3",
        ),
        (
            "setuptools",
            ATTR % "wx.VERSION",
            {"src/wx.py": "VERSION = [1, 2, 'rc1']\n"},
            "src/wx.py::VERSION",
            "1.2.rc1",
        ),
        ("hatch", HATCH.format("a.py"), {"a.py": 'VERSION: str = "1.0"\n'}, "a.py::VERSION", "1.0"),
        ("hatch", HATCH.format("a.py"), {"a.py": 'version = "v1.0"\nVERSION="v2.0"\n'}, "a.py", "1.0"),
        (
            "hatch",
            HATCH.format("VERSION"),
            {"VERSION": "\ufeffversion = '1'\nVERSION = '2'\n"},
            "VERSION",
            "2",
        ),
        (
            "hatch",
            HATCH.format("v.txt") + "pattern = 'v(?P<version>[0-9.]+)'\n",
            {"v.txt": "v3.1\n"},
            "v.txt",
            "3.1",
        ),
        (
            "hatch",
            "",
            {"hatch.toml": "[version]\npath='a.py'\n", "a.py": "__version__ = '4'\n"},
            "a.py::__version__",
            "4",
        ),
        (
            "hatch",
            HATCH.format("a.py") + "source = 'code'\nexpression = 'V'\n",
            {"a.py": "V = '5'\n"},
            "a.py::V",
            "5",
        ),
        (
            "hatch",
            "[tool.hatch.version]\nsource = 'nodejs'\n",
            {"package.json": '{"version": "6.0.0"}'},
            "package.json#/version",
            "6.0.0",
        ),
        (
            "setuptools",
            ATTR % "w.__version__",
            {"src/w/__init__.py": "__version__ = '1'"},
            "src/w/__init__.py::__version__",
            "1",
        ),
        ("setuptools", ATTR % "w.v.V", {"w/v.py": "V = '1'"}, "w/v.py::V", "1"),
        ("none", ATTR % "w.V", {"w.py": "V = '1'"}, "w.py::V", "1"),
        (
            "setuptools",
            ATTR % "w.V" + "[tool.setuptools]\npackage-dir = { '' = 'lib' }\n",
            {"lib/w/__init__.py": "from .v import V", "lib/w/v.py": "V = '2'"},
            "lib/w/v.py::V",
            "2",
        ),
        (
            "setuptools",
            ATTR % "w.V" + "[tool.setuptools]\npackage-dir = { w = 'code' }\n",
            {"code/__init__.py": "V = '2'"},
            "code/__init__.py::V",
            "2",
        ),
        (
            "setuptools",
            "[tool.setuptools.dynamic]\nversion = { file = ['VERSION'] }\n",
            {"VERSION": "\n 3.0 \n"},
            "VERSION",
            "3.0",
        ),
        ("setuptools", "", {"setup.cfg": "[metadata]\nversion = 7.1\n"}, "setup.cfg:metadata.version", "7.1"),
        ("setuptools", "", {"setup.py": "setup(version='8')\n"}, "setup.py::setup.version", "8"),
        (
            "pdm",
            "[tool.pdm.version]\nsource = 'file'\npath = 'w.py'\n",
            {"w.py": "__version__ = '9'  # here\r\n"},
            "w.py::__version__",
            "9",
        ),
        ("flit", "", {"weather_mcp.py": "__version__ = '1.1'"}, "weather_mcp.py::__version__", "1.1"),
        (
            "flit",
            "[tool.flit.module]\nname = 'w'\n",
            {"src/w/__init__.py": "__version__ = '1.1'"},
            "src/w/__init__.py::__version__",
            "1.1",
        ),
        (
            "maturin",
            "",
            {"Cargo.toml": '[package]\nversion = "0.3.0"\n'},
            "Cargo.toml:package.version",
            "0.3.0",
        ),
        (
            "proxy",
            "[tool.mcp-lockstep]\nbuild-backend = 'flit_core.buildapi'\n",
            {"weather_mcp.py": "__version__ = '1.1'"},
            "weather_mcp.py::__version__",
            "1.1",
        ),
    ],
)
def test_the_place_of_a_version(
    backend: str, settings: str, files: dict[str, str], place: str, text: str
) -> None:
    assert stated(backend, settings, files) == (place, text)


@pytest.mark.parametrize(
    ("backend", "settings", "files"),
    [
        ("hatch", "[tool.hatch.version]\nsource = 'vcs'\n", {}),
        ("hatch", HATCH.format("../x.py"), {"../x.py": "__version__ = '1'"}),
        ("hatch", HATCH.format("gone.py"), {}),
        ("hatch", HATCH.format("a.py") + "pattern = '('\n", {"a.py": "__version__ = '1'"}),
        ("hatch", HATCH.format("a.py") + "pattern = 'x'\n", {"a.py": "x"}),
        ("hatch", HATCH.format("a.py") + "source = 'code'\n", {"a.py": "__version__ = make()"}),
        (
            "hatch",
            HATCH.format("a.py") + "source = 'code'\n",
            {"a.py": "__version__ = '1'\n__version__ = '2'"},
        ),
        ("hatch", HATCH.format("a.py") + "source = 'code'\n", {"a.py": "if x:\n    __version__ = '1'"}),
        ("hatch", HATCH.format("a.py") + "source = 'code'\n", {"a.py": "from a import __version__"}),
        ("setuptools", ATTR % "w", {"w.py": ""}),
        ("setuptools", ATTR % "w.V", {"w.py": "def ("}),
        ("setuptools", "[tool.setuptools_scm]\n", {}),
        ("setuptools", "[tool.setuptools.dynamic]\nversion = { file = ['A', 'B'] }\n", {"A": "1", "B": "2"}),
        ("pdm", "[tool.pdm.version]\nsource = 'scm'\n", {}),
        ("flit", "", {}),
        ("maturin", "", {"Cargo.toml": "[package]\nversion.workspace = true\n"}),
    ],
)
def test_a_version_that_stands_nowhere_stays_dynamic(
    backend: str, settings: str, files: dict[str, str]
) -> None:
    assert stated(backend, settings, files) == ("pyproject.toml:project.version", None)


MANIFEST = (
    '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", '
    '"name": "io.github.acme/weather", "description": "D.", "version": "1.0.0", "packages": [{"registryType": '
    '"pypi", "identifier": "weather-mcp", "version": "1.0.0", "transport": {"type": "stdio"}}]}'
)


def test_a_version_in_a_file_decides_and_is_one_place() -> None:
    files = {
        "server.json": MANIFEST,
        "src/w/__init__.py": "__version__ = '1.1.0'\n",
        "README.md": "mcp-name: io.github.acme/weather\n",
    }
    project = tree("hatch", HATCH.format("src/w/__init__.py"), files)
    judged = judge_tree(Project(project), only="version")
    (version,) = judged.facts
    assert version.owner is not None
    assert [str(reading.place) for reading in version.readings] == [
        "src/w/__init__.py::__version__",
        "server.json#/version",
        "server.json#/packages/0/version",
    ]
    (change,) = prepare(project).plan.changes
    assert change.path == "server.json"
    assert (change.after or b"").decode() == MANIFEST.replace("1.0.0", "1.1.0")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__version__ = '1.1.0'\n", "__version__ = '1.0.0'\n"),
        ('x = 1\n__version__ = "v1.1.0"  # c\n', 'x = 1\n__version__ = "v1.0.0"  # c\n'),
    ],
)
def test_a_version_in_a_file_is_edited_there(before: str, after: str) -> None:
    from mcp_lockstep.findings import parse_place
    from mcp_lockstep.judge import Accept
    from mcp_lockstep.pipeline.sync import Order

    files = {"server.json": MANIFEST, "src/w/about.py": before}
    project = tree("hatch", HATCH.format("src/w/about.py"), files)
    order = Order(accept=Accept(parse_place("server.json#/version")), only="version")
    (change,) = prepare(project, order).plan.changes
    assert (change.path, (change.after or b"").decode()) == ("src/w/about.py", after)

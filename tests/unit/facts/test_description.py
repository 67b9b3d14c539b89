"""Which files become the description that an index shows; real backends are held against it in tests/packaging."""

from __future__ import annotations

import pytest

from mcp_lockstep.facts.description import Description, read_description, readmes
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

HEAD = "[project]\nname = 'weather'\nversion = '1'\n"
DYNAMIC = f"{HEAD}dynamic = ['readme']\n"
FANCY = f"{DYNAMIC}[tool.hatch.metadata.hooks.fancy-pypi-readme]\ncontent-type = 'text/markdown'\n"
FRAGMENT = "[[tool.hatch.metadata.hooks.fancy-pypi-readme.fragments]]\n"


def project(**files: str) -> Project:
    """A project; names are written `setup_py` for `setup.py`."""
    texts = {".".join(name.rsplit("_", 1)): text.encode() for name, text in files.items()}
    return Project(Tree(Memory({"README.md": b"# W\n", "docs/a.md": b"# A\n", **texts})))


def described(**files: str) -> tuple[tuple[str, ...], str, bool]:
    """What is read, less the place."""
    return read_description(project(**files))[1:]


@pytest.mark.parametrize(
    ("readme", "expected"),
    [
        ("", ((), "", True)),
        ("readme = 'docs/index.rst'", (("docs/index.rst",), "", True)),
        ("readme = { file = 'A.txt', content-type = 'text/plain' }", (("A.txt",), "", True)),
        ("readme = { text = 'inline' }", ((), "inline", True)),
        ("readme = 3", ((), "", False)),
        ("readme = { file = 3 }", ((), "", False)),
    ],
)
def test_what_the_project_table_declares(readme: str, expected: object) -> None:
    assert described(pyproject_toml=f"{HEAD}{readme}\n") == expected


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        (DYNAMIC, ((), "", False)),
        (
            f"{DYNAMIC}[tool.setuptools.dynamic]\nreadme = {{ file = 'docs/a.md' }}\n",
            (("docs/a.md",), "", True),
        ),
        (
            f"{DYNAMIC}[tool.setuptools.dynamic]\nreadme.file = ['README.md', 'docs/a.md']\n",
            (("README.md", "docs/a.md"), "", True),
        ),
        (f"{DYNAMIC}[tool.poetry]\nreadme = ['docs/a.md']\n", (("docs/a.md",), "", True)),
        (
            f"{FANCY}{FRAGMENT}path = 'docs/a.md'\n{FRAGMENT}text = 'mcp-name: a.b/c '\n",
            (("docs/a.md",), "mcp-name: a.b/c ", True),
        ),
        (f"{FANCY}{FRAGMENT}path = 'docs/a.md'\nstart-after = 'x'\n", (("docs/a.md",), "", False)),
    ],
)
def test_what_a_backend_is_told_to_make(tables: str, expected: object) -> None:
    assert described(pyproject_toml=tables) == expected


def test_dynamic_and_said_in_setup_py() -> None:
    call = "from setuptools import setup\nsetup(long_description=open('docs/a.md').read())\n"
    assert described(pyproject_toml=DYNAMIC, setup_py=call) == (("docs/a.md",), "", True)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("setup(name='w', long_description=make())", ((), "", False)),
        ("setup(name='w', **more)", ((), "", False)),
        ("setup(name='w', long_description=open('lost.md').read())", ((), "", False)),
        ("setup(name='w'", ((), "", False)),
        ("setup(name='w')", ((), "", True)),
    ],
)
def test_a_call_that_says_more_or_less(call: str, expected: object) -> None:
    assert described(setup_py=call) == expected


def test_nothing_is_built() -> None:
    assert read_description(project()).files == ("README.md",)
    assert described(pyproject_toml="[tool.poetry]\nname = 'w'\npackage-mode = false\n") == (
        ("README.md",),
        "",
        True,
    )


def test_the_texts_to_look_at() -> None:
    both = f"{DYNAMIC}[tool.poetry]\nreadme = ['docs/a.md', 'lost.md', 'README.md']\n"
    assert [text.path for text in readmes(project(pyproject_toml=both))] == ["docs/a.md", "README.md"]
    assert [text.path for text in readmes(project(pyproject_toml=HEAD))] == ["README.md"]


def test_where_it_is_or_would_be_declared() -> None:
    def place(description: Description) -> str:
        return str(description.place)

    assert place(read_description(project(pyproject_toml=HEAD))) == "pyproject.toml:project.readme"
    assert place(read_description(project(pyproject_toml="[tool.poetry]\nname = 'w'\n"))) == (
        "pyproject.toml:tool.poetry.readme"
    )
    assert place(read_description(project(setup_cfg="[metadata]\nname = w\n"))) == (
        "setup.cfg:metadata.long_description"
    )
    assert place(read_description(project(setup_py="setup(name='w')"))) == "setup.py::setup.long_description"

"""The ownership marker: where it must stand, and what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.documents import MarkdownDocument, apply_edits
from mcp_lockstep.facts.codes import MARKER_UNENDED
from mcp_lockstep.facts.marker import judge_marker, marker_faults
from mcp_lockstep.facts.read import read_facts
from mcp_lockstep.findings import Finding
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Memory, Tree

NAME = "io.github.acme/weather"
BARE = "[project]\nname = 'weather'\nversion = '1'\n"
PYPROJECT = f"{BARE}readme = 'README.md'\n"


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
        f"The text is `MCP-Name: {NAME}`.\n\n<!-- mcp-name: {NAME} -->\n",
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
    text = judged("W\n=\n\nText.\n", f"{BARE}readme = '{path}'\n", path=path)[1]
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
        (f"{BARE}readme = 'docs/a.md'\n", "docs/a.md", False),
        (f"{BARE}readme = {{ file = 'docs/a.md' }}\n", "docs/a.md", False),
        (f"{BARE}readme = {{ text = 'inline' }}\n", "pyproject.toml", False),
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
    inline = BARE + "readme = {{text = 'Weather. mcp-name: {} ', content-type = 'text/markdown'}}\n"
    assert judged(None, inline.format(NAME)) == ([], None)
    assert judged(None, inline.format("io.github.acme/other")) == (["readme-marker-missing"], None)


def test_a_pyproject_that_cannot_be_read_may_name_any_file() -> None:
    assert judged(None, "[project\n") == ([], None)


MARKED = f"# W\n\nText.\n\n<!-- mcp-name: {NAME} -->\n"


def missing(files: dict[str, str], pyproject: str = PYPROJECT) -> Finding:
    """The one thing that is said about the marker of a project with these files beside."""
    manifest = {"name": NAME, "packages": [{"registryType": "pypi", "identifier": "weather"}]}
    texts = {"server.json": json.dumps(manifest), "pyproject.toml": pyproject, "README.md": "# W\n", **files}
    project = Project(Tree(Memory({path: text.encode() for path, text in texts.items()})))
    (finding,) = judge_marker(project, read_facts(project, ())).findings
    return finding


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("docs/index.md", MARKED, 5),
        ("doc/index.rst", f"W\n=\n\n.. mcp-name: {NAME}\n", 4),
        ("README.zh-CN.md", MARKED, 5),
        ("readme.txt", f"mcp-name: {NAME}", 1),
        ("CONTRIBUTING.MD", f"{MARKED}{MARKED}", 5),
        ("LIES_MICH.markdown", f"\ufeffMCP-Name:{NAME}.\r\n", 1),
    ],
)
def test_a_marker_in_a_file_that_is_not_the_description(path: str, text: str, line: int) -> None:
    finding = missing({path: text})
    assert (finding.code.id, finding.place.path, finding.fixable) == ("LS1010", "README.md", True)
    assert finding.message.endswith(f"`mcp-name: {NAME}`: it stands in {path}, line {line}")
    assert finding.hint == f"move it to README.md, as `<!-- mcp-name: {NAME} -->`"


@pytest.mark.parametrize(
    "files",
    [
        {"docs/index.md": "mcp-name: io.github.acme/other\n"},
        {"docs/deep/er/index.md": MARKED},
        {"src/weather/README.md": MARKED},
        {"docs/index.html": MARKED},
        {"notes.md/a.md": MARKED},
    ],
)
def test_other_names_and_other_files_are_not_it(files: dict[str, str]) -> None:
    finding = missing(files)
    assert finding.code.id == "LS1015"
    assert "stands in" not in finding.message


def test_the_former_description_that_nothing_names_any_more() -> None:
    finding = missing({"README.md": MARKED, "docs/a.rst": "W\n=\n"}, f"{BARE}readme = 'docs/a.rst'\n")
    assert (finding.code.slug, finding.place.path) == ("readme-marker-elsewhere", "docs/a.rst")
    assert "it stands in README.md, line 5" in finding.message


def test_no_description_at_all() -> None:
    finding = missing({"docs/a.md": MARKED}, f"{BARE}readme = 'lost.md'\n")
    assert finding.message.startswith("there is no lost.md to hold the ownership marker")
    assert finding.message.endswith("it stands in docs/a.md, line 5")
    assert not finding.fixable


@pytest.mark.parametrize(
    ("clone", "shown"),
    [("", "../../README.md"), ("servers/weather", ""), ("..", "../../README.md"), (None, "")],
)
def test_the_readme_of_the_monorepo_above(tmp_path: Path, clone: str | None, shown: str) -> None:
    """Looked at up to the clone that holds the project, and not beyond it."""
    top = tmp_path / "all/top"
    root = top / "servers/weather"
    root.mkdir(parents=True)
    if clone is not None:
        (top / clone / ".git").mkdir()
    (top / "README.md").write_text(MARKED, encoding="utf-8")
    (root / "README.md").write_text("# W\n", encoding="utf-8")
    (root / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    packages = [{"registryType": "pypi", "identifier": "weather"}]
    (root / "server.json").write_text(json.dumps({"name": NAME, "packages": packages}), encoding="utf-8")
    project = Project(Tree(Disk(str(root))))
    (finding,) = judge_marker(project, read_facts(project, ())).findings
    assert finding.code.id == ("LS1010" if shown else "LS1015")
    assert finding.message.endswith(f"stands in {shown}, line 5" if shown else f"`mcp-name: {NAME}`")


def test_a_text_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").symlink_to("/etc/hostname")
    (tmp_path / "docs/b.md").write_bytes(b"\xff\xfe mcp-name: " + NAME.encode() + b"\n")
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    packages = [{"registryType": "pypi", "identifier": "weather"}]
    (tmp_path / "server.json").write_text(json.dumps({"name": NAME, "packages": packages}), encoding="utf-8")
    project = Project(Tree(Disk(str(tmp_path))))
    (finding,) = judge_marker(project, read_facts(project, ())).findings
    assert finding.code.id == "LS1015"
    assert project.broken == []


def held(files: dict[str, str]) -> Project:
    """A project with a package on PyPI and these files."""
    manifest = {"name": NAME, "packages": [{"registryType": "pypi", "identifier": "weather"}]}
    texts = {"server.json": json.dumps(manifest), **files}
    return Project(Tree(Memory({path: text.encode() for path, text in texts.items()})))


def mended(files: dict[str, str]) -> tuple[Finding, dict[str, str]]:
    """The one thing that is said about the marker, and the files that its mend changes."""
    project = held(files)
    marked = judge_marker(project, read_facts(project, ()))
    (finding,) = marked.findings
    paths = dict.fromkeys(edit.path for edit in marked.edits)
    return finding, {p: apply_edits(files[p], [e for e in marked.edits if e.path == p]) for p in paths}


SETUP_CFG = "[metadata]\nname = weather\nlong_description = file: README.rst\n"
OLD_POETRY = "[tool.poetry]\nname = 'weather'\nreadme = ['README.md', 'MORE.md']\n"
DYNAMIC = "[project]\nname = 'weather'\ndynamic = ['readme']\n"


@pytest.mark.parametrize(
    "files",
    [
        {"setup.cfg": SETUP_CFG, "README.rst": f".. mcp-name: {NAME}\n"},
        {"pyproject.toml": OLD_POETRY, "README.md": "# W\n", "MORE.md": f"mcp-name: {NAME}\n"},
        {"pyproject.toml": DYNAMIC, "README.md": "# W\n"},
        {
            "pyproject.toml": f"{DYNAMIC}[tool.setuptools.dynamic]\nreadme.file = ['README.md', 'b.md']\n",
            "README.md": "# W\n",
            "b.md": f"mcp-name: {NAME}\n",
        },
        {
            "pyproject.toml": f"{DYNAMIC}[[tool.hatch.metadata.hooks.fancy-pypi-readme.fragments]]\n"
            f"text = 'mcp-name: {NAME} '\n",
        },
    ],
)
def test_a_marker_in_any_part_of_the_description_and_one_that_a_build_may_make(files: dict[str, str]) -> None:
    project = held(files)
    assert judge_marker(project, read_facts(project, ())) == ((), ())


def test_it_goes_into_the_file_that_setup_cfg_names() -> None:
    finding, files = mended({"setup.cfg": SETUP_CFG, "README.rst": "W\n=\n", "README.md": "# W\n"})
    assert (str(finding.place), finding.fixable) == ("README.rst#mcp-name", True)
    assert files == {"README.rst": f"W\n=\n\n.. mcp-name: {NAME}\n"}


def test_a_readme_that_no_package_takes_is_declared() -> None:
    finding, files = mended({"pyproject.toml": BARE, "README.md": "# W\n"})
    assert (str(finding.place), finding.position.line) == ("pyproject.toml:project.readme", 1)
    assert (
        finding.message == f"the package gets no description to hold the ownership marker `mcp-name: {NAME}`"
    )
    assert finding.hint == (f"declare README.md as project.readme, with the line `<!-- mcp-name: {NAME} -->`")
    assert files == {
        "pyproject.toml": f'{BARE}readme = "README.md"\n',
        "README.md": f"# W\n\n<!-- mcp-name: {NAME} -->\n",
    }
    project = held(files)
    assert judge_marker(project, read_facts(project, ())) == ((), ())


def test_a_marker_in_a_readme_that_no_package_takes() -> None:
    poetry = "[tool.poetry]\nname = 'weather'\n"
    finding, files = mended({"pyproject.toml": poetry, "Readme.rst": f"W\n=\n\n.. mcp-name: {NAME}\n"})
    assert (finding.code.slug, str(finding.place)) == (
        "readme-marker-elsewhere",
        "pyproject.toml:tool.poetry.readme",
    )
    assert finding.message.endswith("it stands in Readme.rst, line 4")
    assert finding.hint == "declare Readme.rst as tool.poetry.readme"
    assert files == {"pyproject.toml": f'{poetry}readme = "Readme.rst"\n'}


@pytest.mark.parametrize(
    ("files", "place", "hint"),
    [
        ({"pyproject.toml": BARE}, "pyproject.toml:project.readme", "declare README.md as project.readme"),
        (
            {"setup.cfg": "[metadata]\nname = weather\n", "README.md": "# W\n"},
            "setup.cfg:metadata.long_description",
            "declare README.md as metadata.long_description",
        ),
        (
            {"setup.py": "from setuptools import setup\nsetup(name='weather')\n", "README.md": "# W\n"},
            "setup.py::setup.long_description",
            "declare README.md as setup.long_description",
        ),
        (
            {"setup.cfg": "[metadata]\nname = weather\nlong_description = Forecasts.\n"},
            "setup.cfg:metadata.long_description",
            f"add the text `mcp-name: {NAME} ` to it",
        ),
    ],
)
def test_what_cannot_be_mended_here(files: dict[str, str], place: str, hint: str) -> None:
    finding, changed = mended(files)
    assert (str(finding.place), finding.fixable, changed) == (place, False, {})
    assert (finding.hint or "").startswith(hint)


@pytest.mark.parametrize(
    ("readme", "level"),
    [
        (f"It is mcp-name: {NAME}.\n", "error"),
        (f"It is mcp-name: {NAME}.\n\n<!-- mcp-name: {NAME}-next -->\n", "error"),
        (f"It is mcp-name: {NAME}.\n\n<!-- mcp-name: {NAME} -->\n", "note"),
    ],
)
def test_a_full_stop_is_told_and_no_error_beside_a_marker_that_ends(readme: str, level: str) -> None:
    document = MarkdownDocument("README.md", readme.encode())
    found = [f.severity for f in marker_faults(document, document.markers) if f.code is MARKER_UNENDED]
    assert found == [level]


@pytest.mark.parametrize("path", ["README.md", "docs/crate.md"])
def test_crates_io_takes_comments_out(path: str) -> None:
    pyproject = f"{BARE}readme = '{path}'\n"
    commented = f"# W\n\n<!-- mcp-name: {NAME} -->\n"
    said, text = judged(commented, pyproject, "cargo", path)
    assert said == ["readme-marker-missing"]
    assert text == f"# W\n\n`mcp-name: {NAME}`\n\n<!-- mcp-name: {NAME} -->\n"
    assert judged(text, pyproject, "cargo", path) == ([], None)
    assert judged(commented, pyproject, "nuget", path) == ([], None)
    assert judged("# W\n", pyproject, "cargo", path)[1] == f"# W\n\n`mcp-name: {NAME}`\n"


@pytest.mark.parametrize("kind", [["pypi"], {"pypi": 1}, None, 7])
def test_a_package_of_no_kind_needs_no_marker(kind: object) -> None:
    manifest = {"name": NAME, "packages": [{"registryType": kind, "identifier": "weather"}]}
    files = {"server.json": json.dumps(manifest).encode(), "pyproject.toml": PYPROJECT.encode()}
    project = Project(Tree(Memory({**files, "README.md": b"# W\n"})))
    assert judge_marker(project, read_facts(project, ())).findings == ()

"""The fixture projects really build, each with its backend, and are called what our static readers say."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path
from typing import NamedTuple

import pytest
import tomli

from building import Workshop, commit
from mcp_lockstep.documents.data import as_array, table, text_of
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import normal_identifier, version_key
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree

pytestmark = pytest.mark.xdist_group("packaging")

PROJECTS = Path(__file__).resolve().parents[1] / "fixtures/projects"
NOT_BUILT = frozenset({"maturin"})
"""Its backend is a compiler of Rust."""

_MODULES = {"hatch-vcs": "hatch_vcs", "poetry-core": "poetry.core", "pdm-backend": "pdm.backend"}


class Made(NamedTuple):
    """What an artefact says of itself."""

    name: str
    version: str


def buildable() -> Iterator[str]:
    """Folders, relative to the fixtures, that build a distribution."""
    for described in sorted((*PROJECTS.rglob("pyproject.toml"), *PROJECTS.rglob("setup.py"))):
        folder = described.parent
        if folder.relative_to(PROJECTS).parts[0] in NOT_BUILT:
            continue
        if described.name == "setup.py" or "build-system" in described.read_text(encoding="utf-8"):
            yield folder.relative_to(PROJECTS).as_posix()


def requirements(folder: Path) -> list[str]:
    """The modules of what the build needs."""
    path = folder / "pyproject.toml"
    data = tomli.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    names = (
        re.split(r"[\s<>=!~;\[]", text_of(one))[0]
        for one in as_array(table(data, "build-system").get("requires")) or ()
    )
    return [_MODULES.get(name, name.replace("-", "_")) for name in names] or ["setuptools"]


def is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def made(path: Path) -> Made:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            (name,) = (one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
            raw = wheel.read(name)
    else:
        with tarfile.open(path) as sdist:
            (member,) = (one for one in sdist if one.name.count("/") == 1 and one.name.endswith("/PKG-INFO"))
            handle = sdist.extractfile(member)
            raw = handle.read() if handle else b""
    headers = HeaderParser().parsestr(raw.decode("utf-8"))
    return Made(headers["Name"], headers["Version"])


@pytest.mark.parametrize("name", sorted(buildable()))
def test_a_project_is_built_as_it_is_read(name: str, shop: Workshop, tmp_path: Path) -> None:
    lacking = [module for module in requirements(PROJECTS / name) if not is_there(module)]
    if lacking:
        pytest.skip(f"not installed: {', '.join(lacking)}")
    source = tmp_path / "project"
    shutil.copytree(PROJECTS / name, source)
    commit(source, "v9.8.7")
    done = shop.build(source, tmp_path / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = (tmp_path / "dist").glob("*.whl"), (tmp_path / "dist").glob("*.tar.gz")
    told = made(wheel)
    assert made(sdist) == told
    read = read_distribution(Project(Tree(Disk(str(PROJECTS / name)))))
    assert read.name is not None and read.name.text is not None
    assert normal_identifier(read.name.text) == normal_identifier(told.name)
    stated = read.version.text if read.version is not None else None
    # A version that no file holds is made from the tag.
    assert version_key(stated or "9.8.7") == version_key(told.version)


def test_there_are_projects_of_every_backend() -> None:
    assert len([*buildable()]) >= 20

"""What a project holds, each file opened once."""

from __future__ import annotations

import pytest

from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree


def project(**files: str) -> Project:
    """A project; names are written `src__weather__init_py` for `src/weather/init.py`."""
    return Project(Tree(Memory({_path(name): text.encode() for name, text in files.items()})))


def of(*paths: str, **texts: bytes) -> Project:
    return Project(Tree(Memory({**dict.fromkeys(paths, b""), **texts})))


def _path(name: str) -> str:
    head, _, suffix = name.replace("__", "/").rpartition("_")
    return f"{head}.{suffix}"


def test_packages_and_modules() -> None:
    held = of(
        "src/weather/__init__.py",
        "src/weather/app.py",
        "src/weather/tools/a.py",
        "src/scripts_only/run.py",
        "flat/__init__.py",
        "flat/b.py",
        "tests/__init__.py",
        "tests/test_a.py",
        "docs/__init__.py",
        "server.py",
        "setup.py",
        "notes.txt",
    )
    assert held.packages == ("src/weather", "flat")
    assert held.modules == (
        "server.py",
        "src/weather/__init__.py",
        "src/weather/app.py",
        "src/weather/tools/a.py",
        "flat/__init__.py",
        "flat/b.py",
    )


def test_generated_files_are_not_the_users() -> None:
    files = {
        "mcp-lockstep.toml": b"contract = 'contract.json'",
        "src/weather/__init__.py": b"",
        "src/weather/_generated/models.py": b"",
    }
    held = Project(Tree(Memory(files)))
    assert held.generated_folder == "src/weather/_generated"
    assert held.modules == ("src/weather/__init__.py",)
    del files["src/weather/_generated/models.py"]
    assert Project(Tree(Memory(files))).generated_folder == "src/weather/_generated"
    del files["mcp-lockstep.toml"]
    assert Project(Tree(Memory(files))).generated_folder == ""


@pytest.mark.parametrize(
    ("path", "raw", "slug"),
    [
        ("server.json", b"{", "not-json"),
        ("server.json", b"\xff", "not-utf8"),
        ("pyproject.toml", b"[", "not-toml"),
        ("README.md", b"\xfe\xff", "not-utf8"),
    ],
)
def test_a_broken_file_is_one_finding_and_as_if_absent(path: str, raw: bytes, slug: str) -> None:
    held = Project(Tree(Memory({path: raw})))
    for _ in range(2):
        assert held.document(path) is None
        assert (held.manifest, held.pyproject) == (None, None)
    assert {finding.code.slug for finding in held.broken} == {slug}


def test_a_file_that_cannot_be_read_is_one_finding() -> None:
    held = of("server.json/below")
    assert held.raw("server.json") is None
    assert held.manifest is None
    assert {finding.code.slug for finding in held.broken} == {"file-is-folder"}


def test_where_the_configuration_stands() -> None:
    place, where = project(pyproject_toml="[tool.mcp-lockstep]\nname = 'x'\n").configured("/name")
    assert (str(place), where.line, where.column) == ("pyproject.toml:tool.mcp-lockstep.name", 2, 8)
    held = of(**{"mcp-lockstep.toml": b"\n[owners]\nversion = 'x'\n"})
    place, where = held.configured("/owners/version")
    assert (str(place), where.line, where.column) == ("mcp-lockstep.toml:owners.version", 3, 11)


def test_files_are_opened_once() -> None:
    held = project(server_json='{"name": "x"}')
    assert held.document("server.json") is held.manifest is held.document("server.json")

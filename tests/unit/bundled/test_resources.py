from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mcp_lockstep.bundled import resources


def test_a_checkout_has_both_folders(root: Path) -> None:
    assert resources.folder("schemas") == str(root / "schemas")
    assert resources.folder("templates") == str(root / "templates")


def test_read_gives_the_bytes(root: Path) -> None:
    expected = (root / "schemas" / "index.toml").read_bytes()
    assert resources.read("schemas", "index.toml") == expected


def test_names_are_sorted_and_mark_folders() -> None:
    names = resources.names("schemas")
    assert names == tuple(sorted(names))
    assert "server/" in names
    assert "docs.toml" in names
    assert "2025-12-11.json" in resources.names("schemas", "server")


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(FileNotFoundError):
        resources.read("schemas", "server", "1999-01-01.json")
    with pytest.raises(FileNotFoundError):
        resources.names("schemas", "nothing")


@pytest.fixture
def archive(root: Path, tmp_path: Path) -> Path:
    """The package and its schemas as a wheel lays them out, in a zip."""
    path = tmp_path / "package.whl"
    with zipfile.ZipFile(path, "w") as target:
        for source in (root / "codegen" / "mcp_lockstep").rglob("*.py"):
            target.write(source, source.relative_to(root / "codegen").as_posix())
        for kind in ("schemas", "templates"):
            target.writestr(f"mcp_lockstep/{kind}/", "")
            for source in (root / kind).rglob("*"):
                target.write(source, f"mcp_lockstep/{source.relative_to(root).as_posix()}")
    return path


def test_the_package_works_from_a_zip(archive: Path) -> None:
    code = (
        "from mcp_lockstep.bundled import catalog, resources\n"
        "assert resources.folder('schemas') is None\n"
        "try:\n    resources.names('schemas', 'nothing')\nexcept FileNotFoundError:\n    print('absent')\n"
        "print(catalog.newest('server'), catalog.find('server').status, len(catalog.schema('server')))\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(archive)!r})\n{code}"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.stdout.split("\n") == ["absent", "2025-12-11 current 4", ""], run.stderr


def test_an_installed_package_comes_first(root: Path, tmp_path: Path) -> None:
    package = tmp_path / "site" / "mcp_lockstep"
    (package / "schemas").mkdir(parents=True)
    (tmp_path / "schemas").mkdir()
    source = (root / "codegen/mcp_lockstep/bundled/resources.py").read_text(encoding="utf-8")
    (package / "bundled").mkdir()
    (package / "bundled/resources.py").write_text(source, encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    code = (
        f"import sys; sys.path.insert(0, {str(package.parent)!r}); from mcp_lockstep.bundled import resources"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"{code}; print(resources.folder('schemas'))"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert run.stdout.strip() == str(package / "schemas")

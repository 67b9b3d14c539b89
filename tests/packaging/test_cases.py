"""The shared cases of kind `build`, with our hook in place of the one that went wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from building import MARKER, STRICT, Workshop, faults_of_record, inside, manifest, members, snapshot
from tally import TALLY

pytestmark = pytest.mark.xdist_group("installs")

KINDS = ("build_sdist", "build_wheel", "build_editable")


def case(shared: Path, name: str, folder: Path) -> Path:
    """A copy of a case that has a server.json, a marker and our hook."""
    shutil.copytree(shared / "cases" / name, folder)
    path = folder / "pyproject.toml"
    text = path.read_text(encoding="utf-8").replace("[tool.hatch.build.hooks.custom]", "")
    text = text.replace('version = "1.2.0"', 'version = "1.2.0"\nreadme = "README.md"', 1)
    scripts = '\n[project.scripts]\nwidget-mcp = "widget_mcp:main"\n'
    path.write_text(f"{text}{scripts}[tool.hatch.build.hooks.mcp-lockstep]\n", encoding="utf-8")
    (folder / "README.md").write_text(f"# Widget\n\n{MARKER}\n", encoding="utf-8")
    sound = manifest("1.2.0").replace('"identifier": "weather"', '"identifier": "widget-mcp"')
    (folder / "server.json").write_text(sound, encoding="utf-8")
    return folder


def test_editable_installs_are_not_shadowed(
    shared: Path, new_shop: Callable[[], Workshop], tmp_path: Path
) -> None:
    source, shop = case(shared, "86-hook-force-include-editable", tmp_path / "widget"), new_shop()
    before = snapshot(source)
    done = shop.pip(source, "-e")
    assert done.returncode == 0, done.stdout + done.stderr
    code = "import widget_mcp.core as c; print(c.__file__)"
    assert shop.run("-c", code, cwd=tmp_path).stdout.strip() == str(source / "src/widget_mcp/core.py")
    assert shop.installed("widget-mcp") == json.loads(before["server.json"])
    assert snapshot(source) == before
    TALLY["shared cases of kind build"] += 1


def test_a_wheel_from_an_sdist_that_packs_src_only(shared: Path, shop: Workshop, tmp_path: Path) -> None:
    source = case(shared, "88-wheel-from-sdist", tmp_path / "widget")
    done = shop.build(source, tmp_path / "dist", env=STRICT)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = (tmp_path / "dist").glob("*.whl"), (tmp_path / "dist").glob("*.tar.gz")
    assert inside(wheel) == inside(sdist)
    assert faults_of_record(wheel) == []
    (source / "server.json").unlink()
    done = shop.build(source, tmp_path / "without")
    assert done.returncode == 0, "an sdist without server.json builds, and nothing is said"
    assert not any(
        path.endswith("server.json") for path in members(next((tmp_path / "without").glob("*.whl")))
    )
    TALLY["shared cases of kind build"] += 1


def test_the_package_is_never_imported(shared: Path, shop: Workshop, tmp_path: Path) -> None:
    source = case(shared, "89-hook-imports-own-package", tmp_path / "widget")
    with (source / "src/widget_mcp/__init__.py").open("a", encoding="utf-8") as handle:
        handle.write("\nimport a_package_that_is_not_there\n")
    for kind in KINDS:
        done = shop.hook(source, tmp_path / kind, kind)
        assert done.returncode == 0, done.stderr
        (artefact,) = (tmp_path / kind).glob("*")
        assert inside(artefact)["version"] == "1.2.0"
    TALLY["shared cases of kind build"] += 1

"""Installs through pip and uv, normal and editable, isolated and not: server.json can be read afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from building import (
    BACKENDS,
    STRICT,
    Workshop,
    every,
    faults_of_record,
    files,
    inside,
    manifest,
    members,
    snapshot,
    workshop_of_others,
    write,
)

pytestmark = pytest.mark.xdist_group("installs")

Shop = Callable[[], Workshop]


def read(source: Path) -> object:
    return json.loads((source / "server.json").read_text(encoding="utf-8"))


@every
@pytest.mark.parametrize("how", ["normal", "editable"])
def test_pip(name: str, how: str, new_shop: Shop, tmp_path: Path) -> None:
    source, shop = write(tmp_path / "weather", files(BACKENDS[name])), new_shop()
    before = snapshot(source)
    done = shop.pip(source, *(["-e"] if how == "editable" else []))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-lockstep:" not in done.stdout + done.stderr
    assert shop.installed() == read(source)
    assert shop.run("-c", "import weather; weather.main()", cwd=tmp_path).returncode == 0
    assert snapshot(source) == before


@every
def test_a_partial_copy_in_an_image_is_installed_without_a_word(
    name: str, new_shop: Shop, tmp_path: Path
) -> None:
    """`COPY pyproject.toml src/`, then `pip install -e .`: no server.json, no README, no contract, no git."""
    whole, shop = (
        files(BACKENDS[name], config='contract = "contract.json"\nbuild-strict = true\n'),
        new_shop(),
    )
    undescribed = whole["pyproject.toml"].replace('readme = "README.md"\n', "")
    part = {"pyproject.toml": undescribed, "src/weather/__init__.py": whole["src/weather/__init__.py"]}
    source = write(tmp_path / "app", part)
    before = snapshot(source)
    done = shop.pip(source, "-e", env=STRICT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-lockstep:" not in done.stdout + done.stderr
    assert shop.installed() is None
    assert shop.run("-c", "import weather; weather.main()", cwd=tmp_path).returncode == 0
    assert snapshot(source) == before


@every
def test_uv(name: str, new_shop: Shop, tmp_path: Path) -> None:
    source, shop = write(tmp_path / "weather", files(BACKENDS[name])), new_shop()
    built = shop.uv("build", "--no-build-isolation", "--out-dir", tmp_path / "dist", cwd=source)
    assert built.returncode == 0, built.stderr
    assert "mcp-lockstep:" not in built.stderr
    (wheel,), (sdist,) = (tmp_path / "dist").glob("*.whl"), (tmp_path / "dist").glob("*.tar.gz")
    assert inside(wheel) == inside(sdist) == read(source)
    assert faults_of_record(wheel) == []
    done = shop.uv("pip", "install", "--no-build-isolation", "--no-deps", "-e", source, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert shop.installed() == read(source)


@pytest.mark.parametrize("name", ["hatchling", "uv_build"])
def test_a_refusal_through_front_ends(name: str, shop: Workshop, tmp_path: Path) -> None:
    source = write(tmp_path / "weather", {**files(BACKENDS[name]), "server.json": manifest("1.2.7")})
    by_uv = shop.uv("build", "--sdist", "--no-build-isolation", "--out-dir", tmp_path / "dist", cwd=source)
    by_pip = shop.pip(source, env=STRICT)
    for done in (by_uv, by_pip):
        assert done.returncode != 0
        assert "error LS1021 version-drift" in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
    assert list((tmp_path / "dist").glob("*.tar.gz")) == []


def isolated(source: Path, own_wheel: Path, *what: str) -> Path:
    """The folder of what `python -m build` made: everything that a build needs comes by its requirements."""
    output = source.parent / "dist"
    links = f"{own_wheel.parent} {os.environ.get('PIP_FIND_LINKS', '')}"
    done = subprocess.run(
        (sys.executable, "-m", "build", *what, "--outdir", str(output), str(source)),
        env={**os.environ, "PIP_FIND_LINKS": links},
        cwd=source.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return output


@every
def test_isolated(name: str, own_wheel: Path, tmp_path: Path) -> None:
    """Nothing of this environment is seen."""
    source = write(tmp_path / "weather", files(BACKENDS[name]))
    (wheel,) = isolated(source, own_wheel, "--wheel").glob("*.whl")
    assert inside(wheel) == read(source)
    assert faults_of_record(wheel) == []


def test_isolated_builds_find_the_verdict_of_the_last_one(
    own_wheel: Path, tmp_path: Path, cache: Path
) -> None:
    """Each has its own environment, and the wheel is made of an sdist in a folder of a new name."""
    source = write(tmp_path / "weather", files(BACKENDS["hatchling"]))
    isolated(source, own_wheel)
    memos = {path: path.stat().st_mtime_ns for path in (cache / "mcp-lockstep").iterdir()}
    assert len(memos) == 2, "one of the sdist, one of the wheel"
    (wheel,) = isolated(source, own_wheel).glob("*.whl")
    assert {path: path.stat().st_mtime_ns for path in (cache / "mcp-lockstep").iterdir()} == memos
    assert inside(wheel) == read(source)


@pytest.mark.parametrize("name", ["hatchling", "setuptools", "pdm"])
def test_projects_of_others_are_built_byte_for_byte_as_without_us(
    name: str, shop: Workshop, tmp_path: Path
) -> None:
    """A server.json that is out of step, and no table of ours."""
    contents = {**files(BACKENDS[name], hook=False), "server.json": manifest("0.0.1")}
    others = workshop_of_others(tmp_path / "env")
    assert others.run("-c", "import mcp_lockstep", cwd=tmp_path).returncode == 1
    assert shop.run("-c", "import mcp_lockstep", cwd=tmp_path).returncode == 0
    made: list[list[object]] = []
    for one in (shop, others):
        source = write(tmp_path / "weather", contents)
        artefacts: list[object] = []
        for kind in ("build_sdist", "build_wheel", "build_editable"):
            done = one.hook(source, tmp_path / "dist", kind, env={"SOURCE_DATE_EPOCH": "1700000000"})
            assert (done.returncode, "mcp-lockstep:" in done.stderr) == (0, False), done.stderr
            (path,) = (tmp_path / "dist").iterdir()
            # Two sdists by setuptools or pdm are never the same: the time of the build is in them.
            artefacts += [path.name, members(path) if kind == "build_sdist" else path.read_bytes()]
            shutil.rmtree(tmp_path / "dist")
        made.append(artefacts)
        shutil.rmtree(source)
    assert made[0] == made[1]


def test_the_environment_of_others_is_left_alone(shop: Workshop, tmp_path: Path) -> None:
    """setuptools and pdm-backend load every hook of the environment, for every project."""
    loads = "import sys; print(sorted(m for m in sys.modules if m.startswith(('mcp_lockstep', 'tomli'))))"
    for name in ("setuptools", "pdm"):
        source = write(
            tmp_path / name, {**files(BACKENDS[name], hook=False), "server.json": manifest("0.0.1")}
        )
        backend = BACKENDS[name].backend
        (tmp_path / "dist").mkdir(exist_ok=True)
        code = f"import importlib as i; i.import_module({backend!r}).build_wheel({str(tmp_path / 'dist')!r}); {loads}"
        done = shop.run("-c", code, cwd=source)
        assert done.returncode == 0, done.stderr
        module = f"mcp_lockstep.hooks.{name}"
        loaded = set(json.loads(done.stdout.splitlines()[-1].replace("'", '"')))
        assert {m for m in loaded if m.startswith("mcp_lockstep")} == {
            "mcp_lockstep",
            "mcp_lockstep.hooks",
            "mcp_lockstep.hooks.opted",
            module,
        }
        assert "mcp-lockstep:" not in done.stderr
    wheels = list((tmp_path / "dist").glob("*.whl"))
    assert not any(path.endswith("server.json") for wheel in wheels for path in members(wheel))

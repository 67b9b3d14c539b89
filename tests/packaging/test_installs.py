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
    NAME,
    Workshop,
    faults_of_record,
    files,
    inside,
    manifest,
    members,
    snapshot,
    write,
)

pytestmark = pytest.mark.xdist_group("installs")

every = pytest.mark.parametrize("name", BACKENDS)
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
    by_pip = shop.pip(source, env={"MCP_LOCKSTEP_BUILD_STRICT": "1"})
    for done in (by_uv, by_pip):
        assert done.returncode != 0
        assert "error LS1021 version-drift" in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
    assert list((tmp_path / "dist").glob("*.tar.gz")) == []


@every
def test_isolated(name: str, own_wheel: Path, tmp_path: Path) -> None:
    """Everything that the build needs comes by its requirements: nothing of this environment is seen."""
    source = write(tmp_path / "weather", files(BACKENDS[name]))
    links = f"{own_wheel.parent} {os.environ.get('PIP_FIND_LINKS', '')}"
    command = (sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path / "dist"), str(source))
    done = subprocess.run(
        command,
        env={**os.environ, "PIP_FIND_LINKS": links},
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert inside(wheel) == read(source)
    assert faults_of_record(wheel) == []


@pytest.mark.parametrize("name", ["hatchling", "flit"])
def test_uv_sync_sees_what_is_in_its_cache_keys(name: str, new_shop: Shop, tmp_path: Path) -> None:
    """Without the keys uv keeps the old install: that is what they are for."""
    keys = '[tool.uv]\ncache-keys = [{ file = "pyproject.toml" }, { file = "server.json" }]\n'
    shop = new_shop()
    for tables, seen in (("[tool.uv]\n", False), (keys, True)):
        contents = files(BACKENDS[name])
        contents["pyproject.toml"] = contents["pyproject.toml"].replace("[tool.", f"{tables}[tool.", 1)
        source = write(tmp_path / "weather", contents)
        env = {"UV_PROJECT_ENVIRONMENT": str(shop.python.parent.parent), "UV_CACHE_DIR": str(tmp_path / "uv")}
        words = ("sync", "--no-build-isolation", "--inexact")
        assert (done := shop.uv(*words, cwd=source, env=env)).returncode == 0, done.stderr
        write(source, {"server.json": contents["server.json"].replace("a city", "a town")})
        assert (done := shop.uv(*words, cwd=source, env=env)).returncode == 0, done.stderr
        assert ("a town" in json.dumps(shop.installed())) is seen


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


IN_TREE = '''"""A backend of the project's own: flit with a word before it."""

from flit_core.buildapi import *
'''


def test_a_backend_in_the_tree_is_in_the_sdist(shop: Workshop, tmp_path: Path) -> None:
    contents = files(BACKENDS["flit"], config='backend-path = ["_build"]\n')
    contents["pyproject.toml"] = contents["pyproject.toml"].replace('"flit_core.buildapi"', '"own"')
    source = write(tmp_path / "weather", {**contents, "_build/own.py": IN_TREE})
    done = shop.build(source, tmp_path / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    assert members(sdist)["_build/own.py"] == IN_TREE.encode()


HATCH_BUILD = """from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["force_include_editable"] = {"extra.txt": "weather/extra.txt"}
"""


def test_what_hatchling_is_told_to_include_stays(shop: Workshop, tmp_path: Path) -> None:
    contents = files(BACKENDS["hatchling"])
    before, ours, after = contents["pyproject.toml"].partition("[tool.hatch.build.hooks.mcp-lockstep]\n")
    tables = '[tool.hatch.build.targets.wheel.force-include]\n"extra.txt" = "weather/extra.txt"\n'
    extra = {"extra.txt": "x", "hatch_build.py": HATCH_BUILD}
    for number, own in enumerate(["", "[tool.hatch.build.hooks.custom]\n"]):
        text = {"pyproject.toml": f"{before}{tables}{own}{ours}{after}"}
        source = write(tmp_path / str(number), {**contents, **extra, **text})
        for kind in ("build_wheel", "build_editable"):
            done = shop.hook(source, tmp_path / f"{number}-{kind}", kind)
            assert done.returncode == 0, done.stderr
            (wheel,) = (tmp_path / f"{number}-{kind}").glob("*.whl")
            assert members(wheel)["weather/extra.txt"] == b"x"
            assert inside(wheel)["name"] == NAME
            assert faults_of_record(wheel) == []


@pytest.mark.parametrize("name", ["pdm", "setuptools"])
def test_nothing_else_gets_into_an_sdist(name: str, shop: Workshop, tmp_path: Path) -> None:
    names: list[set[str]] = []
    for hook in (True, False):
        source = write(tmp_path / str(hook), files(BACKENDS[name], hook=hook))
        assert shop.hook(source, tmp_path / f"dist-{hook}", "build_sdist").returncode == 0
        (sdist,) = (tmp_path / f"dist-{hook}").glob("*")
        names.append({path for path in members(sdist) if "egg-info" not in path})
    assert names[0] - names[1] == {"server.json"}
    assert names[1] - names[0] == set()


def test_tools_that_go_round_the_backend_are_caught_at_the_gate(shop: Workshop, tmp_path: Path) -> None:
    """`flit build` calls flit_core itself: the wheel has no server.json, and `check dist/*` says what is wrong."""
    source = write(tmp_path / "weather", {**files(BACKENDS["flit"]), "README.md": "# Weather\n"})
    code = "import sys, flit_core.buildapi as b; b.build_wheel(sys.argv[1])"
    (tmp_path / "dist").mkdir()
    assert shop.run("-c", code, tmp_path / "dist", cwd=source).returncode == 0
    shutil.copytree(tmp_path / "dist", source / "dist")
    (wheel,) = (source / "dist").glob("*.whl")
    assert not any(path.endswith("server.json") for path in members(wheel))
    done = shop.run("-m", "mcp_lockstep", "check", f"dist/{wheel.name}", cwd=source)
    assert done.returncode == 1
    assert "marker" in done.stdout

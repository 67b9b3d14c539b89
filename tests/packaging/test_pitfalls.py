"""What went wrong in experiments with build hooks, one to eleven: a test for each, by its number.

 1  setuptools, pdm, uv_build, flit and poetry leave the inputs out of the sdist, and its build dies
 2  a hook that writes a tracked file makes the version from git a development version
 3  uv keeps an editable install until a file changes that it was told of
 4  some tools call their own backend, whatever `[build-system]` names
 5  an editable install by meson runs, later, a program of the environment that built it
 6  `force_include_editable` of hatchling takes the place of what the project includes
 7  what lies in the build folder of pdm gets into the sdist
 8  setuptools packs hard links: who writes into the tree to be packed writes into the project
 9  a backend in the project's own tree is not in its sdist
10  uv_build wants the program `uv-build` on PATH
11  uv_build and flit have no plugins, and a build script of poetry makes the wheel one for this platform
"""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from building import (
    BACKENDS,
    NAME,
    PROXY,
    STRICT,
    Backend,
    Workshop,
    commit,
    contract_project,
    every,
    faults_of_record,
    files,
    inside,
    members,
    pyproject,
    snapshot,
    versions,
    write,
)
from mcp_lockstep.adopt.hook import with_cache_keys
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree

pytestmark = pytest.mark.xdist_group("installs")

FROM_GIT = {
    **{name: backend for name, backend in BACKENDS.items() if backend.scm},
    "poetry": Backend(
        "poetry",
        ("poetry-core>=2", "poetry-dynamic-versioning"),
        "poetry_dynamic_versioning.backend",
        BACKENDS["poetry"].tables + 'version = "0.0.0"\n',
        scm="[tool.poetry-dynamic-versioning]\nenable = true\n",
    ),
}
"""Those that can take the version from git; poetry does it by a backend of its own before poetry-core."""
Shop = Callable[[], Workshop]

NO_NETWORK = """import socket


def refuse(*_):
    raise AssertionError("a connection was tried")


socket.socket.connect = socket.getaddrinfo = refuse
"""
"""A `sitecustomize` for programs that are to stay on this machine."""


@every
def test_01_the_unpacked_sdist_builds_again_offline(
    name: str, root: Path, shop: Workshop, tmp_path: Path
) -> None:
    """Strict, elsewhere, without git: the sdist and the wheel from it carry the same server.json."""
    env = {**STRICT, "PYTHONPATH": str(write(tmp_path / "offline", {"sitecustomize.py": NO_NETWORK}))}
    source = contract_project(root, BACKENDS[name], tmp_path / "weather")
    done = shop.hook(source, tmp_path / "first", "build_sdist", env=env)
    assert done.returncode == 0, done.stderr
    (first,) = (tmp_path / "first").glob("*.tar.gz")
    with tarfile.open(first) as archive:
        archive.extractall(tmp_path / "elsewhere", filter="data")
    shutil.rmtree(source)
    (unpacked,) = (tmp_path / "elsewhere").iterdir()
    for kind in ("build_wheel", "build_sdist"):
        done = shop.hook(unpacked, tmp_path / kind, kind, env=env)
        assert (done.returncode, "mcp-lockstep:" in done.stderr) == (0, False), done.stderr
        (artefact,) = (tmp_path / kind).glob("*")
        assert inside(artefact) == inside(first)
        # hatchling packs the PKG-INFO that it finds beside its own, with or without a hook of ours.
        gate = shop.run("-m", "mcp_lockstep", "check", artefact, cwd=unpacked)
        assert gate.stdout == f"in step: io.github.acme/weather 0.1.0 ({artefact})\n"


@pytest.mark.parametrize("name", ["setuptools", "pdm", "flit"])
def test_01_inputs_that_no_backend_takes_for_its_own(
    name: str, root: Path, shop: Workshop, tmp_path: Path
) -> None:
    """A hidden contract, a template that is code, and a place of the version that is code of no package."""
    source = contract_project(root, BACKENDS[name], tmp_path / "weather")
    (source / ".mcp").mkdir()
    (source / "contract.json").rename(source / ".mcp/contract.json")
    runtime = (root / "templates/mcp2/runtime.py").read_text(encoding="utf-8")
    text = (source / "pyproject.toml").read_text(encoding="utf-8")
    keys = 'contract = ".mcp/contract.json"\ntemplates = "own"\n'
    place = '\n[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = "docs/conf.py"\npattern = "release = .(.+)."\n'
    text = text.replace('contract = "contract.json"\n', "")
    text = text.replace("[tool.mcp-lockstep]\n", f"[tool.mcp-lockstep]\n{keys}") + place
    more = {
        "pyproject.toml": text,
        "own/runtime.py": f"# Ours.\n{runtime}",
        "docs/conf.py": "release = '0.1.0'\n",
    }
    synced = shop.run("-m", "mcp_lockstep", "sync", cwd=write(source, more))
    assert "wrote src/weather/_generated/runtime.py" in synced.stdout
    done = shop.build(source, tmp_path / "dist", env=STRICT)
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    assert {".mcp/contract.json", "own/runtime.py", "docs/conf.py"} <= {*members(sdist)}


@pytest.mark.parametrize("name", FROM_GIT)
def test_02_a_version_from_git_is_not_changed_by_the_build(name: str, shop: Workshop, tmp_path: Path) -> None:
    """A hook that wrote a tracked file would make this 2.6.1.dev0."""
    source = write(tmp_path / "weather", files(FROM_GIT[name], version=""))
    commit(source, "v2.6.0")
    before = snapshot(source)
    done = shop.build(source, tmp_path / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-lockstep:" not in done.stdout + done.stderr
    (wheel,), (sdist,) = (tmp_path / "dist").glob("*.whl"), (tmp_path / "dist").glob("*.tar.gz")
    assert versions(inside(wheel)) == versions(inside(sdist)) == {"2.6.0"}
    assert wheel.name.startswith("weather-2.6.0-")
    assert faults_of_record(wheel) == []
    assert snapshot(source) == before


@pytest.mark.parametrize("name", ["hatchling", "flit"])
def test_03_uv_sync_sees_what_is_in_its_cache_keys(name: str, new_shop: Shop, tmp_path: Path) -> None:
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


def test_03_uv_sync_sees_a_change_of_every_file_that_adopt_names(new_shop: Shop, tmp_path: Path) -> None:
    models = 'schema = "s.json"\noutput = "m.py"\npatches = "p.json"\n'
    config = f'contract = "tools"\n[[tool.mcp-lockstep.models]]\n{models}'
    contents = {
        **files(BACKENDS["hatchling"], config=config),
        **dict.fromkeys(("tools/a/high.json", "s.json", "p.json"), "{}"),
        "uv.lock": "",
    }
    source = write(tmp_path / "weather", contents)
    mended = with_cache_keys(Project(Tree(Disk(str(source)))))
    assert mended is not None
    (source / "pyproject.toml").write_bytes(mended)
    (source / "uv.lock").unlink()
    shop = new_shop()
    env = {"UV_PROJECT_ENVIRONMENT": str(shop.python.parent.parent), "UV_CACHE_DIR": str(tmp_path / "uv")}

    def builds() -> bool:
        done = shop.uv("sync", "--no-build-isolation", "--inexact", cwd=source, env=env)
        assert done.returncode == 0, done.stderr
        return "Built weather" in done.stderr

    assert (builds(), builds()) == (True, False)
    for name in ("tools/a/high.json", "s.json", "p.json", "server.json", "pyproject.toml", "tools/low.json"):
        with (source / name).open("a", encoding="utf-8") as out:
            out.write("\n")
        assert (name, builds(), builds()) == (name, True, False)
    (source / "README.md").write_text("# Other\n", encoding="utf-8")
    assert not builds()


def test_04_tools_that_go_round_the_backend_are_caught_at_the_gate(shop: Workshop, tmp_path: Path) -> None:
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


MESON_BUILD = """project('weather')
py = import('python').find_installation()
py.install_sources('src/weather/__init__.py', subdir: 'weather')
"""


@pytest.mark.skipif(
    not (find_spec("mesonpy") and find_spec("ninja")), reason="meson-python is not installed here"
)
@pytest.mark.parametrize("how", ["normal", "editable"])
def test_05_meson_finds_nothing_of_ours_to_run_later(how: str, new_shop: Shop, tmp_path: Path) -> None:
    """The front of meson-python is ours; its build files name no program of ours, so none is looked for."""
    meson = Backend("mesonpy", ("meson-python",), "mesonpy")
    contents = {**files(meson), "meson.build": MESON_BUILD}
    contents["pyproject.toml"] = pyproject(meson, config='build-backend = "mesonpy"\n').replace(
        'build-backend = "mesonpy"', f'build-backend = "{PROXY}"', 1
    )
    source, shop = write(tmp_path / "weather", contents), new_shop()
    commit(source)
    done = shop.pip(source, *(["-e"] if how == "editable" else []))
    assert done.returncode == 0, done.stdout + done.stderr
    assert shop.installed() == json.loads(contents["server.json"])
    assert shop.run("-c", "import weather; weather.main()", cwd=tmp_path).returncode == 0


HATCH_BUILD = """from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["force_include_editable"] = {"extra.txt": "weather/extra.txt"}
"""


def test_06_what_hatchling_is_told_to_include_stays(shop: Workshop, tmp_path: Path) -> None:
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
def test_07_nothing_else_gets_into_an_sdist(name: str, shop: Workshop, tmp_path: Path) -> None:
    names: list[set[str]] = []
    for hook in (True, False):
        source = write(tmp_path / str(hook), files(BACKENDS[name], hook=hook))
        assert shop.hook(source, tmp_path / f"dist-{hook}", "build_sdist").returncode == 0
        (sdist,) = (tmp_path / f"dist-{hook}").glob("*")
        names.append({path for path in members(sdist) if "egg-info" not in path})
    assert names[0] - names[1] == {"server.json"}
    assert names[1] - names[0] == set()


SETUP = """import os
from os import link

from setuptools import setup
from setuptools.command.sdist import sdist


class Linked(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        os.unlink(f"{base_dir}/server.json")
        link("server.json", f"{base_dir}/server.json")


setup(cmdclass={"sdist": Linked})
"""
"""What setuptools itself did before it took `os.link` away, and what a command of a project may do still."""


def test_08_nothing_is_written_through_a_hard_link(shop: Workshop, tmp_path: Path) -> None:
    contents = files(BACKENDS["setuptools"], config='version = "build"\n')
    contents["server.json"] = contents["server.json"].replace("1.2.8", "{{VERSION}}")
    source = write(
        tmp_path / "weather", {**contents, "MANIFEST.in": "include server.json\n", "setup.py": SETUP}
    )
    before = snapshot(source)
    done = shop.hook(source, source.parent / "dist", "build_sdist")
    assert done.returncode == 0, done.stderr
    (sdist,) = (tmp_path / "dist").glob("*")
    assert versions(inside(sdist)) == {"1.2.8"}
    assert snapshot(source) == before


IN_TREE = '''"""A backend of the project's own: flit with a word before it."""

from flit_core.buildapi import *
'''


def test_09_a_backend_in_the_tree_is_in_the_sdist(shop: Workshop, tmp_path: Path) -> None:
    contents = files(BACKENDS["flit"], config='backend-path = ["_build"]\n')
    contents["pyproject.toml"] = contents["pyproject.toml"].replace('"flit_core.buildapi"', '"own"')
    source = write(tmp_path / "weather", {**contents, "_build/own.py": IN_TREE})
    done = shop.build(source, tmp_path / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    assert members(sdist)["_build/own.py"] == IN_TREE.encode()


def test_10_without_its_program_uv_build_fails_with_its_own_words(shop: Workshop, tmp_path: Path) -> None:
    """An environment that is called and not activated: `uv-build` is not on PATH."""
    away = {"PATH": str(tmp_path / "bin")}
    said: list[str] = []
    for hook in (True, False):
        source = write(tmp_path / str(hook), files(BACKENDS["uv_build"], hook=hook))
        for kind in ("build_sdist", "build_wheel"):
            done = shop.hook(source, tmp_path / f"dist-{hook}", kind, env=away)
            assert (done.returncode != 0, "mcp-lockstep:" in done.stderr) == (True, False), done.stderr
            said.append(done.stderr.splitlines()[-1])
        assert [*(tmp_path / f"dist-{hook}").iterdir()] == []
    assert len(set(said)) == 1
    assert "uv-build" in said[0]
    assert shop.hook(tmp_path / "True", tmp_path / "dist", "build_wheel").returncode == 0


@pytest.mark.parametrize("name", [name for name, backend in BACKENDS.items() if backend.proxied])
def test_11_what_has_no_plugins_makes_the_same_wheel_behind_ours(
    name: str, shop: Workshop, tmp_path: Path
) -> None:
    found: list[dict[str, bytes]] = []
    for hook in (True, False):
        source = write(tmp_path / str(hook), files(BACKENDS[name], hook=hook))
        assert shop.hook(source, tmp_path / f"dist-{hook}", "build_wheel").returncode == 0
        (wheel,) = (tmp_path / f"dist-{hook}").glob("*")
        assert wheel.name.endswith("py3-none-any.whl")
        found.append(members(wheel))
    with_hook, without = found
    info = "weather-1.2.8.dist-info"
    assert b"Root-Is-Purelib: true" in with_hook[f"{info}/WHEEL"]
    assert with_hook.pop(f"{info}/mcp/server.json").decode() == files(BACKENDS[name])["server.json"]
    for each in found:
        del each[f"{info}/RECORD"]
    assert with_hook == without

"""Real builds, without isolation: what goes in, what is told, what is refused, by backend and kind of drift."""

from __future__ import annotations

import json
import os
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from building import (
    BACKENDS,
    MARKER,
    STRICT,
    Workshop,
    commit,
    contract_project,
    every,
    faults_of_record,
    files,
    inside,
    manifest,
    members,
    snapshot,
    versions,
    write,
)

pytestmark = pytest.mark.xdist_group("packaging")

KINDS = ("build_sdist", "build_wheel", "build_editable")


def said(text: str) -> list[str]:
    """The lines that are ours."""
    return [line for line in text.splitlines() if line.startswith("mcp-lockstep:")]


def slugs(text: str) -> set[str]:
    return {
        match[1] for line in said(text) if (match := re.search(r"(?:error|warning) LS\d{4} ([\w-]+):", line))
    }


@every
def test_a_sound_project(name: str, root: Path, shop: Workshop, tmp_path: Path) -> None:
    """sdist, then the wheel from it, strict and offline: everything that the second step needs is in the first."""
    source = contract_project(root, BACKENDS[name], tmp_path / "weather")
    before = snapshot(source)
    done = shop.build(source, tmp_path / "dist", env=STRICT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert said(done.stdout + done.stderr) == []
    (wheel,), (sdist,) = (tmp_path / "dist").glob("*.whl"), (tmp_path / "dist").glob("*.tar.gz")
    assert inside(wheel) == inside(sdist) == json.loads(before["server.json"])
    assert faults_of_record(wheel) == []
    found = [path for path in members(wheel) if path.endswith("server.json")]
    assert found == ["weather-0.1.0.dist-info/mcp/server.json"]
    packed = members(sdist)
    assert packed["server.json"] == before["server.json"]
    assert {path: packed[path] for path in ("contract.json", "mcp-lockstep.lock")} == {
        path: before[path] for path in ("contract.json", "mcp-lockstep.lock")
    }
    assert snapshot(source) == before


@every
def test_drift_refuses_the_sdist_and_leaves_nothing(name: str, shop: Workshop, tmp_path: Path) -> None:
    source = write(tmp_path / "weather", {**files(BACKENDS[name]), "server.json": manifest("1.2.7")})
    done = shop.build(source, tmp_path / "dist", "--sdist")
    lines = said(done.stderr)
    assert done.returncode != 0
    assert len(lines) == 3
    assert lines[0].startswith("mcp-lockstep: server.json:5:14: error LS1021 version-drift: ")
    assert lines[-1].startswith("mcp-lockstep: no sdist is built: 2 errors; ")
    assert "mcp_lockstep" not in done.stdout + done.stderr
    assert [*(tmp_path / "dist").glob("*")] == []


@every
def test_drift_is_told_where_wheels_are_built(name: str, shop: Workshop, tmp_path: Path) -> None:
    """The wheel carries the version that it has; `build-strict` refuses it."""
    source = write(tmp_path / "weather", {**files(BACKENDS[name]), "server.json": manifest("1.2.7")})
    for kind in ("build_wheel", "build_editable"):
        done = shop.hook(source, tmp_path / kind, kind)
        assert (done.returncode, len(said(done.stderr))) == (0, 2), done.stdout + done.stderr
        (wheel,) = (tmp_path / kind).glob("*.whl")
        assert versions(inside(wheel)) == {"1.2.8"}
        assert faults_of_record(wheel) == []
    write(source, {"pyproject.toml": files(BACKENDS[name], config="build-strict = true\n")["pyproject.toml"]})
    for kind in ("build_wheel", "build_editable"):
        done = shop.hook(source, tmp_path / "strict", kind)
        assert (done.returncode, len(said(done.stderr))) == (1, 3), done.stdout + done.stderr
    assert [*(tmp_path / "strict").glob("*")] == []


DRIFT: Mapping[str, tuple[str, str, str, set[str]]] = {
    "name": ("README.md", "acme/weather", "acme/storms", {"server-name-changed-here"}),
    "marker": ("README.md", "mcp-name: io.github.acme/weather", "", {"readme-marker-missing"}),
    "identifier": (
        "server.json",
        '"identifier": "weather"',
        '"identifier": "storms"',
        {"package-identifier-changed-here"},
    ),
    "contract": (
        "contract.json",
        '"get-forecast"',
        '"give-forecast"',
        {"generated-stale", "tool-not-implemented", "orphaned-function"},
    ),
    "seal": ("src/weather/_generated/stubs.py", "days: int = 3", "days: int = 4", {"generated-edited"}),
    "signature": (
        "src/weather/tools/get_forecast.py",
        "days: int = 3",
        "days: int = 4",
        {"parameter-changed-in-code"},
    ),
    "manifest": ("server.json", '"description": "', '"description": "' + "x" * 101, {"description-too-long"}),
    "json": ("server.json", '"packages"', "packages", {"not-json"}),
}
"""Kind -> file, text in it, what it becomes, slugs that are among those told."""


@pytest.mark.parametrize("kind", DRIFT)
def test_every_kind_of_drift(kind: str, root: Path, shop: Workshop, tmp_path: Path) -> None:
    source = contract_project(root, BACKENDS["hatchling"], tmp_path / "weather")
    path, old, new, told = DRIFT[kind]
    text = (source / path).read_text(encoding="utf-8")
    assert old in text
    write(source, {path: text.replace(old, new)})
    refused = shop.hook(source, tmp_path / "refused", "build_sdist")
    assert refused.returncode == 1
    assert slugs(refused.stderr) == told
    assert refused.stderr.splitlines()[-1].startswith("mcp-lockstep: no sdist is built: ")
    assert "Traceback" not in refused.stderr
    went_on = shop.hook(source, tmp_path / "wheel", "build_wheel")
    assert (went_on.returncode, slugs(went_on.stderr)) == (0, slugs(refused.stderr))
    strict = shop.hook(source, tmp_path / "refused", "build_wheel", env=STRICT)
    assert (strict.returncode, slugs(strict.stderr)) == (1, slugs(refused.stderr))
    assert [*(tmp_path / "refused").glob("*")] == []
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    assert faults_of_record(wheel) == []


@every
def test_without_server_json_nothing_is_said(name: str, shop: Workshop, tmp_path: Path) -> None:
    """A Dockerfile copies a part of the project; everything else in it is out of step as well."""
    contents = files(BACKENDS[name], config='contract = "contract.json"\nbuild-strict = true\n')
    del contents["server.json"]
    source = write(tmp_path / "weather", {**contents, "README.md": "# Weather\n"})
    for kind in KINDS:
        done = shop.hook(source, tmp_path / kind, kind, env=STRICT)
        assert (done.returncode, said(done.stderr)) == (0, []), done.stderr
        (artefact,) = (tmp_path / kind).glob("*")
        assert [path for path in members(artefact) if path.endswith("server.json")] == []


@every
def test_a_part_of_a_project_with_server_json_builds(
    name: str, root: Path, shop: Workshop, tmp_path: Path
) -> None:
    whole = contract_project(root, BACKENDS[name], tmp_path / "whole")
    part = tmp_path / "part"
    for path in ("pyproject.toml", "README.md", "server.json", "src/weather/__init__.py"):
        write(part, {path: (whole / path).read_text(encoding="utf-8")})
    done = shop.hook(part, tmp_path / "dist", "build_editable")
    assert done.returncode == 0
    assert slugs(done.stderr)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert inside(wheel) == json.loads((whole / "server.json").read_text(encoding="utf-8"))


def test_a_version_from_git_that_nobody_wrote_down(shop: Workshop, tmp_path: Path) -> None:
    contents = {**files(BACKENDS["hatchling"], version=""), "server.json": manifest("2.5.0")}
    contents["pyproject.toml"] = contents["pyproject.toml"].replace('version = "build"\n', "")
    source = write(tmp_path / "weather", contents)
    commit(source, "v2.6.0")
    done = shop.hook(source, tmp_path / "dist", "build_sdist")
    assert (done.returncode, slugs(done.stderr)) == (1, {"built-version-differs"})
    assert "server.json:5:14: " in done.stderr
    assert done.stderr.splitlines()[-1] == "mcp-lockstep: no sdist is built: 1 error", "`check` cannot say it"
    write(source, {"src/weather/more.py": ""})
    commit(source)
    done = shop.hook(source, tmp_path / "dist", "build_sdist")
    assert (done.returncode, said(done.stderr)) == (0, []), "a development version is published by nobody"
    (sdist,) = (tmp_path / "dist").glob("*")
    (version,) = versions(inside(sdist))
    assert str(version).startswith("2.6.1.dev1")


@pytest.mark.parametrize("version", ["2.6.0rc1", "2.6.0.dev1"])
def test_a_version_on_the_way_to_the_next_is_built(version: str, shop: Workshop, tmp_path: Path) -> None:
    contents = {
        **files(BACKENDS["hatchling"], version=version),
        "server.json": manifest("2.5.0"),
    }
    source = write(tmp_path / "weather", contents)
    done = shop.hook(source, tmp_path / "dist", "build_sdist")
    assert (done.returncode, slugs(done.stderr)) == (0, {"dev-ahead"})
    (sdist,) = (tmp_path / "dist").glob("*")
    assert {str(one) for one in versions(inside(sdist))} == {version}
    assert (source / "server.json").read_text(encoding="utf-8") == manifest("2.5.0")


@every
def test_the_marker_is_looked_for_in_what_is_built(name: str, shop: Workshop, tmp_path: Path) -> None:
    """The README of the repository has it; the description of the package comes from elsewhere."""
    contents = files(BACKENDS[name])
    inline = 'dynamic = ["readme"]\n' if name == "setuptools" else 'readme = "PYPI.md"\n'
    contents["pyproject.toml"] = contents["pyproject.toml"].replace('readme = "README.md"\n', inline)
    if name == "setuptools":
        contents["pyproject.toml"] += '[tool.setuptools.dynamic]\nreadme = { file = "PYPI.md" }\n'
    source = write(tmp_path / "weather", {**contents, "PYPI.md": "# Weather\n"})
    done = shop.hook(source, tmp_path / "dist", "build_sdist")
    assert done.returncode == 1
    assert slugs(done.stderr) == {"readme-marker-elsewhere"}
    write(source, {"PYPI.md": f"# Weather\n\n{MARKER}\n"})
    assert shop.hook(source, tmp_path / "dist", "build_sdist").returncode == 0


@every
def test_wheels_are_reproducible(name: str, root: Path, shop: Workshop, tmp_path: Path) -> None:
    """In folders of other names, from files of other ages; so are the sdists of backends that can do it."""
    env = {"SOURCE_DATE_EPOCH": "1700000000"}
    kinds = ("build_wheel", *(() if name in ("setuptools", "pdm") else ("build_sdist",)))
    made: list[list[bytes]] = []
    for age, folder in enumerate(("one", "elsewhere/two")):
        source = contract_project(root, BACKENDS[name], tmp_path / folder)
        changed = 1_600_000_000 + 5_000_000 * age
        for path in source.rglob("*"):
            os.utime(path, (changed, changed))
        for kind in kinds:
            assert shop.hook(source, tmp_path / f"{kind}-{age}", kind, env=env).returncode == 0
        made.append([next((tmp_path / f"{kind}-{age}").iterdir()).read_bytes() for kind in kinds])
    assert made[0] == made[1]


def test_a_server_json_that_the_project_itself_puts_in_is_there_once(shop: Workshop, tmp_path: Path) -> None:
    contents = {**files(BACKENDS["hatchling"], version=""), "server.json": manifest("0.0.0")}
    contents["pyproject.toml"] += (
        '[tool.hatch.build.targets.sdist.force-include]\n"server.json" = "server.json"\n'
    )
    source = write(tmp_path / "weather", contents)
    commit(source, "v2.6.0")
    done = shop.hook(source, tmp_path / "dist", "build_sdist")
    assert (done.returncode, said(done.stderr)) == (0, []), done.stderr
    (sdist,) = (tmp_path / "dist").glob("*")
    with tarfile.open(sdist) as archive:
        assert [name for name in archive.getnames() if name.endswith("server.json")] == [
            "weather-2.6.0/server.json"
        ]
    assert versions(inside(sdist)) == {"2.6.0"}

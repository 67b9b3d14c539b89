"""Real builds, without isolation: what goes in, what is told, what is refused, by backend and kind of drift."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from building import (
    BACKENDS,
    Workshop,
    commit,
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

every = pytest.mark.parametrize("name", BACKENDS)
with_scm = pytest.mark.parametrize("name", [name for name, backend in BACKENDS.items() if backend.scm])


@every
def test_a_sound_project_carries_server_json(name: str, shop: Workshop, tmp_path: Path) -> None:
    source = write(tmp_path / "weather", files(BACKENDS[name]))
    before = snapshot(source)
    done = shop.build(source, tmp_path / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-lockstep:" not in done.stdout + done.stderr
    (wheel,), (sdist,) = (tmp_path / "dist").glob("*.whl"), (tmp_path / "dist").glob("*.tar.gz")
    assert inside(wheel) == inside(sdist) == json.loads(before["server.json"])
    assert faults_of_record(wheel) == []
    assert [n for n in members(wheel) if n.endswith("server.json")] == [
        "weather-1.2.8.dist-info/mcp/server.json"
    ]
    assert snapshot(source) == before


@with_scm
def test_the_version_of_a_tag_goes_in(name: str, shop: Workshop, tmp_path: Path) -> None:
    source = write(tmp_path / "weather", files(BACKENDS[name], version=""))
    commit(source, "v2.6.0")
    done = shop.build(source, tmp_path / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-lockstep:" not in done.stdout + done.stderr
    (wheel,), (sdist,) = (tmp_path / "dist").glob("*.whl"), (tmp_path / "dist").glob("*.tar.gz")
    assert versions(inside(wheel)) == versions(inside(sdist)) == {"2.6.0"}
    assert wheel.name.startswith("weather-2.6.0-")
    assert faults_of_record(wheel) == []


@every
def test_drift_refuses_the_sdist_and_leaves_nothing(name: str, shop: Workshop, tmp_path: Path) -> None:
    source = write(tmp_path / "weather", {**files(BACKENDS[name]), "server.json": manifest("1.2.7")})
    done = shop.build(source, tmp_path / "dist", "--sdist")
    said = [line for line in done.stderr.splitlines() if line.startswith("mcp-lockstep:")]
    assert done.returncode != 0
    assert len(said) == 3
    assert said[0].startswith("mcp-lockstep: server.json:5:14: error LS1021 version-drift: ")
    assert said[-1].startswith("mcp-lockstep: no sdist is built: 2 errors; ")
    assert "mcp_lockstep" not in done.stdout + done.stderr
    assert [*(tmp_path / "dist").glob("*")] == []


@every
def test_drift_is_told_where_a_wheel_is_built(name: str, shop: Workshop, tmp_path: Path) -> None:
    source = write(tmp_path / "weather", {**files(BACKENDS[name]), "server.json": manifest("1.2.7")})
    done = shop.build(source, tmp_path / "dist", "--wheel")
    said = [line for line in done.stderr.splitlines() if line.startswith("mcp-lockstep:")]
    assert (done.returncode, len(said)) == (0, 2), done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert versions(inside(wheel)) == {"1.2.8"}
    assert faults_of_record(wheel) == []

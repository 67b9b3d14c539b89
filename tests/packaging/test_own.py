"""This project keeps itself in step, and builds itself with its own hook."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from building import Workshop, faults_of_record, inside, members
from mcp_lockstep.__main__ import main

pytestmark = pytest.mark.xdist_group("packaging")


@pytest.mark.usefixtures("cache")
def test_the_checkout_is_in_step(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    assert main(["check", "."]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("in step: io.github.mcp-lockstep/mcp-lockstep 0.1.0 (")


def test_the_wheel_carries_server_json(root: Path, own_wheel: Path) -> None:
    assert inside(own_wheel) == json.loads((root / "server.json").read_text(encoding="utf-8"))
    assert faults_of_record(own_wheel) == []


def test_the_wheel_of_our_sdist_is_the_same(
    root: Path, own_wheel: Path, shop: Workshop, tmp_path: Path
) -> None:
    copy = own_wheel.parent.parent / "checkout"
    done = shop.build(copy, tmp_path / "dist")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-lockstep:" not in done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert members(wheel) == members(own_wheel)


def test_an_editable_install_of_the_checkout(own_wheel: Path, new_shop: Callable[[], Workshop]) -> None:
    shop, copy = new_shop(), own_wheel.parent.parent / "checkout"
    done = shop.pip(copy, "-e")
    assert done.returncode == 0, done.stdout + done.stderr
    assert shop.installed("mcp-lockstep") == inside(own_wheel)

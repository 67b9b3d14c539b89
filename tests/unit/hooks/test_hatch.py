"""What hatchling is told to include."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_lockstep.hooks import hatch
from mcp_lockstep.hooks.built import Built, Kind, Verdict
from mcp_lockstep.hooks.hatch import LockstepHook, hatch_register_build_hook

VERDICT = Verdict((), False, b"rendered", ("contract.json", "README.md"))
INSIDE = "weather-1.2.0.dist-info/mcp/server.json"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Built]:
    """A project, and the builds of it that were judged; each may go on."""
    (tmp_path / "server.json").write_bytes(b"template")
    calls: list[Built] = []

    def decide(root: str, built: Built) -> Verdict:
        assert root == str(tmp_path)
        calls.append(built)
        return VERDICT

    monkeypatch.setattr(hatch, "decide", decide)
    return calls


def hook(root: Path, target: str, own: dict[str, str] | None = None) -> LockstepHook:
    """The hook for a build of `target`; `own` is the `force-include` of the project's table."""
    metadata: Any = SimpleNamespace(version="1.2.0", core=SimpleNamespace(readme="# Weather\n"))
    builder = SimpleNamespace(artifact_project_id="weather-1.2.0")
    config: Any = SimpleNamespace(builder=builder, force_include={} if own is None else own)
    return LockstepHook(str(root), {}, config, metadata, str(root / "dist"), target, None)


def contents(included: dict[str, str], place: str) -> bytes:
    """What is packed at `place`."""
    (path,) = [path for path, where in included.items() if where == place]
    return Path(path).read_bytes()


def test_it_is_found_by_its_name() -> None:
    assert hatch_register_build_hook() is LockstepHook
    assert LockstepHook.PLUGIN_NAME == "mcp-lockstep"


@pytest.mark.parametrize(("version", "kind"), [("standard", "wheel"), ("editable", "editable")])
def test_a_wheel_gets_it_beside_the_metadata(
    version: str, kind: Kind, asked: list[Built], tmp_path: Path
) -> None:
    included: dict[str, str] = {"a.txt": "weather/a.txt"}
    data: dict[str, object] = {"force_include": included}
    hook(tmp_path, "wheel").initialize(version, data)
    assert asked == [Built(kind, "1.2.0", "# Weather\n")]
    assert contents(included, INSIDE) == b"rendered"
    assert included["a.txt"] == "weather/a.txt"
    assert data.get("force_include_editable") in (None, {}), "an empty one replaces nothing"


def test_what_replaces_the_list_in_editable_wheels_gets_it_too(asked: list[Built], tmp_path: Path) -> None:
    replacing: dict[str, str] = {"a.txt": "weather/a.txt"}
    hook(tmp_path, "wheel").initialize("editable", {"force_include_editable": replacing})
    assert contents(replacing, INSIDE) == b"rendered"
    assert len(replacing) == 2


def test_an_sdist_gets_it_in_its_root_with_its_inputs(asked: list[Built], tmp_path: Path) -> None:
    included: dict[str, str] = {str(tmp_path / "README.md"): "OTHER.md"}
    hook(tmp_path, "sdist").initialize("standard", {"force_include": included})
    assert asked[0].kind == "sdist"
    assert contents(included, "server.json") == b"rendered"
    assert included[str(tmp_path / "contract.json")] == "contract.json"
    assert included[str(tmp_path / "README.md")] == "OTHER.md", "what the project says of a file stays"


def test_an_sdist_gets_it_once_where_the_project_includes_its_own(asked: list[Built], tmp_path: Path) -> None:
    own = {str(tmp_path / "server.json"): "server.json", "a.txt": "b.txt"}
    included: dict[str, str] = {str(tmp_path / "template.json"): "server.json"}
    hook(tmp_path, "sdist", own).initialize("standard", {"force_include": included})
    assert asked[0].kind == "sdist"
    assert own == {"a.txt": "b.txt"}
    assert contents(included, "server.json") == b"rendered"


def test_other_targets_are_none_of_ours(asked: list[Built], tmp_path: Path) -> None:
    data: dict[str, object] = {}
    hook(tmp_path, "custom").initialize("standard", data)
    assert (asked, data) == ([], {})


@pytest.mark.parametrize("verdict", [None, VERDICT._replace(manifest=None)])
def test_nothing_is_added_where_there_is_nothing_to_put_in(
    verdict: Verdict | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hatch, "decide", lambda root, built: verdict)
    data: dict[str, object] = {}
    hook(tmp_path, "wheel").initialize("standard", data)
    assert data == {}


def test_nothing_is_added_where_there_is_no_room_for_it(
    asked: list[Built], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hatch, "kept", lambda raw, like, kind: "")
    included: dict[str, str] = {}
    hook(tmp_path, "wheel").initialize("standard", {"force_include": included})
    assert included == {}
    assert len(asked) == 1

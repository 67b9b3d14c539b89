"""What pdm-backend is given to pack."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from mcp_lockstep.hooks import files as module
from mcp_lockstep.hooks.built import Built, Kind, Verdict
from mcp_lockstep.hooks.files import Context, add_files

VERDICT = Verdict((), False, b"rendered", ("contract.json", "README.md", "pyproject.toml"))
INSIDE = "weather-1.2.0.dist-info/mcp/server.json"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Built]]:
    """A project, and what was asked about it; each build may go on."""
    (tmp_path / "server.json").write_bytes(b"template")
    calls: list[tuple[str, Built]] = []

    def decide(root: str, built: Built) -> Verdict:
        calls.append((root, built))
        return VERDICT

    monkeypatch.setattr(module, "decide", decide)
    return calls


def context(root: Path, kind: Kind, readme: str | None = "# Weather\n") -> Context:
    text = None if readme is None else SimpleNamespace(text=readme)
    made = SimpleNamespace(
        root=root,
        target=kind,
        config=SimpleNamespace(metadata={"version": "1.2.0"}, validate=lambda: SimpleNamespace(readme=text)),
        builder=SimpleNamespace(dist_info_name="weather-1.2.0.dist-info"),
    )
    return cast("Context", made)


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_a_wheel_gets_it_beside_the_metadata(
    kind: Kind, asked: list[tuple[str, Built]], tmp_path: Path
) -> None:
    files = {"weather/__init__.py": tmp_path / "src/weather/__init__.py"}
    add_files(context(tmp_path, kind), files)
    assert asked == [(str(tmp_path), Built(kind, "1.2.0", "# Weather\n"))]
    assert set(files) == {"weather/__init__.py", INSIDE}
    assert files[INSIDE].read_bytes() == b"rendered"
    assert tmp_path not in files[INSIDE].parents


def test_an_sdist_gets_it_in_its_root_with_what_it_lacks(
    asked: list[tuple[str, Built]], tmp_path: Path
) -> None:
    """What is packed already stays, but for server.json: pdm takes that of the repository, the template."""
    files = {"README.md": tmp_path / "docs/README.md", "server.json": tmp_path / "server.json"}
    add_files(context(tmp_path, "sdist"), files)
    assert asked[0][1].kind == "sdist"
    assert files["README.md"] == tmp_path / "docs/README.md"
    assert files["contract.json"] == tmp_path / "contract.json"
    assert "pyproject.toml" not in files, "which pdm-backend packs by itself"
    assert files["server.json"].read_bytes() == b"rendered"
    assert (tmp_path / "server.json").read_bytes() == b"template"


def test_a_project_without_readme_has_an_empty_description(
    asked: list[tuple[str, Built]], tmp_path: Path
) -> None:
    add_files(context(tmp_path, "wheel", None), {})
    assert asked[0][1].description == ""


def test_a_backend_that_does_not_tell_the_description(asked: list[tuple[str, Built]], tmp_path: Path) -> None:
    """pdm-backend before 2.4: `validate` is called with what it looks at."""

    def validate(data: object, root: object) -> None:
        raise AssertionError(data, root)

    old = context(tmp_path, "wheel")
    config = SimpleNamespace(metadata={"version": "1.2.0"}, validate=validate)
    files: dict[str, Path] = {}
    add_files(cast("Context", SimpleNamespace(**{**vars(old), "config": config})), files)
    assert asked[0][1] == Built("wheel", "1.2.0", None)
    assert files[INSIDE].read_bytes() == b"rendered"


@pytest.mark.parametrize("verdict", [None, VERDICT._replace(manifest=None)])
def test_nothing_is_added_where_there_is_nothing_to_put_in(
    verdict: Verdict | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "decide", lambda root, built: verdict)
    files: dict[str, Path] = {}
    add_files(context(tmp_path, "sdist"), files)
    assert files == {}


def test_nothing_is_added_where_there_is_no_room_for_it(
    asked: list[tuple[str, Built]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "kept", lambda raw, like, kind: "")
    included: dict[str, Path] = {}
    add_files(context(tmp_path, "wheel"), included)
    assert included == {}
    assert len(asked) == 1

"""Our backend in front of made ones: the hooks that they have, their arguments, and what is left where it refuses."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from archives import INFO, SDIST, TOP, WHEEL, members_of, metadata, write_sdist, write_wheel
from mcp_lockstep.hooks import backend, proxy
from mcp_lockstep.hooks.backend import HOOKS
from mcp_lockstep.hooks.proxy import has_hook, hook
from packages import PYPROJECT, drift, write_project

SUBSETS: Mapping[str, frozenset[str]] = {
    "all": HOOKS,
    "what every backend has": frozenset({"build_wheel", "build_sdist"}),
    "no editable install": HOOKS - {name for name in HOOKS if name.endswith("editable")},
    "no metadata alone": HOOKS - {name for name in HOOKS if name.startswith("prepare")},
    "nothing to ask for": HOOKS - {name for name in HOOKS if name.startswith("get_requires")},
    "wheels alone": frozenset({"build_wheel"}),
}


class Real:
    """A backend that writes sound artefacts, or `broken` ones, and remembers how it was called."""

    def __init__(self, names: frozenset[str] = HOOKS, *, broken: bytes | None = None) -> None:
        self.calls: list[tuple[str, tuple[object, ...]]] = []
        self._broken = broken
        self.module = SimpleNamespace(**{name: partial(self._call, name) for name in names})

    def _call(self, name: str, *arguments: object) -> object:
        self.calls.append((name, arguments))
        if name.startswith("get_requires"):
            return ["wheels"]
        folder = Path(str(arguments[0]))
        if name.startswith("prepare"):
            (folder / INFO).mkdir()
            (folder / INFO / "METADATA").write_text(metadata(), encoding="utf-8")
            return INFO
        return self._built(folder, SDIST if name == "build_sdist" else WHEEL)

    def _built(self, folder: Path, name: str) -> str:
        if self._broken is not None:
            (folder / name).write_bytes(self._broken)
        elif name == SDIST:
            write_sdist(folder / name, {f"{TOP}/PKG-INFO": metadata(), f"{TOP}/pyproject.toml": PYPROJECT})
        else:
            write_wheel(folder / name, {f"{INFO}/METADATA": metadata(), "weather.py": ""})
        return name


def behind(monkeypatch: pytest.MonkeyPatch, real: Real | None) -> None:
    """Put `real` (None: one that is not installed yet) behind ours."""
    monkeypatch.setattr(proxy, "real_backend", lambda *, required=False: real and real.module)


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound project as the working folder."""
    folder = tmp_path / "project"
    write_project(folder)
    monkeypatch.chdir(folder)
    (tmp_path / "dist").mkdir()
    return folder


# Which hooks there are


@pytest.mark.parametrize("subset", SUBSETS)
def test_every_hook_of_the_real_backend_and_none_that_it_lacks(
    subset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = SUBSETS[subset]
    behind(monkeypatch, Real(names))
    assert {name for name in HOOKS if hasattr(backend, name)} == names
    assert {name for name in HOOKS if has_hook(name)} == names
    assert HOOKS.intersection(dir(backend)) == names
    for name in HOOKS - names:
        with pytest.raises(AttributeError):
            hook(name)


def test_nothing_else_of_the_real_backend_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Real()
    real.module.build_magic = print
    behind(monkeypatch, real)
    assert not hasattr(backend, "build_magic")
    assert not hasattr(backend, "__path__")
    assert "build_magic" not in dir(backend)


def test_one_that_is_not_installed_yet_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Front ends ask what a build requires before they install it; every other hook waits for the real one."""
    monkeypatch.chdir(tmp_path)
    behind(monkeypatch, None)
    monkeypatch.setattr(proxy, "provider", lambda: "flit-core")
    assert {name for name in HOOKS if hasattr(backend, name)} == HOOKS
    for kind in ("wheel", "sdist", "editable"):
        assert hook(f"get_requires_for_build_{kind}")({"a": "b"}) == ["flit-core"]
    later, real = hook("get_requires_for_build_wheel"), Real()
    wheel = hook("build_wheel")
    behind(monkeypatch, real)
    assert later() == ["flit-core"]
    assert wheel(".", None, "metadata") == WHEEL
    assert real.calls == [("build_wheel", (".", None, "metadata"))]


# What they are called with


@pytest.mark.parametrize("name", sorted(name for name in HOOKS if name.startswith("get_requires")))
def test_what_a_build_requires_is_said_by_the_real_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Real()
    behind(monkeypatch, real)
    assert hook(name)({"--option": "x"}) == ["wheels"]
    assert real.calls == [(name, ({"--option": "x"},))]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("build_sdist", ({"a": "b"},)),
        ("build_sdist", (None,)),
        ("build_wheel", ({"a": "b"}, "metadata")),
        ("build_editable", (None, None)),
    ],
)
@pytest.mark.parametrize("present", [True, False])
def test_the_arguments_go_through(
    name: str,
    arguments: Sequence[object],
    present: bool,
    here: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where there is no server.json the real one writes where it is told to; else we stand between."""
    if not present:
        (here / "server.json").unlink()
    real, dist = Real(), str(tmp_path / "dist")
    behind(monkeypatch, real)
    made = hook(name)(dist, *arguments)
    assert made == (SDIST if name == "build_sdist" else WHEEL)
    ((called, (folder, *rest)),) = real.calls
    assert (called, rest) == (name, list(arguments))
    assert (folder == dist) is not present
    assert [path.name for path in (tmp_path / "dist").iterdir()] == [made]
    assert not present or not Path(str(folder)).exists()


# What goes in


@pytest.mark.parametrize("name", ["build_wheel", "build_editable"])
def test_a_wheel_gets_server_json_and_a_line_in_record(
    name: str, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(monkeypatch, Real())
    hook(name)(str(tmp_path / "dist"))
    raw, inside = (here / "server.json").read_bytes(), f"{INFO}/mcp/server.json"
    found = members_of(tmp_path / "dist" / WHEEL)
    assert found == {
        f"{INFO}/WHEEL": b"Wheel-Version: 1.0\n",
        f"{INFO}/METADATA": metadata().encode(),
        "weather.py": b"",
        inside: raw,
    }
    record = _record(tmp_path / "dist" / WHEEL)
    digest = base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).rstrip(b"=").decode()
    assert record[inside] == (f"sha256={digest}", str(len(raw)))
    assert set(record) == {*found, f"{INFO}/RECORD"}


def _record(wheel: Path) -> dict[str, tuple[str, str]]:
    import zipfile

    with zipfile.ZipFile(wheel) as archive:
        rows = csv.reader(io.StringIO(archive.read(f"{INFO}/RECORD").decode()))
        return {name: (digest, size) for name, digest, size in rows}


def test_an_sdist_gets_what_it_takes_to_build_it_again(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(monkeypatch, Real())
    hook("build_sdist")(str(tmp_path / "dist"))
    found = members_of(tmp_path / "dist" / SDIST)
    assert set(found) == {
        f"{TOP}/{name}" for name in ("PKG-INFO", "pyproject.toml", "README.md", "server.json")
    }
    assert found[f"{TOP}/server.json"] == (here / "server.json").read_bytes()


def test_the_metadata_alone_has_the_server_json_of_the_wheel(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drift(here)
    behind(monkeypatch, Real())
    hook("prepare_metadata_for_build_wheel")(str(tmp_path / "dist"), {"a": "b"})
    alone = (tmp_path / "dist" / INFO / "mcp/server.json").read_bytes()
    hook("build_wheel")(str(tmp_path / "dist"))
    assert members_of(tmp_path / "dist" / WHEEL)[f"{INFO}/mcp/server.json"] == alone
    assert alone == (here / "server.json").read_bytes().replace(b"1.1.0", b"1.2.0")


def test_without_server_json_the_metadata_is_left_alone(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "server.json").unlink()
    behind(monkeypatch, Real())
    assert hook("prepare_metadata_for_build_editable")(str(tmp_path / "dist")) == INFO
    assert [path.name for path in (tmp_path / "dist" / INFO).iterdir()] == ["METADATA"]


# What is refused


def test_nothing_is_left_of_a_refused_sdist(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drift(here)
    real = Real()
    behind(monkeypatch, real)
    with pytest.raises(SystemExit, match="no sdist is built: 2 errors"):
        hook("build_sdist")(str(tmp_path / "dist"))
    assert [*(tmp_path / "dist").iterdir()] == []
    assert not Path(str(real.calls[0][1][0])).exists()
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_a_backend_that_fails_fails_as_ever(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*_: object) -> str:
        raise RuntimeError("no such module: weather")

    real = Real()
    real.module.build_wheel = failing
    behind(monkeypatch, real)
    with pytest.raises(RuntimeError, match="no such module: weather"):
        hook("build_wheel")(str(tmp_path / "dist"))
    assert [*(tmp_path / "dist").iterdir()] == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("broken", [b"", b"no archive"])
def test_an_artefact_that_we_cannot_read_is_no_reason_to_keep_a_wheel_back(
    broken: bytes,
    here: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    behind(monkeypatch, Real(broken=broken))
    assert hook("build_wheel")(str(tmp_path / "dist")) == WHEEL
    assert (tmp_path / "dist" / WHEEL).read_bytes() == broken
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("mcp-lockstep: LS9001 internal: ")
    with pytest.raises(SystemExit, match="LS9001 internal"):
        hook("build_sdist")(str(tmp_path / "dist"))
    assert [path.name for path in (tmp_path / "dist").iterdir()] == [WHEEL]

"""Our backend in front of made ones: the hooks that they have, their arguments, and what is left where it refuses."""

from __future__ import annotations

import base64
import csv
import errno
import hashlib
import io
import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest

from archives import INFO, SDIST, TOP, WHEEL, members_of, metadata, write_sdist, write_wheel
from mcp_lockstep.archive import adding
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


@pytest.mark.parametrize("present", [True, False])
def test_hooks_may_be_called_by_the_names_of_their_arguments(
    present: bool, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PEP 517 lets front ends do so."""
    if not present:
        (here / "server.json").unlink()
    real, dist, settings = Real(), str(tmp_path / "dist"), {"a": "b"}
    behind(monkeypatch, real)
    hook("build_sdist")(sdist_directory=dist, config_settings=settings)
    for kind in ("wheel", "editable"):
        hook(f"build_{kind}")(wheel_directory=dist, config_settings=settings, metadata_directory="m")
    hook("prepare_metadata_for_build_wheel")(metadata_directory=dist, config_settings=settings)
    assert [(name, arguments[1:]) for name, arguments in real.calls] == [
        ("build_sdist", (settings,)),
        ("build_wheel", (settings, "m")),
        ("build_editable", (settings, "m")),
        ("prepare_metadata_for_build_wheel", (settings,)),
    ]


def test_the_folder_to_build_into_is_made(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An artefact of the same name that lies there is replaced, and nothing else is touched."""
    behind(monkeypatch, Real())
    dist = tmp_path / "far/away"
    hook("build_wheel")(str(dist))
    before = members_of(dist / WHEEL)
    (dist / WHEEL).write_bytes(b"old")
    (dist / "weather-1.1.0.tar.gz").write_bytes(b"older")
    hook("build_wheel")(str(dist))
    assert members_of(dist / WHEEL) == before
    assert sorted(path.name for path in dist.iterdir()) == ["weather-1.1.0.tar.gz", WHEEL]


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


# An artefact that cannot be judged, a system that takes nothing

Kind = Literal["wheel", "sdist"]
NAMES: Mapping[Kind, tuple[str, str]] = {
    "wheel": (WHEEL, f"{INFO}/METADATA"),
    "sdist": (SDIST, f"{TOP}/PKG-INFO"),
}
"""What an artefact is called, and its metadata."""


def made(folder: Path, kind: Kind, text: str | bytes | None) -> bytes:
    """An artefact with `text` as its metadata."""
    name, member = NAMES[kind]
    write = write_sdist if kind == "sdist" else write_wheel
    members: dict[str, str | bytes] = {f"{member.partition('/')[0]}/x": ""}
    return write(folder / name, members if text is None else {**members, member: text}).read_bytes()


UNREADABLE: Mapping[str, tuple[Callable[[Path, Kind], bytes], str]] = {
    "empty": (lambda *_: b"", "{name}:1:1: error LS6101 archive-damaged: {name} is empty"),
    "no archive": (
        lambda *_: b"no archive",
        "{name}:1:1: error LS6101 archive-damaged: {name} cannot be read: ",
    ),
    "without metadata": (
        lambda folder, kind: made(folder, kind, None),
        "{name}:1:1: error LS6202 artefact-metadata-missing: there is no {member} in {name}",
    ),
    "without a version": (
        lambda folder, kind: made(folder, kind, "Name: weather\n"),
        "{name}!{member}:1:1: error LS6202 artefact-metadata-missing: {file} says no version",
    ),
    "metadata that is no UTF-8": (
        lambda folder, kind: made(folder, kind, b"Name: w\xe9ather\nVersion: 1.2.0\n"),
        "{name}!{member}:1:8: error LS0001 ",
    ),
    "metadata of ten megabytes": (
        lambda folder, kind: made(folder, kind, metadata() + "x" * 10_000_000),
        "{name}!{member}:1:1: error LS6102 archive-too-large: '{member}' is larger than 10,000,000 bytes",
    ),
}
"""The bytes of such an artefact, and how the line about it begins."""


@pytest.mark.parametrize("case", UNREADABLE)
@pytest.mark.parametrize(
    ("name", "strict", "ends"),
    [
        ("build_wheel", "", ""),
        ("build_editable", "", ""),
        ("build_wheel", "1", "wheel"),
        ("build_editable", "1", "editable wheel"),
        ("build_sdist", "", "sdist"),
    ],
)
def test_an_artefact_that_we_cannot_read_is_told_in_a_line(
    case: str,
    name: str,
    strict: str,
    ends: str,
    here: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is no reason to keep a wheel back, unless the build is strict."""
    kind: Kind = "sdist" if name == "build_sdist" else "wheel"
    raw, said = UNREADABLE[case]
    (artefact, member), dist = NAMES[kind], tmp_path / "dist"
    broken = raw(tmp_path / "made", kind)
    behind(monkeypatch, Real(broken=broken))
    monkeypatch.setenv("MCP_LOCKSTEP_BUILD_STRICT", strict)
    if ends:
        with pytest.raises(SystemExit) as stopped:
            hook(name)(str(dist))
        assert stopped.value.code == f"mcp-lockstep: no {ends} is built: 1 error"
        assert [*dist.iterdir()] == []
    else:
        assert hook(name)(str(dist)) == artefact
        assert {path.name: path.read_bytes() for path in dist.iterdir()} == {artefact: broken}
    (line,) = capsys.readouterr().err.splitlines()
    want = said.format(name=artefact, member=member, file=member.rpartition("/")[2])
    assert line.startswith(f"mcp-lockstep: {want}")


def test_a_gigabyte_is_told_and_built(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mcp_lockstep.archive.wheel.MAX_UNPACKED", 10)
    behind(monkeypatch, Real())
    assert hook("build_wheel")(str(tmp_path / "dist")) == WHEEL
    assert f"{INFO}/mcp/server.json" not in members_of(tmp_path / "dist" / WHEEL)
    (line,) = capsys.readouterr().err.splitlines()
    assert re.match(
        rf"mcp-lockstep: {WHEEL}:1:1: error LS6102 archive-too-large: {WHEEL} unpacks to \d+ by", line
    )


def test_strict_by_configuration_keeps_back_what_is_not_judged(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = f"{PYPROJECT}\n[tool.mcp-lockstep]\nbuild-strict = true\n"
    (here / "pyproject.toml").write_text(config, encoding="utf-8")
    behind(monkeypatch, Real(broken=b""))
    with pytest.raises(SystemExit, match="no wheel is built: 1 error"):
        hook("build_wheel")(str(tmp_path / "dist"))


def test_a_wheel_without_a_record_is_built_as_it_is(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr(f"{INFO}/METADATA", metadata())
    behind(monkeypatch, Real(broken=raw.getvalue()))
    assert hook("build_wheel")(str(tmp_path / "dist")) == WHEEL
    assert (tmp_path / "dist" / WHEEL).read_bytes() == raw.getvalue()
    (line,) = capsys.readouterr().err.splitlines()
    assert f"there is no {INFO}/RECORD in {WHEEL}: server.json cannot be put in" in line


def test_a_backend_that_leaves_nothing_is_for_the_front_end_to_tell(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Real()
    real.module.build_wheel = lambda *_: WHEEL
    behind(monkeypatch, real)
    assert hook("build_wheel")(str(tmp_path / "dist")) == WHEEL
    assert ([*(tmp_path / "dist").iterdir()], capsys.readouterr().err) == ([], "")


@pytest.mark.parametrize("step", ["mkdtemp", "put_in"])
def test_a_full_disk_is_no_fault_of_ours(
    step: str, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no folder to build in, or no room for a second copy: the wheel without server.json is one too."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "here")

    behind(monkeypatch, Real())
    monkeypatch.setattr(tempfile if step == "mkdtemp" else adding, step, full)
    dist = str(tmp_path / "dist")
    if step == "mkdtemp":
        with pytest.raises(SystemExit) as stopped:
            hook("build_wheel")(dist)
        assert stopped.value.code == f"mcp-lockstep: No space left on device: {dist}"
        return
    assert hook("build_wheel")(dist) == WHEEL
    assert capsys.readouterr().err == "mcp-lockstep: No space left on device: here\n"
    assert f"{INFO}/mcp/server.json" not in members_of(tmp_path / "dist" / WHEEL)
    with pytest.raises(SystemExit) as stopped:
        hook("build_sdist")(dist)
    assert stopped.value.code == "mcp-lockstep: No space left on device: here"


@pytest.mark.parametrize("text", [None, "Name: weather\n", b"Name: w\xe9ather\nVersion: 1\n"])
def test_metadata_that_we_cannot_read_is_left_to_the_front_end(
    text: str | bytes | None,
    here: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def prepare(folder: str, _: object) -> str:
        (Path(folder) / INFO).mkdir()
        if text is not None:
            raw = text if isinstance(text, bytes) else text.encode()
            (Path(folder) / INFO / "METADATA").write_bytes(raw)
        return INFO

    real = Real()
    real.module.prepare_metadata_for_build_wheel = prepare
    behind(monkeypatch, real)
    assert hook("prepare_metadata_for_build_wheel")(str(tmp_path / "dist")) == INFO
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("mcp-lockstep: ")
    assert "LS9001" not in line

"""Wheels and sdists are read in memory; hostile and damaged ones are findings, and nothing reaches the disk."""

from __future__ import annotations

import errno
import gzip
import io
import os
import stat
import struct
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archives import INFO, SDIST, TOP, WHEEL, metadata, write_sdist, write_wheel
from mcp_lockstep import archive as archive_module
from mcp_lockstep.archive import faults, kind_of, open_archive
from mcp_lockstep.findings import Refused

METADATA = f"{INFO}/METADATA"


def said(path: Path) -> list[tuple[str, str]]:
    """Id and member of every finding about an archive, read or refused."""
    try:
        found = open_archive(str(path)).findings
    except Refused as refused:
        found = refused.findings
    return [(one.code.id, one.place.path.removeprefix(str(path))) for one in found]


def test_a_sound_wheel_gives_what_is_about_the_package(tmp_path: Path) -> None:
    members = {"weather/__init__.py": "x = 1\n", METADATA: metadata(), f"{INFO}/mcp/server.json": "{}"}
    archive = open_archive(str(write_wheel(tmp_path / WHEEL, members)))
    assert archive.findings == ()
    assert archive.names == (
        METADATA,
        f"{INFO}/RECORD",
        f"{INFO}/WHEEL",
        f"{INFO}/mcp/server.json",
        "weather/__init__.py",
    )
    assert set(archive.files) == {METADATA, f"{INFO}/RECORD", f"{INFO}/WHEEL", f"{INFO}/mcp/server.json"}
    assert archive.files[METADATA] == metadata().encode()
    assert archive.label(METADATA) == f"{tmp_path / WHEEL}!{METADATA}"


def test_a_sound_sdist_is_a_project(tmp_path: Path) -> None:
    members = {
        f"{TOP}/PKG-INFO": metadata(),
        f"{TOP}/src/weather/x.py": "",
        f"{TOP}/pyproject.toml": "[project]\n",
    }
    archive = open_archive(str(write_sdist(tmp_path / SDIST, members)))
    assert archive.findings == ()
    assert archive.tree(TOP).read("pyproject.toml") == b"[project]\n"
    assert archive.tree(TOP).read("server.json") is None
    assert len(archive.names) == 3


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.whl", "wheel"),
        ("a.tar.gz", "sdist"),
        ("a.mcpb", "bundle"),
        ("a.zip", None),
        ("a.tar", None),
        ("server.json", None),
    ],
)
def test_the_name_tells_the_kind(name: str, kind: str | None, tmp_path: Path) -> None:
    assert kind_of(str(tmp_path / name)) == kind


@pytest.mark.parametrize("name", [WHEEL, SDIST])
def test_a_folder_is_no_archive(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert said(tmp_path / name) == [("LS6101", "")]


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    assert said(tmp_path / "notes.txt") == [("LS6107", "")]


# Wheels

OUTSIDE = ["../evil", "a/../../evil", "/etc/evil", "C:/evil", "a\\..\\evil"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_wheel_member_that_leads_out(name: str, tmp_path: Path) -> None:
    path = write_wheel(tmp_path / WHEEL, {METADATA: metadata(), name: "x"})
    assert said(path) == [("LS6104", f"!{name}")]
    assert open_archive(str(path)).files[METADATA]


def test_metadata_that_leads_out_is_not_read(tmp_path: Path) -> None:
    archive = open_archive(str(write_wheel(tmp_path / WHEEL, {f"../{METADATA}": metadata()})))
    assert f"../{METADATA}" not in archive.files


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_wheel_member_that_stands_twice(tmp_path: Path) -> None:
    path = tmp_path / WHEEL
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(METADATA, "Name: one\n")
        archive.writestr(METADATA, "Name: two\n")
    assert said(path) == [("LS6105", f"!{METADATA}")]


def test_a_link_in_a_wheel(tmp_path: Path) -> None:
    path = tmp_path / WHEEL
    link = zipfile.ZipInfo(METADATA)
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert said(path) == [("LS6106", f"!{METADATA}")]
    assert open_archive(str(path)).files == {}


def test_an_encrypted_wheel(tmp_path: Path) -> None:
    path = write_wheel(tmp_path / WHEEL, {METADATA: metadata()})
    raw = bytearray(path.read_bytes())
    at = raw.find(b"PK\x01\x02")
    while at >= 0:
        raw[at + 8] |= 1
        at = raw.find(b"PK\x01\x02", at + 4)
    path.write_bytes(raw)
    assert said(path) == [("LS6103", f"!{INFO}/WHEEL")]
    (found,) = open_archive(str(path)).findings
    assert found.message == f"'{INFO}/WHEEL' is encrypted, and 2 more like it"


@pytest.mark.parametrize(("method", "name"), [(zipfile.ZIP_LZMA, "lzma"), (zipfile.ZIP_BZIP2, "bzip2")])
def test_a_wheel_that_is_packed_otherwise_is_not_unpacked(method: int, name: str, tmp_path: Path) -> None:
    path = tmp_path / WHEEL
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(METADATA, b"\0" * 50_000_000)
    assert said(path) == [("LS6110", f"!{METADATA}")]
    (found,) = open_archive(str(path)).findings
    assert found.message == f"{METADATA!r} is packed with {name}, not stored or deflated"


@pytest.mark.parametrize("inside", ["a/b/", "a/b/c.py", "a/b/c/"])
def test_a_file_that_is_a_folder_too(inside: str, tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path / WHEEL, {"a/b": "", "a/b-c": "", inside: ""})
    assert said(wheel) == [("LS6105", "!a/b")]
    assert open_archive(str(wheel)).findings[0].message == "'a/b' is a file and a folder in the archive"
    sdist = write_sdist(tmp_path / SDIST, {f"{TOP}/a": "", f"{TOP}/b/c": ""}, [folder(f"{TOP}/a")])
    assert said(sdist) == [("LS6105", f"!{TOP}/a")]


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / WHEEL
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}/METADATA", b"\0" * 11_000_000)
    assert said(path) == [("LS6102", f"!{number}/METADATA") for number in range(3)]
    monkeypatch.setattr("mcp_lockstep.archive.wheel.MAX_UNPACKED", 20_000_000)
    assert said(path) == [("LS6102", "")]


def test_a_zip_bomb_that_lies_about_its_size(tmp_path: Path) -> None:
    path = tmp_path / WHEEL
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(METADATA, b"\0" * 11_000_000)
    raw = path.read_bytes().replace(struct.pack("<L", 11_000_000), struct.pack("<L", 10))
    path.write_bytes(raw)
    assert said(path) == [("LS6101", f"!{METADATA}")]


def test_what_is_kept_in_all_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "_MAX_KEPT", 100)
    path = write_wheel(tmp_path / WHEEL, {f"{number}/server.json": "x" * 60 for number in range(2)})
    assert said(path)[0] == ("LS6102", "!1/server.json")


def test_too_many_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MAX_MEMBERS", 3)
    names = {f"{TOP}/{number}": "" for number in range(4)}
    assert said(write_wheel(tmp_path / WHEEL, names)) == [("LS6102", "")]
    assert said(write_sdist(tmp_path / SDIST, names)) == [("LS6102", "")]


def test_findings_of_one_kind_are_counted_not_repeated(tmp_path: Path) -> None:
    path = write_wheel(tmp_path / WHEEL, {f"../{number}": "" for number in range(50)})
    found = open_archive(str(path)).findings
    assert len(found) == 5
    assert found[-1].message.endswith("and 45 more like it")


# Sdists


@pytest.mark.parametrize("name", ["../evil", f"{TOP}/../../evil", "/etc/evil", "C:/evil"])
def test_an_sdist_member_that_leads_out(name: str, tmp_path: Path) -> None:
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/PKG-INFO": metadata(), name: "x"})
    assert said(path) == [("LS6104", f"!{name}")]


def test_an_sdist_member_beside_its_folder(tmp_path: Path) -> None:
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/PKG-INFO": metadata(), "other/x": "x"})
    assert said(path) == [("LS6108", "!other/x")]


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (link(f"{TOP}/a", "b"), []),
        (link(f"{TOP}/a/b", "../c"), []),
        (link(f"{TOP}/a", f"{TOP}/PKG-INFO", tarfile.LNKTYPE), []),
        (link(f"{TOP}/a", "../../etc/passwd"), ["LS6106"]),
        (link(f"{TOP}/a", "/etc/passwd"), ["LS6106"]),
        (link(f"{TOP}/a", "../other/x"), ["LS6106"]),
        (link(f"{TOP}/a", "/etc/passwd", tarfile.LNKTYPE), ["LS6106"]),
        (link(f"{TOP}/a", "other", tarfile.LNKTYPE), ["LS6106"]),
        (link(f"{TOP}/server.json", "x.json"), ["LS6106"]),
        (link(f"{TOP}/a", "", tarfile.CHRTYPE), ["LS6106"]),
        (link(f"{TOP}/a", "", tarfile.FIFOTYPE), ["LS6106"]),
    ],
)
def test_links_and_devices_in_an_sdist(entry: tarfile.TarInfo, expected: list[str], tmp_path: Path) -> None:
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/PKG-INFO": metadata()}, [entry])
    assert [code for code, _ in said(path)] == expected


def test_an_sdist_member_that_stands_twice(tmp_path: Path) -> None:
    again = tarfile.TarInfo(f"{TOP}/PKG-INFO")
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/PKG-INFO": metadata()}, [again])
    assert said(path) == [("LS6105", f"!{TOP}/PKG-INFO")]
    assert open_archive(str(path)).files[f"{TOP}/PKG-INFO"] == metadata().encode()


def folder(name: str) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type = tarfile.DIRTYPE
    return entry


def test_the_same_twice_is_no_fault_of_an_sdist(tmp_path: Path) -> None:
    """hatchling packs PKG-INFO twice where it builds an sdist from an unpacked one."""
    path = tmp_path / SDIST
    with tarfile.open(path, "w:gz") as archive:
        for age, name in enumerate([f"{TOP}/PKG-INFO", f"{TOP}/big.bin"] * 2):
            raw = metadata().encode() if name.endswith("INFO") else bytes(200_000)
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(raw), age
            archive.addfile(entry, io.BytesIO(raw))
        for entry in (folder(f"{TOP}/src"), folder(f"{TOP}/src"), *[link(f"{TOP}/a", "big.bin")] * 2):
            archive.addfile(entry)
    assert said(path) == []
    assert open_archive(str(path)).files == {f"{TOP}/PKG-INFO": metadata().encode()}


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("weather.py", b"x" * 100_000, b"x" * 99_999 + b"y"),
        ("weather.py", b"x", b""),
        ("PKG-INFO", metadata().encode(), metadata().encode() + b"\n"),
    ],
)
def test_two_of_one_name_that_differ(name: str, first: bytes, second: bytes, tmp_path: Path) -> None:
    path, inside = tmp_path / SDIST, f"{TOP}/{name}"
    with tarfile.open(path, "w:gz") as archive:
        for raw in (first, first, second, first):
            entry = tarfile.TarInfo(inside)
            entry.size = len(raw)
            archive.addfile(entry, io.BytesIO(raw))
    assert said(path) == [("LS6105", f"!{inside}")]


@pytest.mark.parametrize(
    "second", [link(f"{TOP}/a", "b"), link(f"{TOP}/a", "c"), tarfile.TarInfo(f"{TOP}/a")]
)
def test_two_links_of_one_name(second: tarfile.TarInfo, tmp_path: Path) -> None:
    entries = [link(f"{TOP}/a", "b"), second]
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/PKG-INFO": metadata()}, entries)
    assert [code for code, _ in said(path)] == ([] if second.linkname == "b" else ["LS6105"])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_same_twice_is_a_fault_of_a_wheel(tmp_path: Path) -> None:
    """An index takes no zip file in which a name stands twice."""
    path = tmp_path / WHEEL
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(METADATA, metadata())
        archive.writestr(METADATA, metadata())
    assert said(path) == [("LS6105", f"!{METADATA}")]


def test_a_gzip_bomb_is_read_to_the_limit_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_lockstep.archive.sdist.MAX_UNPACKED", 5_000_000)
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/zeros": b"\0" * 50_000_000})
    assert said(path) == [("LS6102", "")]


def test_a_large_member_that_has_to_be_read(tmp_path: Path) -> None:
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/PKG-INFO": b"\0" * 11_000_000, f"{TOP}/server.json": "{}"})
    assert said(path) == [("LS6102", f"!{TOP}/PKG-INFO")]
    assert set(open_archive(str(path)).files) == {f"{TOP}/server.json"}


def packed(path: Path, unpacked: bytes) -> Path:
    path.write_bytes(gzip.compress(unpacked))
    return path


def test_a_name_of_a_hundred_megabytes_is_not_read(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("x")
    entry.type, entry.size = tarfile.GNUTYPE_LONGNAME, 100_000_000
    assert said(packed(tmp_path / SDIST, entry.tobuf() + b"a" * 2_000_000)) == [("LS6102", "")]


def test_extension_headers_that_lead_to_extension_headers(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("x")
    entry.type, entry.size = tarfile.XHDTYPE, 0
    assert [code for code, _ in said(packed(tmp_path / SDIST, entry.tobuf() * 5_000))] == ["LS6101"]


def whole_sdist(path: Path) -> bytes:
    write_sdist(path, {f"{TOP}/PKG-INFO": metadata(), f"{TOP}/x.py": os.urandom(5_000)})
    return path.read_bytes()


@pytest.mark.parametrize("kept", [0, 1, 10, 200, -9, -1])
def test_an_sdist_that_is_cut_off(kept: int, tmp_path: Path) -> None:
    path = tmp_path / SDIST
    path.write_bytes(whole_sdist(path)[:kept])
    assert said(path)[-1] == ("LS6101", "")


def test_an_sdist_with_a_damaged_header_is_not_taken_for_a_short_one(tmp_path: Path) -> None:
    path = tmp_path / SDIST
    raw = bytearray(gzip.decompress(whole_sdist(path)))
    raw[1024:1034] = b"??????????"
    assert said(packed(path, bytes(raw)))[-1] == ("LS6101", "")


@pytest.mark.parametrize("kept", [0, 4, 100, -1, -30])
def test_a_wheel_that_is_cut_off(kept: int, tmp_path: Path) -> None:
    path = write_wheel(tmp_path / WHEEL, {METADATA: metadata()})
    path.write_bytes(path.read_bytes()[:kept])
    assert said(path)[-1] == ("LS6101", "")


@pytest.mark.parametrize("name", [WHEEL, SDIST])
@pytest.mark.parametrize("raw", [b"", b"PK", b"\x1f\x8b", b"text", zlib.compress(b"x"), b"\0" * 2_000])
def test_what_is_no_archive_at_all(name: str, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(raw)
    assert said(tmp_path / name) == [("LS6101", "")]


def test_an_archive_that_is_not_there(tmp_path: Path) -> None:
    assert said(tmp_path / WHEEL) == [("LS0011", "")]
    assert said(tmp_path / SDIST) == [("LS0011", "")]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "is empty"),
        (b"hello", "cannot be read: it is no zip file, or is cut off"),
        (b"PK\x05\x06" + bytes(18), "cannot be read: there is nothing in it"),
    ],
)
def test_why_a_wheel_cannot_be_read(raw: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / WHEEL
    path.write_bytes(raw)
    with pytest.raises(Refused) as caught:
        open_archive(str(path))
    (found,) = caught.value.findings
    assert found.message == f"{path} {message}"
    assert found.hint == "build it again, and do not upload this one"


@pytest.mark.parametrize("name", [WHEEL, SDIST])
def test_a_file_that_nobody_lets_us_read_is_not_called_damaged(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, mode: str) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    (tmp_path / name).write_bytes(b"PK")
    monkeypatch.setattr(archive_module, "open", refuse, raising=False)
    with pytest.raises(Refused) as caught:
        open_archive(str(tmp_path / name))
    (found,) = caught.value.findings
    assert (found.code.slug, found.message) == (
        "file-unreadable",
        f"{tmp_path / name} cannot be read: Permission denied",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names")
@pytest.mark.parametrize("name", [WHEEL, SDIST])
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    assert said(tmp_path / name) == [("LS6101", "")]


Make = Callable[[Path], Path]
SOUND: dict[str, Make] = {
    WHEEL: lambda folder: write_wheel(
        folder / WHEEL, {METADATA: metadata(), f"{INFO}/mcp/server.json": "{}"}
    ),
    SDIST: lambda folder: write_sdist(
        folder / SDIST, {f"{TOP}/PKG-INFO": metadata(), f"{TOP}/server.json": "{}"}
    ),
}


@pytest.mark.parametrize("name", [WHEEL, SDIST])
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_byte_that_changes_ends_in_anything_but_findings(
    name: str, data: st.DataObject, tmp_path: Path
) -> None:
    path = SOUND[name](tmp_path)
    raw = bytearray(path.read_bytes())
    if name == SDIST:
        raw = bytearray(gzip.decompress(bytes(raw)).rstrip(b"\0")) + bytearray(1024)
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(gzip.compress(bytes(raw)) if name == SDIST else bytes(raw))
    before = set(tmp_path.rglob("*"))
    said(path)
    assert set(tmp_path.rglob("*")) == before


def test_reading_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for make in SOUND.values():
        open_archive(str(make(tmp_path)))
    assert sorted(os.listdir(tmp_path)) == sorted([WHEEL, SDIST])

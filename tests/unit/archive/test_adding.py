"""server.json goes into an artefact, and nothing else in it changes."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from archives import INFO, SDIST, TOP, WHEEL, members_of, metadata, record, write_sdist, write_wheel
from mcp_lockstep.archive import open_archive
from mcp_lockstep.archive.adding import put_in
from mcp_lockstep.findings import Refused


def test_a_wheel_takes_it_twice_and_records_it_once(tmp_path: Path) -> None:
    before = {
        f"{INFO}/WHEEL": b"",
        "weather/__init__.py": b"x = 1\n",
        f"{INFO}/METADATA": metadata().encode(),
    }
    path = write_wheel(tmp_path / WHEEL, before)
    put_in(open_archive(str(path)), b"old", {})
    put_in(open_archive(str(path)), b"{}", {"pyproject.toml": b"not for wheels"})
    after = {**before, f"{INFO}/mcp/server.json": b"{}"}
    assert members_of(path) == after
    with zipfile.ZipFile(path) as wheel:
        assert wheel.read(f"{INFO}/RECORD") == record(after, f"{INFO}/RECORD")
    assert [entry.name for entry in tmp_path.iterdir()] == [WHEEL]


def test_the_metadata_of_a_bundled_package_is_left_alone(tmp_path: Path) -> None:
    other = "a_bundled-3.0.dist-info"
    members = {
        f"{other}/METADATA": metadata("a-bundled"),
        f"{INFO}/METADATA": metadata(),
        f"{INFO}/WHEEL": "",
    }
    path = write_wheel(tmp_path / WHEEL, members)
    put_in(open_archive(str(path)), b"{}", {})
    assert set(members_of(path)) == {*members, f"{INFO}/mcp/server.json"}


def test_an_sdist_takes_what_it_lacks(tmp_path: Path) -> None:
    before = {f"{TOP}/PKG-INFO": metadata().encode(), f"{TOP}/contract.json": b"kept"}
    path = write_sdist(tmp_path / SDIST, {**before, f"{TOP}/server.json": "old"})
    stamp = path.read_bytes()[4:8]
    put_in(open_archive(str(path)), b"{}", {"contract.json": b"other", "README.md": b"new"})
    assert path.read_bytes()[4:8] == stamp != bytes(4)
    assert members_of(path) == {**before, f"{TOP}/server.json": b"{}", f"{TOP}/README.md": b"new"}
    assert [entry.name for entry in tmp_path.iterdir()] == [SDIST]


def test_a_long_name_of_the_metadata_is_not_that_of_what_is_added(tmp_path: Path) -> None:
    top = f"{'w' * 120}-1.2.0"
    path = write_sdist(tmp_path / f"{top}.tar.gz", {f"{top}/PKG-INFO": metadata()})
    put_in(open_archive(str(path)), b"{}", {})
    assert set(members_of(path)) == {f"{top}/PKG-INFO", f"{top}/server.json"}


def test_a_wheel_without_a_record_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / WHEEL
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{INFO}/METADATA", metadata())
    before = path.read_bytes()
    with pytest.raises(Refused, match=f"there is no {INFO}/RECORD in {path}: server.json cannot be put in"):
        put_in(open_archive(str(path)), b"{}", {})
    assert path.read_bytes() == before


def test_a_record_that_is_no_utf_8_is_kept_byte_by_byte(tmp_path: Path) -> None:
    path, row = tmp_path / WHEEL, b"w\xe9ather.py,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{INFO}/METADATA", metadata())
        archive.writestr(f"{INFO}/RECORD", row)
    put_in(open_archive(str(path)), b"{}", {})
    with zipfile.ZipFile(path) as archive:
        rows = archive.read(f"{INFO}/RECORD")
    assert (
        rows
        == row + f"{INFO}/mcp/server.json,sha256=RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o,2\n".encode()
    )


def test_without_metadata_there_is_no_place(tmp_path: Path) -> None:
    path = write_sdist(tmp_path / SDIST, {f"{TOP}/a.py": ""})
    with pytest.raises(Refused, match=f"there is no {TOP}/PKG-INFO in {path}: server.json cannot be put in"):
        put_in(open_archive(str(path)), b"{}", {})
    assert set(members_of(path)) == {f"{TOP}/a.py"}

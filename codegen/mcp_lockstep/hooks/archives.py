"""Wheels and sdists that a backend has made, with server.json put into them."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import zipfile
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING

from mcp_lockstep.artefact.metadata import Metadata
from mcp_lockstep.hooks.built import SERVER_JSON

if TYPE_CHECKING:
    import tarfile

WHEEL = ".whl"
_GZIP_TIME = slice(4, 8)


def metadata_in(path: str) -> Metadata:
    """METADATA of a wheel, PKG-INFO of an sdist. KeyError where there is none."""
    if path.endswith(WHEEL):
        with zipfile.ZipFile(path) as wheel:
            name = _in_dist_info(wheel, "METADATA")
            return Metadata(name, wheel.read(name))
    import tarfile

    with tarfile.open(path) as sdist:
        info = _info(sdist)
        handle = sdist.extractfile(info)
        return Metadata(info.name, handle.read() if handle is not None else b"")


def put_in(path: str, manifest: bytes, inputs: Mapping[str, bytes]) -> None:
    """Put server.json, and into an sdist those of the `inputs` that it lacks, into the artefact at `path`."""
    new = f"{path}.new"
    if path.endswith(WHEEL):
        _into_wheel(path, new, manifest)
    else:
        _into_sdist(path, new, manifest, inputs)
    os.replace(new, path)


def _into_wheel(path: str, new: str, manifest: bytes) -> None:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(new, "w") as made:
        record = _in_dist_info(old, "RECORD")
        inside = f"{record.rpartition('/')[0]}/mcp/{SERVER_JSON}"
        for info in old.infolist():
            if info.filename not in (record, inside):
                made.writestr(info, old.read(info), info.compress_type)
        last = old.getinfo(record)
        ours = copy(last)
        ours.filename = ours.orig_filename = inside
        made.writestr(ours, manifest, last.compress_type)
        rows = _recorded(old.read(record).decode("utf-8"), record, inside, manifest)
        made.writestr(last, rows.encode("utf-8"), last.compress_type)


def _recorded(rows: str, record: str, name: str, raw: bytes) -> str:
    """RECORD with a line for the file `name`, before its own."""
    lines = [line for line in rows.splitlines(keepends=True) if next(csv.reader([line]), [""])[0] != name]
    digest = base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).rstrip(b"=").decode("ascii")
    ours = io.StringIO()
    csv.writer(ours, lineterminator="\r\n" if rows.endswith("\r\n") else "\n").writerow(
        [name, f"sha256={digest}", len(raw)]
    )
    own = next((i for i, line in enumerate(lines) if line.startswith((record, f'"{record}"'))), len(lines))
    return "".join([*lines[:own], ours.getvalue(), *lines[own:]])


def _in_dist_info(wheel: zipfile.ZipFile, name: str) -> str:
    """The path of the file `name` of the metadata."""
    for path in wheel.namelist():
        folder, _, rest = path.partition("/")
        if folder.endswith(".dist-info") and rest == name:
            return path
    raise KeyError(name)


def _into_sdist(path: str, new: str, manifest: bytes, inputs: Mapping[str, bytes]) -> None:
    import gzip
    import tarfile

    with open(path, "rb") as head:
        stamp = int.from_bytes(head.read(8)[_GZIP_TIME], "little")
    with (
        tarfile.open(path) as old,
        open(new, "wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=stamp) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as made,
    ):
        like = _info(old)
        folder = like.name.rpartition("/")[0]
        there = set(old.getnames())
        for member in old.getmembers():
            if member.name != f"{folder}/{SERVER_JSON}":
                made.addfile(member, old.extractfile(member) if member.isreg() else None)
        for name, content in {**inputs, SERVER_JSON: manifest}.items():
            if name == SERVER_JSON or f"{folder}/{name}" not in there:
                member = copy(like)
                member.name, member.size, member.mode = f"{folder}/{name}", len(content), 0o644
                member.pax_headers = {}
                made.addfile(member, io.BytesIO(content))


def _info(sdist: tarfile.TarFile) -> tarfile.TarInfo:
    """PKG-INFO in the one folder of an sdist."""
    for member in sdist.getmembers():
        if member.name.count("/") == 1 and member.name.endswith("/PKG-INFO"):
            return member
    raise KeyError("PKG-INFO")

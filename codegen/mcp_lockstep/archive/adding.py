"""server.json put into a wheel or an sdist that a backend has made; every other member stays as it is."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
from collections.abc import Mapping
from copy import copy

from mcp_lockstep.archive import Archive
from mcp_lockstep.findings import Finding, Place, Refused

_GZIP_TIME = slice(4, 8)


def put_in(archive: Archive, manifest: bytes, inputs: Mapping[str, bytes]) -> None:
    """Put server.json, and into an sdist those of the `inputs` (path -> bytes) that it lacks, into an archive.

    Refused where a wheel has no RECORD, or an sdist no PKG-INFO.
    """
    needed = f"{archive.folder}/RECORD" if archive.kind == "wheel" else archive.metadata_file
    if needed not in archive.names:
        from mcp_lockstep.archive.codes import ARCHIVE_DAMAGED

        message = f"there is no {needed} in {archive.path}: server.json cannot be put in"
        raise Refused(Finding(ARCHIVE_DAMAGED, Place(archive.path), message))
    new = f"{archive.path}.new"
    if archive.kind == "wheel":
        _into_wheel(archive, new, manifest)
    else:
        wanted = {f"{archive.folder}/{name}": content for name, content in inputs.items()}
        _into_sdist(archive, new, {**wanted, archive.manifest_file: manifest})
    os.replace(new, archive.path)


def _into_wheel(archive: Archive, new: str, manifest: bytes) -> None:
    import zipfile

    record, inside = f"{archive.folder}/RECORD", archive.manifest_file
    with zipfile.ZipFile(archive.path) as old, zipfile.ZipFile(new, "w") as made:
        for info in old.infolist():
            if info.filename not in (record, inside):
                made.writestr(info, old.read(info), info.compress_type)
        last = old.getinfo(record)
        ours = copy(last)
        ours.filename = ours.orig_filename = inside
        made.writestr(ours, manifest, last.compress_type)
        rows = _recorded(old.read(record).decode("utf-8", "surrogateescape"), record, inside, manifest)
        made.writestr(last, rows.encode("utf-8", "surrogateescape"), last.compress_type)


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


def _into_sdist(archive: Archive, new: str, files: Mapping[str, bytes]) -> None:
    import gzip
    import tarfile

    with open(archive.path, "rb") as head:
        stamp = int.from_bytes(head.read(8)[_GZIP_TIME], "little")
    with (
        tarfile.open(archive.path) as old,
        open(new, "wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=stamp) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as made,
    ):
        like = old.getmember(archive.metadata_file)
        for member in old.getmembers():
            if member.name != archive.manifest_file:
                made.addfile(member, old.extractfile(member) if member.isreg() else None)
        there = {*old.getnames()} - {archive.manifest_file}
        for name, content in files.items():
            if name not in there:
                member = copy(like)
                member.name, member.size, member.mode = name, len(content), 0o644
                member.pax_headers = {}
                made.addfile(member, io.BytesIO(content))

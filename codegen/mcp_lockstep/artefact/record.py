"""The RECORD of a wheel against the files that were read of it."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.artefact import codes
from mcp_lockstep.artefact.package import Artefact
from mcp_lockstep.findings import Finding, Place, Position
from mcp_lockstep.records import NamedTuple


class Recorded(NamedTuple):
    """One line of RECORD: the line number, the file, its hash as `sha256=...`."""

    line: int
    file: str
    hash: str


def judge_record(artefact: Artefact) -> Iterator[Finding]:
    """A finding for each file that is not the recorded one, or is not recorded."""
    if artefact.archive.kind != "wheel" or not artefact.archive.folder:
        return
    name = f"{artefact.archive.folder}/RECORD"
    raw = artefact.archive.files.get(name)
    if raw is None:
        message = "the wheel has no usable RECORD: installers refuse it"
        yield Finding(codes.RECORD_DIFFERS, Place(artefact.path), message)
        return
    lines = {one.file: one for one in _lines(raw.decode("utf-8", "replace"))}
    place = Place(artefact.archive.label(name))
    unsigned = (name, f"{name}.jws", f"{name}.p7s")
    absent = [
        one for one in artefact.archive.names if one[-1] != "/" and one not in lines and one not in unsigned
    ]
    if absent:
        more = f" and {len(absent) - 1:,} more files" if len(absent) > 1 else ""
        yield Finding(codes.RECORD_DIFFERS, place, f"RECORD does not list {absent[0]!r}{more}")
    for file, content in artefact.archive.files.items():
        recorded = lines.get(file)
        if recorded is not None and file != name and not _matches(content, recorded.hash):
            where = Position(recorded.line, 1, recorded.line, len(file) + 1)
            yield Finding(
                codes.RECORD_DIFFERS, place, f"{file!r} is not the file that RECORD describes", where
            )


def _lines(text: str) -> Iterator[Recorded]:
    import csv

    reader = csv.reader(text.splitlines())
    try:
        for row in reader:
            if len(row) >= 2:
                yield Recorded(reader.line_num, row[0], row[1])
    except csv.Error:
        return


def _matches(content: bytes, recorded: str) -> bool:
    import hashlib
    from base64 import urlsafe_b64encode

    algorithm, _, digest = recorded.partition("=")
    if algorithm not in ("sha256", "sha384", "sha512"):
        return False
    made = urlsafe_b64encode(hashlib.new(algorithm, content).digest()).rstrip(b"=").decode("ascii")
    return made == digest.rstrip("=")

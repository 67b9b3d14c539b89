"""The RECORD of a wheel against the files that were read of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mcp_lockstep.artefact import codes
from mcp_lockstep.artefact.package import Artefact
from mcp_lockstep.findings import Finding, Place, Position
from mcp_lockstep.records import NamedTuple

_FIELDS = 3


class Recorded(NamedTuple):
    """One line of RECORD: the line number, the file, its hash as `sha256=...`, its size in bytes.

    Without a `file` it is no row of three fields.
    """

    line: int
    file: str = ""
    hash: str = ""
    size: str = ""


def judge_record(artefact: Artefact) -> Iterator[Finding]:
    """A finding for each file that is not the recorded one, or is not recorded."""
    if artefact.archive.kind != "wheel" or not artefact.archive.folder:
        return
    name = f"{artefact.archive.folder}/RECORD"
    raw = artefact.archive.files.get(name)
    if artefact.archive.lost(name):
        return
    if raw is None:
        message = "the wheel has no usable RECORD: installers refuse it"
        yield Finding(codes.RECORD_DIFFERS, Place(artefact.path), message)
        return
    rows = [*_lines(raw.decode("utf-8", "replace"))]
    lines = {one.file: one for one in rows}
    place = Place(artefact.archive.label(name))
    yield from _malformed(rows, place)
    unsigned = (name, f"{name}.jws", f"{name}.p7s")
    absent = [
        one for one in artefact.archive.names if one[-1] != "/" and one not in lines and one not in unsigned
    ]
    if absent:
        more = f" and {len(absent) - 1:,} more files" if len(absent) > 1 else ""
        yield Finding(codes.RECORD_DIFFERS, place, f"RECORD does not list {absent[0]!r}{more}")
    for file, content in artefact.archive.files.items():
        recorded = lines.get(file)
        if recorded is not None and file != name and not _matches(content, recorded):
            where = Position(recorded.line, 1, recorded.line, len(file) + 1)
            yield Finding(
                codes.RECORD_DIFFERS, place, f"{file!r} is not the file that RECORD describes", where
            )


def _lines(text: str) -> Iterator[Recorded]:
    import csv

    reader = csv.reader(text.splitlines())
    try:
        for row in reader:
            yield Recorded(reader.line_num, *row) if len(row) == _FIELDS else Recorded(reader.line_num)
    except csv.Error:
        yield Recorded(reader.line_num)


def _malformed(rows: Sequence[Recorded], place: Place) -> Iterator[Finding]:
    """One finding about the first row that is none, and one about the first size that is no number."""
    if (row := next((row for row in rows if not row.file), None)) is not None:
        message = "a row of RECORD is a file, its hash and its size: installers refuse this one"
        yield Finding(codes.RECORD_DIFFERS, place, message, Position(row.line, 1, row.line, 1))
    if (row := next((row for row in rows if not re.fullmatch("[0-9]*", row.size)), None)) is not None:
        message = f"the size of {row.file!r} is {row.size!r}, a number of bytes is wanted"
        yield Finding(codes.RECORD_DIFFERS, place, message, Position(row.line, 1, row.line, 1))


def _matches(content: bytes, recorded: Recorded) -> bool:
    import hashlib
    from base64 import urlsafe_b64encode

    algorithm, _, digest = recorded.hash.partition("=")
    if algorithm not in ("sha256", "sha384", "sha512"):
        return False
    made = urlsafe_b64encode(hashlib.new(algorithm, content).digest()).rstrip(b"=").decode("ascii")
    # A size that is no number is told already; an absent one says nothing.
    numbered = re.fullmatch("0*([0-9]+)", recorded.size)
    return made == digest.rstrip("=") and (numbered is None or numbered[1] == str(len(content)))

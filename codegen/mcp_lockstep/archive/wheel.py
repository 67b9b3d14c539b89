"""The members of a wheel or a bundle, read from the directory at the end."""

from __future__ import annotations

import stat
import zipfile
import zlib

from mcp_lockstep.archive.codes import ARCHIVE_DAMAGED, MEMBER_ENCRYPTED, MEMBER_NO_FILE, MEMBER_PACKED
from mcp_lockstep.archive.faults import MAX_UNPACKED, Contents
from mcp_lockstep.findings import Refused
from mcp_lockstep.tree import MAX_BYTES

_FAULTS = (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, OverflowError)
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_KINDS = {zipfile.ZIP_BZIP2: "with bzip2", zipfile.ZIP_LZMA: "with lzma", 93: "with zstandard"}
_ENCRYPTED = 1
_UNIX = 3


def read_wheel(path: str) -> Contents:
    """What is in the wheel at `path`. Refused where it is no zip file, or one that nobody could unpack."""
    return _read_zip(path, Contents(path))


def read_bundle(path: str) -> Contents:
    """What is in the bundle at `path`; of its files the manifest is kept. Refused as a wheel is."""
    return _read_zip(path, Contents(path, ("manifest.json",)))


def _read_zip(path: str, contents: Contents) -> Contents:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            total = sum(member.file_size for member in members)
            if total > MAX_UNPACKED:
                raise Refused(*contents.faults(), contents.too_large(f"{path} unpacks to {total:,} bytes"))
            for member in members:
                _read(contents, archive, member)
            contents.doubled(contents.again)
    except _FAULTS as error:
        raise contents.damaged(_said(error)) from None
    if not members:
        raise contents.damaged("there is nothing in it")
    return contents


def _read(contents: Contents, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    # What stands before the zero is all that `filename` gives; tools differ in what they make of the rest.
    name = member.orig_filename if "\0" in member.orig_filename else member.filename
    wanted = contents.add(name)
    mode = member.external_attr >> 16
    if member.create_system == _UNIX and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        kind = "a link" if stat.S_ISLNK(mode) else "neither a file nor a folder"
        contents.say(MEMBER_NO_FILE, name, f"{name!r} is {kind}")
    elif member.flag_bits & _ENCRYPTED:
        contents.say(MEMBER_ENCRYPTED, name, f"{name!r} is encrypted")
    elif member.compress_type not in _PACKED:
        # The unpackers of other kinds cannot be told to stop at a size.
        kind = _KINDS.get(member.compress_type, f"by method {member.compress_type}")
        contents.say(MEMBER_PACKED, name, f"{name!r} is packed {kind}, not stored or deflated")
    elif wanted and not member.is_dir():
        try:
            with archive.open(member) as handle:
                contents.keep(name, handle.read(MAX_BYTES + 1))
        except _FAULTS as error:
            contents.say(ARCHIVE_DAMAGED, name, f"{name!r} cannot be read: {_said(error)}")


def _said(error: Exception) -> str:
    if isinstance(error, zipfile.BadZipFile) and str(error) == "File is not a zip file":
        return "it is no zip file, or is cut off"
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__

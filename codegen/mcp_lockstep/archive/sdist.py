"""The members of an sdist, read from its first byte to its last."""

from __future__ import annotations

import gzip
import os
import tarfile
import zlib
from collections.abc import Collection, Iterator
from typing import IO, Self, cast

from mcp_lockstep.archive.codes import MEMBER_ASTRAY, MEMBER_NO_FILE
from mcp_lockstep.archive.faults import MAX_UNPACKED, Contents, leads_out
from mcp_lockstep.findings import Refused
from mcp_lockstep.tree import MAX_BYTES

_FAULTS = (OSError, EOFError, ValueError, tarfile.TarError, zlib.error, OverflowError, RecursionError)
_MAX_EXTENSION = 1_000_000
"""Names that are too long for a header stand in members of their own; those are read into memory whole."""

_EXTENSIONS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class _TooMuch(Exception):
    """More was unpacked than is read of any archive."""


class _Counted:
    """The unpacked bytes, up to a limit."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._left = MAX_UNPACKED

    def read(self, size: int = -1) -> bytes:
        """The next bytes. `_TooMuch` at the limit."""
        raw = self._source.read(size)
        self._left -= len(raw)
        if self._left < 0:
            raise _TooMuch
        return raw


class _Header(tarfile.TarInfo):
    """A header that stops the reading where it is damaged; tarfile would take it for the end of the archive."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        if not buf or not any(buf):
            return super().frombuf(buf, encoding, errors)
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            raise ValueError(f"damaged header ({error})") from None
        if header.type in _EXTENSIONS and header.size > _MAX_EXTENSION:
            raise _TooMuch
        if header.size < 0:
            raise ValueError("a member of negative size")
        return header


def read_sdist(path: str) -> Contents:
    """What is in the sdist at `path`. Refused where it is no gzipped tar file, or is cut off."""
    contents = Contents(path)
    top = os.path.basename(path).removesuffix(".tar.gz")
    try:
        for archive, member in _members(path):
            _read(contents, archive, member, top)
        if contents.again:
            contents.doubled(_differing(path, contents.again))
    except _TooMuch:
        limit = f"{path} unpacks to more than {MAX_UNPACKED:,} bytes"
        raise Refused(*contents.faults(), contents.too_large(limit)) from None
    except _FAULTS as error:
        said = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        raise contents.damaged(said) from None
    if not contents.names:
        raise contents.damaged("there is nothing in it")
    return contents


def _members(path: str) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    """Every member, which can be read until the next one is asked for."""
    with gzip.open(path, "rb") as unpacked:
        counted = cast("IO[bytes]", _Counted(cast("IO[bytes]", unpacked)))
        with tarfile.open(fileobj=counted, mode="r|", tarinfo=_Header) as archive:
            while (member := archive.next()) is not None:
                yield archive, member
        while counted.read(1 << 16):
            pass


def _differing(path: str, names: Collection[str]) -> Iterator[str]:
    """Those of `names` of which the archive has several members that are not the same.

    hatchling packs PKG-INFO twice where it builds from an sdist, byte for byte the same: whichever counts, it is right.
    """
    found: dict[str, set[tuple[object, object]]] = {}
    for archive, member in _members(path):
        if (name := _name(member)) in names:
            handle = archive.extractfile(member) if member.isfile() else None
            one = (member.type, member.linkname) if handle is None else (tarfile.REGTYPE, _digest(handle))
            found.setdefault(name, set()).add(one)
    yield from (name for name, kinds in found.items() if len(kinds) > 1)


def _digest(handle: IO[bytes]) -> bytes:
    from hashlib import sha256

    digest = sha256()
    while part := handle.read(1 << 16):
        digest.update(part)
    return digest.digest()


def _name(member: tarfile.TarInfo) -> str:
    return f"{member.name}/" if member.isdir() else member.name


def _read(contents: Contents, archive: tarfile.TarFile, member: tarfile.TarInfo, top: str) -> None:
    name = member.name
    wanted = contents.add(_name(member))
    if name.split("/")[0] != top and not leads_out(name):
        contents.say(MEMBER_ASTRAY, name, f"{name!r} is not below {top}/")
    if member.issym() or member.islnk():
        base = os.path.dirname(name) if member.issym() else ""
        target = os.path.normpath(os.path.join(base, member.linkname))
        if leads_out(member.linkname.replace("../", "")) or target.split("/")[0] != name.split("/")[0]:
            message = f"{name!r} is a link that leads out of the archive, to {member.linkname!r}"
            contents.say(MEMBER_NO_FILE, name, message)
        elif wanted:
            contents.say(MEMBER_NO_FILE, name, f"{name!r} is a link, a file is wanted")
    elif not member.isfile() and not member.isdir():
        contents.say(MEMBER_NO_FILE, name, f"{name!r} is neither a file nor a folder")
    elif wanted and member.isfile():
        handle = archive.extractfile(member)
        if handle is not None:
            contents.keep(name, handle.read(MAX_BYTES + 1))

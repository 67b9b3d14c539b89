"""The only door to what a project holds: a folder, a dict in tests, or one of them plus unwritten changes.

A tree remembers every read and every listing, so that the answer made from them can be kept (see `memo`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Protocol

from mcp_lockstep.documents.codes import FILE_IS_FOLDER, FILE_OUTSIDE_PROJECT, FILE_TOO_LARGE, FILE_UNREADABLE
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.memo import AT_ONCE, HIDDEN, listed, listing
from mcp_lockstep.records import NamedTuple

MAX_BYTES = 10_000_000

_CHUNK = 65_536


class Source(Protocol):
    """Where bytes come from. Paths are POSIX, relative to the project, without `..`."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None where there is none. Refused when there is one that cannot be read."""
        ...

    def folder(self, path: str) -> tuple[str, ...]:
        """Sorted names in a folder, those of folders with a final `/`; empty where there is none."""
        ...


class Disk:
    """A folder on disk. Nothing outside it is read, not even through a symbolic link."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._plain: set[str] = set()

    def read(self, path: str) -> bytes | None:
        full = os.path.join(self.root, path)
        try:
            self._inside(path, full)
            return _bytes(path, os.open(full, AT_ONCE))
        except (FileNotFoundError, NotADirectoryError):
            if os.path.islink(full):
                message = f"{path} is a link to {os.readlink(full)}, which is not there"
                raise _refused(FILE_UNREADABLE, path, message) from None
            return None
        except IsADirectoryError:
            raise _refused(FILE_IS_FOLDER, path, f"{path} is a folder, a file is wanted") from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise _refused(FILE_UNREADABLE, path, f"{path} cannot be read: {reason}") from None

    def folder(self, path: str) -> tuple[str, ...]:
        return listing(os.path.join(self.root, path))

    def _inside(self, path: str, full: str) -> None:
        if not os.path.islink(full) and self._is_plain(os.path.dirname(path)):
            return
        real, root = os.path.realpath(full), os.path.realpath(self.root)
        if os.path.commonpath([real, root]) != root:
            raise _refused(FILE_OUTSIDE_PROJECT, path, f"{path} leads out of the project, to {real}")

    def _is_plain(self, folder: str) -> bool:
        """Whether no part of `folder` is a link; `..` is one as far as that goes."""
        if not folder or folder in self._plain:
            return True
        plain = (
            os.path.basename(folder) not in ("", "..")
            and not os.path.islink(os.path.join(self.root, folder))
            and self._is_plain(os.path.dirname(folder))
        )
        if plain:
            self._plain.add(folder)
        return plain


def _bytes(path: str, file: int) -> bytes:
    """What stands in the open `file`, which is closed. Two calls for most files: no file object, no spare buffer."""
    try:
        status = os.fstat(file)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError
        if not stat.S_ISREG(status.st_mode):
            raise _refused(FILE_UNREADABLE, path, f"{path} cannot be read: it is no regular file")
        # One byte more than there should be: the end of the file shows at once.
        parts = [os.read(file, min(status.st_size, MAX_BYTES) + 1)]
        size = len(parts[0])
        while parts[-1] and size != status.st_size and size <= MAX_BYTES:
            parts.append(os.read(file, _CHUNK))
            size += len(parts[-1])
    finally:
        os.close(file)
    if size > MAX_BYTES:
        raise _refused(FILE_TOO_LARGE, path, f"{path} is larger than {MAX_BYTES:,} bytes")
    return b"".join(parts)


class Memory(NamedTuple):
    """Files in a dict, for tests and for projects that do not exist yet."""

    files: Mapping[str, bytes]

    def read(self, path: str) -> bytes | None:
        if any(name.startswith(path + "/") for name in self.files):
            raise _refused(FILE_IS_FOLDER, path, f"{path} is a folder, a file is wanted")
        return self.files.get(path)

    def folder(self, path: str) -> tuple[str, ...]:
        return _names(self.files, path)


class Tree:
    """A source seen through unwritten `changes` (None: deleted), remembering what was asked of it."""

    def __init__(self, source: Source, changes: Mapping[str, bytes | None] | None = None) -> None:
        self._source = source
        self._changes = dict(changes or {})
        self._read: dict[str, bytes | None] = {}
        self._refused: dict[str, Refused] = {}
        self._listed: dict[str, tuple[str, ...]] = {}
        self._beside: dict[str, Tree] = {}

    def read(self, path: str) -> bytes | None:
        """The bytes of `path`, None where there is no such file. Refused when it cannot be read."""
        if path in self._changes:
            return self._changes[path]
        if path in self._refused:
            raise self._refused[path]
        if path not in self._read:
            self._read[path] = None
            try:
                self._read[path] = self._source.read(path)
            except Refused as refused:
                # A second reader is not to take it for absent.
                self._refused[path] = refused
                raise
        return self._read[path]

    def folder(self, path: str) -> tuple[str, ...]:
        """Sorted names in the folder `path` (empty: the project itself); folders end in `/`."""
        if path not in self._listed:
            self._listed[path] = self._source.folder(path)
        if not self._changes:
            return self._listed[path]
        gone = {name for name, raw in self._changes.items() if raw is None}
        kept = {name for name in self._listed[path] if join(path, name) not in gone}
        added = _names({name: raw for name, raw in self._changes.items() if raw is not None}, path)
        return tuple(sorted(kept.union(added)))

    def files(self, folder: str, suffix: str) -> tuple[str, ...]:
        """Every file below `folder` whose name ends in `suffix`, sorted."""
        found: list[str] = []
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            for name in self.folder(here):
                if name.endswith("/"):
                    waiting.append(join(here, name[:-1]))
                elif name.endswith(suffix):
                    found.append(join(here, name))
        return tuple(sorted(found))

    def over(self, changes: Mapping[str, bytes | None]) -> Tree:
        """The same tree with more unwritten changes; what it reads is remembered by this one too."""
        tree = Tree(self._source, {**self._changes, **changes})
        tree._read, tree._listed, tree._refused = self._read, self._listed, self._refused
        tree._beside = self._beside
        return tree

    def above(self, way: str, folder: str) -> Tree:
        """The `folder` that lies at `way` (`../`) from here; what is asked of it counts as asked of this tree."""
        return self._beside.setdefault(way, Tree(Disk(folder)))

    @property
    def root(self) -> str | None:
        """The folder on disk that the tree is made from; None where it is no folder."""
        return self._source.root if isinstance(self._source, Disk) else None

    def asked(self) -> dict[str, bytes | None]:
        """What every path read so far held, and every folder listed (with a final `/`), as `memo` keeps it."""
        own = {**self._read, **{f"{path}/": listed(names) for path, names in self._listed.items()}}
        for way, tree in self._beside.items():
            # The listing of a folder itself stands at "/".
            own.update({way + path.removeprefix("/"): raw for path, raw in tree.asked().items()})
        return own


def join(folder: str, name: str) -> str:
    """`folder/name`; `name` alone where the folder is the project itself."""
    return f"{folder}/{name}" if folder else name


def is_listed(name: str) -> bool:
    """Whether what is called `name` stands in the listing of its folder: hidden files and caches do not."""
    return name[0] != "." and name not in HIDDEN


def safe(path: str) -> bool:
    """Whether `path` is relative and stays inside the project."""
    parts = path.replace("\\", "/").split("/")
    return (
        bool(path)
        and not os.path.isabs(path)
        and ".." not in parts
        and ":" not in parts[0]
        and "\0" not in path
    )


def _names(files: Mapping[str, object], folder: str) -> tuple[str, ...]:
    prefix = folder + "/" if folder else ""
    rests = [path[len(prefix) :] for path in files if path.startswith(prefix)]
    return tuple(
        sorted(
            {name + slash for name, slash, _ in (rest.partition("/") for rest in rests) if is_listed(name)}
        )
    )


def _refused(code: Code, path: str, message: str) -> Refused:
    return Refused(Finding(code, Place(path), message))

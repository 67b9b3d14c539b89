"""Everything a command would write, worked out before anything is written, and the only function that writes it."""

from __future__ import annotations

import errno
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from mcp_lockstep.documents import Edit, apply_edits
from mcp_lockstep.documents.codes import FILE_OUTSIDE_PROJECT
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.generated.recipe import foreign, read_seal
from mcp_lockstep.lock import LOCK
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Tree, safe

if TYPE_CHECKING:
    from filelock import BaseFileLock

JOURNAL = ".mcp-lockstep-journal"
_UNFINISHED = ".mcp-lockstep~"

_HELPS: Mapping[int, str] = {
    errno.EROFS: "it is mounted read-only: mount it for writing, or work on a copy",
    errno.EACCES: "you have no right to write there: `ls -ld` shows whose it is",
    errno.EPERM: "you have no right to write there: `ls -ld` shows whose it is",
    errno.ENOSPC: "make room on that disk",
    errno.EDQUOT: "make room on that disk",
}
"""What the system refused -> what helps."""

CHANGED_MEANWHILE = Code(
    "LS5101",
    "changed-meanwhile",
    "error",
    "A file changed between reading and writing.",
    "Nothing was written over it. Run the command again: it starts from what stands there now.",
    exit=3,
)
FILE_UNWRITABLE = Code(
    "LS5102",
    "file-unwritable",
    "error",
    "A file cannot be written.",
    "The disk is full, mounted read-only, or the folder is somebody else's. If some files were written already, "
    "the next `mcp-lockstep sync` writes the others, when the reason is gone.",
    exit=2,
)
CODES = (CHANGED_MEANWHILE, FILE_UNWRITABLE)


class Generated(NamedTuple):
    """A file that is ours: rewritten whole when its recipe differs; `make` (its sealed text) is called only then."""

    path: str
    recipe: str
    make: Callable[[], str]


class Seed(NamedTuple):
    """A file that is written once, where none stands yet, and then belongs to the user."""

    path: str
    text: str


Write = Generated | Seed | Edit


class Change(NamedTuple):
    """One file before and after (None: not there)."""

    path: str
    before: bytes | None
    after: bytes | None


class Plan(NamedTuple):
    """What a command would do: the changes in the order of writing, the lock last, and what there is to say."""

    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()


class Emitted(NamedTuple):
    """The files that generated and seeded writes put in place, and the generated files that were refused."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...]


def emit(tree: Tree, writes: Iterable[Generated | Seed], force: frozenset[str] = frozenset()) -> Emitted:
    """Make what is missing or stale in one set of files that belong together.

    A generated file that was edited, or is not ours, is refused unless forced, and then none of the set is made:
    half of it would be a server that does not start.
    """
    files: dict[str, bytes] = {}
    refused: list[Finding] = []
    for write in writes:
        now = tree.read(write.path)
        match write:
            case Seed(path, text):
                if now is None:
                    files[path] = text.encode("utf-8")
            case Generated(path, recipe, make):
                if path not in force and now is not None and (finding := foreign(path, now)):
                    refused.append(finding)
                elif path in force or now is None or _recipe(now) != recipe:
                    files[path] = make().encode("utf-8")
    return Emitted({} if refused else files, tuple(refused))


def changes(tree: Tree, files: Mapping[str, bytes | None], edits: Iterable[Edit]) -> tuple[Change, ...]:
    """What `tree` becomes: whole `files` first, then `edits` in them or in what stands there, the lock last."""
    after = dict(files)
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    for path, mine in by_path.items():
        raw = after[path] if path in after else tree.read(path)
        after[path] = apply_edits((raw or b"").decode("utf-8"), mine).encode("utf-8")
    found = (Change(path, tree.read(path), raw) for path, raw in after.items())
    return tuple(sorted((c for c in found if c.before != c.after), key=lambda c: (c.path == LOCK, c.path)))


def apply(root: str, plan: Plan) -> None:
    """Write `plan` below `root`: all of it or nothing that a later `recover` would not end.

    Refused when a file is no longer what the plan was made from, or cannot be written.
    """
    if not plan.changes:
        return
    with _alone(root):
        for change in plan.changes:
            if _bytes(_target(root, change.path)) != change.before:
                message = f"{change.path} changed while the command ran; nothing was written"
                raise Refused(
                    Finding(CHANGED_MEANWHILE, Place(change.path), message, hint=CHANGED_MEANWHILE.explain)
                )
        _all_of(root, plan.changes)


def _all_of(root: str, planned: Sequence[Change]) -> None:
    journal, done = os.path.join(root, JOURNAL), 0
    try:
        _write(journal, _journal(planned))
        for change in planned:
            _carry_out(root, change)
            done += 1
        os.unlink(journal)
    except OSError as error:
        if done:
            raise _stopped(error, f"`{_sync(root)}` ends what was begun") from None
        with suppress(OSError):
            _unlink(journal)
        raise _stopped(error, "then run the command again: nothing was written") from None


def _sync(root: str) -> str:
    from shlex import quote

    return "mcp-lockstep sync" if root == "." else f"mcp-lockstep sync {quote(root)}"


def _stopped(error: OSError, then: str) -> Refused:
    """What to say of a file that cannot be written: where, why, and what helps."""
    path = _from_here(str(error.filename or "."))
    message = f"{path} cannot be written: {error.strerror}"
    if path.endswith(_UNFINISHED):
        # Nobody knows that name: what cannot be made is any new file in that folder.
        path = os.path.dirname(path) or "."
        message = f"no file can be written in {os.path.abspath(path)}: {error.strerror}"
    helps = _HELPS.get(error.errno or 0, "mend that")
    return Refused(Finding(FILE_UNWRITABLE, Place(path), message, hint=f"{helps}; {then}"))


def _from_here(path: str) -> str:
    """A path below the working folder as it is from there; any other, as on another drive, whole."""
    try:
        near = os.path.relpath(path)
    except (ValueError, OSError):
        return path
    return os.path.abspath(path) if near.split(os.sep)[0] == os.pardir else near


def recover(root: str) -> tuple[Finding, ...]:
    """End what a killed command began. A file that was edited by hand since then is left alone and reported."""
    journal = os.path.join(root, JOURNAL)
    if not os.path.lexists(journal) and not os.path.lexists(_temporary(journal)):
        return ()
    with _alone(root):
        try:
            edited = _end(root, _begun(_bytes(journal) or b""))
            _unlink(_temporary(journal))
            _unlink(journal)
        except OSError as error:
            raise _stopped(error, f"`{_sync(root)}` ends what an earlier command began") from None
    return tuple(
        Finding(
            CHANGED_MEANWHILE,
            Place(path),
            f"{path} was edited after a sync was cut off; it was left as it is",
        )
        for path in edited
    )


def _end(root: str, begun: Sequence[_Begun]) -> list[str]:
    """Write what is not written yet; gives the paths of the files that were edited since and are left alone."""
    now = {entry.path: _digest(_bytes(_target(root, entry.path))) for entry in begun}
    edited = [entry.path for entry in begun if now[entry.path] not in entry.digests]
    for entry in begun:
        _unlink(_temporary(_target(root, entry.path)))
        # The lock tells what all places agree on; with one of them left alone, they do not.
        if entry.path not in edited and not (edited and entry.path == LOCK):
            _carry_out(root, Change(entry.path, None, entry.after))
    return edited


class _Begun(NamedTuple):
    """One entry of the journal: what the file becomes, and the digests of what it was and will be."""

    path: str
    after: bytes | None
    digests: tuple[str, str]


def _journal(planned: Iterable[Change]) -> bytes:
    lines: list[str] = []
    for change in planned:
        after = "-" if change.after is None else _encoded(change.after)
        lines.append(f"{_digest(change.before)} {after} {_encoded(os.fsencode(change.path))}")
    text = "\n".join(lines)
    return f"{_digest(text.encode())}\n{text}".encode()


def _begun(raw: bytes) -> tuple[_Begun, ...]:
    """What the journal says; nothing where it is not whole, for then no file was touched yet."""
    digest, _, text = raw.decode("utf-8", "replace").partition("\n")
    if _digest(text.encode()) != digest:
        return ()
    try:
        return tuple(_entry(*line.split(" ")) for line in text.split("\n"))
    except (TypeError, ValueError):
        return ()


def _entry(before: str, encoded: str, path: str) -> _Begun:
    after = None if encoded == "-" else b64decode(encoded, validate=True)
    return _Begun(os.fsdecode(b64decode(path, validate=True)), after, (before, _digest(after)))


def _encoded(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


def _carry_out(root: str, change: Change) -> None:
    target = _target(root, change.path)
    if change.after is None:
        _unlink(target)
    elif _bytes(target) != change.after:
        _write(target, change.after)


def _write(target: str, raw: bytes) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    # Never through a link that somebody left there.
    _unlink(_temporary(target))
    try:
        _written(_temporary(target), raw)
        if os.path.exists(target):
            os.chmod(_temporary(target), os.stat(target).st_mode & 0o7777)
        os.replace(_temporary(target), target)
    except OSError as error:
        with suppress(OSError):
            _unlink(_temporary(target))
        # A full disk is told of a handle, without a name.
        error.filename = target if error.filename2 else error.filename or _temporary(target)
        raise


def _written(path: str, raw: bytes) -> None:
    with open(path, "wb") as handle:
        handle.write(raw)
        handle.flush()
        os.fsync(handle.fileno())


def _target(root: str, path: str) -> str:
    """Where `path` really lies. Refused when that is outside the project."""
    real, base = os.path.realpath(os.path.join(root, path)), os.path.realpath(root)
    if not safe(path) or os.path.commonpath([real, base]) != base:
        raise Refused(
            Finding(FILE_OUTSIDE_PROJECT, Place(path), f"{path} leads out of the project: not written")
        )
    return real


def _alone(root: str) -> BaseFileLock:
    """One writer at a time; the lock file lies in the cache, so that the project holds nothing of it."""
    from tempfile import gettempdir

    from filelock import FileLock

    from mcp_lockstep.memo import cache_folder

    name = _digest(os.path.realpath(root).encode("utf-8", "surrogateescape"))[:32] + ".lock"
    # The folder for temporary files belongs to everybody: whoever came first would shut the others out.
    mine = os.path.join(gettempdir(), f"mcp-lockstep-{_user()}")
    for folder in (cache_folder(), mine):
        try:
            os.makedirs(folder, mode=0o700 if folder == mine else 0o777, exist_ok=True)
            if os.access(folder, os.W_OK) and (folder != mine or os.stat(folder).st_uid == _user()):
                return FileLock(os.path.join(folder, name))
        except OSError:
            continue
    message = f"{cache_folder()} cannot be written, nor can the folder for temporary files"
    raise Refused(Finding(FILE_UNWRITABLE, Place(cache_folder()), message, hint="make one of them writable"))


def _user() -> int:
    """The number of the user; 0, as in every `st_uid`, on systems where users have none."""
    return os.getuid() if hasattr(os, "getuid") else 0


def _recipe(raw: bytes) -> str:
    seal = read_seal(raw)
    return seal.recipe if seal else ""


def _digest(raw: bytes | None) -> str:
    return "-" if raw is None else sha256(raw).hexdigest()


def _temporary(target: str) -> str:
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name}{_UNFINISHED}")


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as handle:
            return handle.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return

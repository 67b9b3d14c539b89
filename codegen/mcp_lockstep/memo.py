"""The unchanged case: when every byte that a clean `check` read would read the same, its answer is given again.

Standard library, `os` and a hash alone. A memo is a cache outside the project; losing it loses nothing.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence

FORMAT = "3"
HIDDEN = ("__pycache__", "node_modules")
AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""How files are opened: not waiting for the other end of a pipe, and no line end translated."""


def listing(folder: str) -> tuple[str, ...]:
    """Names in `folder`, sorted, real folders with a final `/`; hidden ones and caches left out."""
    try:
        with os.scandir(folder) as entries:
            return tuple(
                sorted(
                    entry.name + "/" * entry.is_dir(follow_symlinks=False)
                    for entry in entries
                    if entry.name[0] != "." and entry.name not in HIDDEN
                )
            )
    except OSError:
        return ()


def key_of(*question: str) -> str:
    """The key under which the answer to `question` is kept."""
    parts = (FORMAT, sys.version, *question)
    return _hash("\0".join(parts).encode("utf-8", "surrogateescape"))[:32]


def command_key(version: str, argv: Sequence[str]) -> str:
    """The key of a command in the working folder; empty where that is gone."""
    try:
        here = os.getcwd()
    except OSError:
        return ""
    # Output depends on all of these; a memo made under others must not answer.
    terminal = str(sys.stdout.isatty()) + os.environ.get("NO_COLOR", "") + os.environ.get("TERM", "")
    return key_of(version, *sources(), here, terminal, *argv)


def sources() -> tuple[str, ...]:
    """Where we lie, and the times of our files: of one that an installer wrote, of all where they are worked on."""
    package = os.path.dirname(__file__)
    if os.path.basename(os.path.dirname(package)) in ("site-packages", "dist-packages"):
        return package, str(os.stat(__file__).st_mtime_ns)
    return package, str(_times(package))


def _times(folder: str) -> int:
    """The times of all modules below a folder, added up."""
    with os.scandir(folder) as entries:
        return sum(
            _times(entry.path) if entry.is_dir() else entry.stat().st_mtime_ns
            for entry in entries
            if entry.name not in HIDDEN and (entry.name[-3:] == ".py" or entry.is_dir())
        )


def replay(key: str) -> str | None:
    """What `remember` kept under `key`, if nothing that had been read for it has changed since."""
    raw = _bytes(os.path.join(cache_folder(), key)) if key and cache_folder() else None
    if raw is None:
        return None
    digest, _, rest = raw.partition(b"\n")
    head, _, output = rest.decode("utf-8", "surrogateescape").partition("\n\n")
    paths = head.split("\n") if head else ()
    now = (listed(listing(path)) if path[-1:] == "/" else _bytes(path) for path in paths)
    return output if _digest((rest, *now)) == digest.decode("ascii", "replace") else None


def remember(key: str, read: Mapping[str, bytes | None], output: str) -> None:
    """Keep `output` for `replay`. `read`: path -> the bytes it had; see `listed` for folders. Never fails.

    Paths may be relative to the working folder. An empty key keeps nothing.
    """
    paths, folder = sorted(read), cache_folder()
    # A path in lines of its own, an output that any terminal can show: what is neither is worked out each time.
    if not key or not folder or not output.isascii() or any("\n" in path for path in paths):
        return
    rest = ("\n".join(paths) + "\n\n" + output).encode("utf-8", "surrogateescape")
    digest = _digest((rest, *(read[path] for path in paths)))
    _put(folder, key, digest.encode("ascii") + b"\n" + rest)


def _put(folder: str, name: str, raw: bytes) -> None:
    """Write a file whole; nothing is left of one that cannot be."""
    made = os.path.join(folder, f"{name}.{os.getpid()}")
    try:
        os.makedirs(folder, exist_ok=True)
        try:
            with open(made, "wb") as handle:
                handle.write(raw)
            os.replace(made, os.path.join(folder, name))
        except OSError:
            os.unlink(made)
    except OSError:
        return


def listed(names: Iterable[str]) -> bytes:
    """The listing of a folder as `remember` keeps it; the folder's path then ends in `/`."""
    return "\n".join(names).encode("utf-8", "surrogateescape")


def cache_folder() -> str:
    """The folder that holds memos, outside every project; empty where nothing says a whole path to one."""
    bases = (os.environ.get("XDG_CACHE_HOME"), os.environ.get("LOCALAPPDATA"), os.path.expanduser("~/.cache"))
    whole = (base for base in bases if base and os.path.isabs(base))
    return next((os.path.join(base, "mcp-lockstep") for base in whole), "")


def _digest(contents: Iterable[bytes | None]) -> str:
    return _hash(b"".join(b"-" if raw is None else b"%d:" % len(raw) + raw for raw in contents))


def _hash(raw: bytes) -> str:
    try:
        # Where `hashlib` has it from, which loads OpenSSL as well: a third of what an unchanged `check` takes.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import sha256

        return sha256(raw).hexdigest()
    return blake2b(raw).hexdigest()


def _bytes(path: str) -> bytes | None:
    """What stands in a regular file; links that lead out of the working folder are not followed, as in `Tree`."""
    try:
        file = os.open(path, AT_ONCE | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return _linked(path)
    try:
        status = os.fstat(file)
        return os.read(file, status.st_size + 1) if stat.S_ISREG(status.st_mode) else None
    except OSError:
        return None
    finally:
        os.close(file)


def _linked(path: str) -> bytes | None:
    real = os.path.realpath(path) if os.path.islink(path) else ""
    # A link that leads to itself is a link still when all of it is followed.
    inside = real.startswith(os.path.join(os.path.realpath(""), "")) and not os.path.islink(real)
    return _bytes(real) if inside else None

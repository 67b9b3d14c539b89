"""The unchanged case: when every byte that a clean `check` read would read the same, its answer is given again.

Standard library, `os` and `hashlib` alone. A memo is a cache outside the project; losing it loses nothing.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence

FORMAT = "1"
HIDDEN = ("__pycache__", "node_modules")


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


def replay(version: str, argv: Sequence[str]) -> str | None:
    """What the same command printed when it last ended well, if nothing that it read has changed since."""
    file = _file(version, argv)
    raw = _bytes(file) if file else None
    if raw is None:
        return None
    head, _, output = raw.decode("utf-8", "surrogateescape").partition("\n\n")
    digest, *paths = head.split("\n")
    now = (listed(listing(path)) if path[-1] == "/" else _bytes(path) for path in paths)
    return output if _digest(now) == digest else None


def remember(version: str, argv: Sequence[str], read: Mapping[str, bytes | None], output: str) -> None:
    """Keep `output` for `replay`. `read`: path -> the bytes it had; see `listed` for folders. Never fails.

    Paths may be relative to the working folder, which is part of the question.
    """
    paths = sorted(read)
    file = _file(version, argv)
    # A path in lines of its own, an output that any terminal can show: what is neither is worked out each time.
    if not file or not output.isascii() or any("\n" in path for path in paths):
        return
    text = "\n".join([_digest(read[path] for path in paths), *paths]) + "\n\n" + output
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(
            f"{file}.{os.getpid()}", "w", encoding="utf-8", errors="surrogateescape", newline=""
        ) as handle:
            handle.write(text)
        os.replace(f"{file}.{os.getpid()}", file)
    except OSError:
        return


def listed(names: Iterable[str]) -> bytes:
    """The listing of a folder as `remember` keeps it; the folder's path then ends in `/`."""
    return "\n".join(names).encode("utf-8", "surrogateescape")


def _file(version: str, argv: Sequence[str]) -> str:
    """The file of the memo; empty where the working folder is gone."""
    try:
        here = os.getcwd()
    except OSError:
        return ""
    # Output depends on all of these; a memo made under others must not answer.
    terminal = str(sys.stdout.isatty()) + os.environ.get("NO_COLOR", "") + os.environ.get("TERM", "")
    parts = (FORMAT, version, sys.version, __file__, here, terminal, *argv)
    key = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
    return os.path.join(cache_folder(), key[:32])


def cache_folder() -> str:
    """The folder that holds memos, outside every project."""
    base = (
        os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.cache")
    )
    return os.path.join(base, "mcp-lockstep")


def _digest(contents: Iterable[bytes | None]) -> str:
    state = hashlib.sha256()
    for raw in contents:
        state.update(b"-" if raw is None else b"%d:" % len(raw) + raw)
    return state.hexdigest()


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as handle:
            return handle.read()
    except OSError:
        return None

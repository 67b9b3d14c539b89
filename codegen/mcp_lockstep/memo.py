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


def key_of(*question: str) -> str:
    """The key under which the answer to `question` is kept."""
    parts = (FORMAT, sys.version, *question)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def command_key(version: str, argv: Sequence[str]) -> str:
    """The key of a command in the working folder; empty where that is gone."""
    try:
        here = os.getcwd()
    except OSError:
        return ""
    # Output depends on all of these; a memo made under others must not answer.
    terminal = str(sys.stdout.isatty()) + os.environ.get("NO_COLOR", "") + os.environ.get("TERM", "")
    return key_of(version, __file__, here, terminal, *argv)


def replay(key: str) -> str | None:
    """What `remember` kept under `key`, if nothing that had been read for it has changed since."""
    raw = _bytes(os.path.join(cache_folder(), key)) if key else None
    if raw is None:
        return None
    head, _, output = raw.decode("utf-8", "surrogateescape").partition("\n\n")
    digest, *paths = head.split("\n")
    now = (listed(listing(path)) if path[-1] == "/" else _bytes(path) for path in paths)
    return output if _digest(now) == digest else None


def remember(key: str, read: Mapping[str, bytes | None], output: str) -> None:
    """Keep `output` for `replay`. `read`: path -> the bytes it had; see `listed` for folders. Never fails.

    Paths may be relative to the working folder. An empty key keeps nothing.
    """
    paths = sorted(read)
    file = os.path.join(cache_folder(), key)
    # A path in lines of its own, an output that any terminal can show: what is neither is worked out each time.
    if not key or not output.isascii() or any("\n" in path for path in paths):
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

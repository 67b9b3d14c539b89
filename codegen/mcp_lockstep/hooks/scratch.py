"""A server.json on disk for backends that take files only: outside the project, gone when the build ends."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile


def kept(raw: bytes, like: str) -> str:
    """The path of a new file `server.json` that holds `raw`, as old as the file `like`."""
    folder = tempfile.mkdtemp(prefix="mcp-lockstep-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "server.json")
    with open(path, "wb") as handle:
        handle.write(raw)
    os.chmod(path, 0o644)
    age = os.stat(like)
    os.utime(path, ns=(age.st_atime_ns, age.st_mtime_ns))
    return path

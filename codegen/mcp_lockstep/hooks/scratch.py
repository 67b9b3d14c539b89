"""A server.json on disk for backends that take files only: outside the project, gone when the build ends."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

from mcp_lockstep.hooks.built import SERVER_JSON, Kind
from mcp_lockstep.hooks.tell import fault


def kept(raw: bytes, like: str, kind: Kind) -> str:
    """The path of a new file `server.json` that holds `raw`, as old as the file `like`.

    Empty where the system takes none; that is told, and ends the build as any fault does.
    """
    try:
        return _kept(raw, like)
    except OSError as error:
        fault(error, kind)
        return ""


def _kept(raw: bytes, like: str) -> str:
    folder = tempfile.mkdtemp(prefix="mcp-lockstep-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, SERVER_JSON)
    with open(path, "wb") as handle:
        handle.write(raw)
    os.chmod(path, 0o644)
    age = os.stat(like)
    os.utime(path, ns=(age.st_atime_ns, age.st_mtime_ns))
    return path

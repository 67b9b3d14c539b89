"""Where output goes that the user named a file for."""

from __future__ import annotations

import os
import sys

from mcp_lockstep.cli.printable import printable
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.plan import Change, Plan, apply
from mcp_lockstep.tree import Disk


def told(path: str) -> None:
    """Say that a file was written, where there is one."""
    if path not in ("", "-"):
        sys.stdout.write(f"wrote {printable(path)}\n")


def put(raw: bytes, path: str) -> None:
    """Write `raw` to the file `path`, or to standard output where that is empty or `-`. Refused without a folder."""
    if path in ("", "-"):
        sys.stdout.flush()
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
        return
    folder, name = os.path.split(os.path.realpath(path))
    if not os.path.isdir(folder):
        message = f"{os.path.dirname(path)} is no folder"
        raise Refused(Finding(FILE_MISSING, Place(path), message, hint="make it first"))
    before = Disk(folder).read(name)
    if before != raw:
        apply(folder, Plan((Change(name, before, raw),)))

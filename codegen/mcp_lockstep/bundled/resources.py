"""Where `templates/` and `schemas/` live: in the installed package, or beside `codegen/` in a checkout."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Kind = Literal["templates", "schemas"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def folder(kind: Kind) -> str | None:
    """The folder of `kind` on disk; None where the package is imported from an archive."""
    for parent in (_PACKAGE, os.path.dirname(os.path.dirname(_PACKAGE))):
        candidate = os.path.join(parent, kind)
        if os.path.isdir(candidate):
            return candidate
    return None


def read(kind: Kind, *parts: str) -> bytes:
    """The bytes of one file under `kind`.

    Raises FileNotFoundError when there is none; `parts` are single path segments, never user input.
    """
    root = folder(kind)
    if root is None:
        return _archived(kind, *parts).read_bytes()
    with open(os.path.join(root, *parts), "rb") as handle:
        return handle.read()


def names(kind: Kind, *parts: str) -> tuple[str, ...]:
    """What stands in one folder under `kind`, sorted; folders end in `/`. Raises FileNotFoundError."""
    root = folder(kind)
    if root is None:
        return _archived_names(kind, *parts)
    with os.scandir(os.path.join(root, *parts)) as entries:
        return tuple(sorted(f"{e.name}/" if e.is_dir() else e.name for e in entries))


def _archived_names(kind: Kind, *parts: str) -> tuple[str, ...]:
    root = _archived(kind, *parts)
    if not root.is_dir():
        raise FileNotFoundError(f"{kind}/{'/'.join(parts)}")
    return tuple(sorted(f"{e.name}/" if e.is_dir() else e.name for e in root.iterdir()))


def _archived(kind: Kind, *parts: str) -> Traversable:
    # Only reached from a zip; importlib.resources costs more than a whole `check` of one file.
    from importlib.resources import files

    found: Traversable = files("mcp_lockstep") / kind
    for part in parts:
        found = found / part
    return found

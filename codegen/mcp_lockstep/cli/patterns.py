"""Paths with patterns that no shell has expanded: that of Windows never does, nor is there one for a setting in CI."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator


def is_pattern(path: str) -> bool:
    """Whether a path may be meant as a pattern."""
    return any(sign in path for sign in "*?[")


def expanded(paths: Iterable[str]) -> Iterator[str]:
    """`paths`, and in the place of each that is not there what it matches as a pattern, sorted; `**` is any depth.

    One that matches nothing stays as it is.
    """
    for path in paths:
        yield from (_matches(path) if is_pattern(path) and not os.path.lexists(path) else ()) or (path,)


def _matches(pattern: str) -> tuple[str, ...]:
    from glob import glob

    return tuple(sorted(glob(pattern, recursive=True)))

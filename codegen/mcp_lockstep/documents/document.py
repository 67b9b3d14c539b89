"""The text of one file, its data, and, only when somebody asks, where each value stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mcp_lockstep.findings import Position

Span = tuple[int, int]
"""Start and end (exclusive) in code points of `Document.text`."""



class Edit(NamedTuple):
    """Replace the code points `start` to `end` of the file at `path` by `text`; every other byte stays."""

    path: str
    start: int
    end: int
    text: str

"""The sides of one tool's signature and what a merge makes of them, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mcp_lockstep.code.module import Function
from mcp_lockstep.code.signature import Parameter, Signature
from mcp_lockstep.code.source import Source
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.records import NamedTuple

Verdict = Literal["in step", "change", "annotated", "error", "conflict"]
"""What becomes of one piece: nothing; the function is edited; the code's annotation stays and is noted; an
error that its author mends; both sides changed it."""

Accept = Literal["", "contract", "code"]

RETURN = "return"
"""The name of the piece that is the return annotation; no parameter can be called so."""


class Sides(NamedTuple):
    """One tool from all sides.

    `wanted` is the signature that the contract asks for and `wanted_at` where the contract says so; `source`
    is the file of `function`; `base` is the signature in the lock (None: never agreed); `renames` maps old
    parameter names of this tool to new ones; `accept` names the side that wins where both changed.
    """

    tool: str
    wanted: Signature
    wanted_at: Place
    function: Function
    source: Source
    base: Signature | None = None
    renames: Mapping[str, str] = {}
    accept: Accept = ""


class Piece(NamedTuple):
    """One parameter, or the return annotation, from all sides (None: absent there), with its verdict.

    `was` is the name that the function has for it before a rename, else empty.
    """

    name: str
    verdict: Verdict
    wanted: Parameter | None
    have: Parameter | None
    base: Parameter | None
    was: str = ""

    @property
    def renames(self) -> bool:
        """Whether the function is to call the parameter by its new name."""
        return bool(self.was) and self.verdict in {"in step", "annotated", "change"}

    @property
    def edits(self) -> bool:
        """Whether the function is edited because of this piece."""
        return self.verdict == "change" or self.renames


class Outcome(NamedTuple):
    """The result of a merge.

    `target` is the signature to write (None: leave the function alone) and `renamed` maps old to new names of
    the parameters that the write renames; `agreed` is what the lock holds after the write (None: no entry).
    """

    pieces: tuple[Piece, ...]
    findings: tuple[Finding, ...]
    target: Signature | None
    renamed: Mapping[str, str]
    agreed: Signature | None

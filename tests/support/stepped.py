"""One step of a migration, carried out on a made file."""

from __future__ import annotations

import json
from typing import TypeAlias

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.migrate.moves import Move, Step
from mcp_lockstep.migrate.rewrite import Rewriting

JsonObject: TypeAlias = "dict[str, object]"


def stepped(step: Step, data: JsonObject, target: str = "2025-12-11") -> tuple[object, tuple[Move, ...]]:
    """What becomes of `data`, and what the step says."""
    rewriting = Rewriting(JsonDocument("server.json", json.dumps(data, indent=2).encode()))
    moves = tuple(step(data, target))
    rewriting.carry_out([change for move in moves for change in move.changes])
    return rewriting.document.data, moves


def said(moves: tuple[Move, ...]) -> list[tuple[str, str, str]]:
    """Severity, slug without its prefix, and pointer of each move."""
    return [
        (move.level or move.code.severity, move.code.slug.removeprefix("migrate-"), move.pointer)
        for move in moves
    ]


def in_package(**keys: object) -> JsonObject:
    """A server.json with one package."""
    return {"packages": [keys]}

"""A server.json moved to a newer revision: what becomes of its text, and what there is to say about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import cast

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents import JsonDocument, value_at
from mcp_lockstep.documents.kinds import other_kind
from mcp_lockstep.findings import Finding, Refused
from mcp_lockstep.migrate.codes import DROPPED, NEWER_ALREADY
from mcp_lockstep.migrate.moves import Move, Quote
from mcp_lockstep.migrate.rewrite import Rewriting
from mcp_lockstep.migrate.steps import STEPS
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules import OFFICIAL, judge_manifest
from mcp_lockstep.rules.keys import shape, unknown
from mcp_lockstep.rules.manifest import JsonObject, Rule, escaped, field
from mcp_lockstep.secrecy import masked

_LONGEST_SHOWN = 80


class Migrated(NamedTuple):
    """A server.json before and after.

    `said` is what was moved, dropped, changed and assumed, by places of the file before; `left` is what the rules
    still have to say, by places of the file after. `origin` leads from a pointer of `after` to where that value
    stood, or would have stood, in `before`.
    """

    before: JsonDocument
    after: JsonDocument
    said: tuple[Finding, ...]
    left: tuple[Finding, ...]
    origin: Callable[[str], str]

    @property
    def changed(self) -> bool:
        """Whether anything is to be written."""
        return self.before.raw != self.after.raw


def migrate(document: JsonDocument, to: str = "", rules: tuple[Rule, ...] = OFFICIAL) -> Migrated:
    """Move a server.json of any revision to the revision `to`, by default the newest, and judge it by `rules`.

    Refused for what is no server.json, for a revision that is not bundled, and for a file that is newer already.
    """
    target = catalog.find(f"server@{to}").revision if to else catalog.newest("server")
    _refuse(document, target)
    rewriting = Rewriting(document)
    said: list[Finding] = []
    for since, step in STEPS:
        if since <= target:
            moves = tuple(step(cast("JsonObject", rewriting.document.data), target))
            said += _findings(rewriting, moves)
            rewriting.carry_out([change for move in moves for change in move.changes])
    after = rewriting.document
    return Migrated(document, after, tuple(said), judge_manifest(after, rules), rewriting.origin)


def _refuse(document: JsonDocument, target: str) -> None:
    if (other := other_kind(document)) is not None:
        raise Refused(other)
    own = _own_revision(cast("JsonObject", document.data), target)
    if own > target:
        message = f"{document.path} keeps to {own}, which is newer than {target}"
        finding = Finding(NEWER_ALREADY, document.place("/$schema"), message, document.where("/$schema"))
        raise Refused(finding._replace(have=own, want=target, hint=NEWER_ALREADY.explain))


def _own_revision(data: JsonObject, target: str) -> str:
    """The revision that a file names; where it names none, the first newer one that knows a key which `target` lacks.

    Empty where `target` knows every key that a newer revision does.
    """
    declared = data.get("$schema")
    if isinstance(declared, str) and (known := catalog.server_revision(declared)):
        return known
    strange = {key.at for key in unknown(data, shape(target))}
    newer = (revision for revision in catalog.revisions("server") if revision > target)
    return next((revision for revision in newer if _knows_more(data, strange, revision)), "")


def _knows_more(data: JsonObject, strange: set[str], revision: str) -> bool:
    """Whether `revision` knows one of the `strange` keys; what stands inside of an unknown one it never sees."""
    unseen = tuple(key.at for key in unknown(data, shape(revision)))
    return any(at not in unseen and not at.startswith(tuple(f"{u}/" for u in unseen)) for at in strange)


def _findings(rewriting: Rewriting, moves: tuple[Move, ...]) -> Iterator[Finding]:
    data = masked(rewriting.document.data) if any(_tells_value(move) for move in moves) else None
    for move in moves:
        pointer = rewriting.origin(move.pointer)
        have = _written(value_at(data, move.pointer)) if _tells_value(move) else move.have
        message = move.message
        if move.code is DROPPED:
            message = f"{field(pointer)} {message}; it was {_short(have or '')}."
        document = rewriting.original
        place, position = document.place(pointer), document.where(pointer)
        yield Finding(move.code, place, message, position, have, move.want, move.hint, level=move.level)


def _tells_value(move: Move) -> bool:
    """Whether a finding carries the value that stood there, which the step does not know to be secret or not."""
    return move.code is DROPPED or any(isinstance(change, Quote) for change in move.changes)


def _written(value: object) -> str:
    """A value whole, as compact JSON."""
    return json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    line = escaped(text)
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"

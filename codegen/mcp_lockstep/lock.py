"""`mcp-lockstep.lock`: the last agreed value of each fact, the base of every three-way merge.

Every entry stands under a header of its own, so that branches which change different facts merge by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.documents import TomlDocument, toml_key, toml_string
from mcp_lockstep.documents.data import JsonObject, table, text_of
from mcp_lockstep.findings import Code, Finding, Place, Position, Refused
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Tree

LOCK = "mcp-lockstep.lock"
FORMAT = 1
_HEAD = "# Kept by mcp-lockstep. Commit it. After a merge conflict take either side and run `mcp-lockstep sync`.\n"

LOCK_UNUSABLE = Code(
    "LS0201",
    "lock-unusable",
    "error",
    "The lock cannot be used.",
    "Often a merge conflict was left in it: take either side and run `mcp-lockstep sync`. Without a lock, "
    "`sync` writes a new one from what the owners say.",
    exit=2,
)
CODES = (LOCK_UNUSABLE,)


class Lock(NamedTuple):
    """What was agreed last: `facts` by name of the fact, `tools` (signatures) by name of the tool."""

    facts: Mapping[str, str] = {}
    tools: Mapping[str, str] = {}


def read_lock(tree: Tree) -> tuple[Lock | None, tuple[Finding, ...]]:
    """The lock of the project; None where there is none, or it cannot be used. Refused when it cannot be read."""
    raw = tree.read(LOCK)
    if raw is None:
        return None, ()
    try:
        document = TomlDocument(LOCK, raw)
        data = table(document.data)
    except Refused as refused:
        return None, tuple(_unusable(f.message, f.position) for f in refused.findings)
    if data.get("lock") != FORMAT:
        message = f"{LOCK} is of format {data.get('lock')!r}, this version of mcp-lockstep reads {FORMAT}"
        return None, (_unusable(message, document.where("/lock")),)
    return Lock(_agreed(table(data, "fact")), _agreed(table(data, "tool"))), ()


def _unusable(message: str, position: Position) -> Finding:
    return Finding(LOCK_UNUSABLE, Place(LOCK), message, position, hint=LOCK_UNUSABLE.explain)


def render_lock(lock: Lock, before: bytes | None = None) -> bytes:
    """The bytes of the lock file, with the line ends of `before`; the same lock gives the same bytes."""
    parts = [f"{_HEAD}lock = {FORMAT}\n"]
    for kind, entries in (("fact", lock.facts), ("tool", lock.tools)):
        parts += [
            f"\n[{kind}.{toml_key(name)}]\nagreed = {toml_string(value)}\n"
            for name, value in sorted(entries.items())
        ]
    newline = "\r\n" if before is not None and b"\r\n" in before else "\n"
    return "".join(parts).replace("\n", newline).encode("utf-8")


def _agreed(entries: JsonObject) -> Mapping[str, str]:
    return {name: text for name in entries if (text := text_of(table(entries, name).get("agreed")))}

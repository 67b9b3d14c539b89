"""Whether a contract can be published and its tools be called; what is wrong is a finding with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.contract import codes
from mcp_lockstep.contract.model import KEYS, KINDS, WORDS, Contract, Kind, shown
from mcp_lockstep.contract.origin import Origin, Origins
from mcp_lockstep.contract.references import schema_findings
from mcp_lockstep.contract.shapes import SHAPE_OF, Deviation, deviations
from mcp_lockstep.documents import value_at
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.findings import Finding

_ORDINARY = "[A-Za-z0-9_.-]{1,128}"
_HIDDEN = (
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, line ends, and what changes the direction of text or hides text from people."""


def judge(contract: Contract, origins: Origins) -> tuple[Finding, ...]:
    """Everything that is wrong with the contract, list by list. `origins` has the place of each item."""
    return tuple(_judged(contract, origins))


def _judged(contract: Contract, origins: Origins) -> Iterator[Finding]:
    for kind in KINDS:
        items = list(zip(contract.of(kind), origins.of(kind), strict=True))
        for item, origin in items:
            yield from _item(kind, item, origin)
        yield from _twice(kind, items)
    yield from _alike(list(zip(contract.tools, origins.tools, strict=True)))


def _item(kind: Kind, item: JsonObject, origin: Origin) -> Iterator[Finding]:
    for deviation in deviations(item, SHAPE_OF[kind]):
        if deviation.kind in {"missing", "wrong"}:
            yield _deviates(kind, item, deviation, origin)
    if isinstance(name := item.get("name"), str):
        yield from _name(kind, name, origin.below("name"))
    for key in ("inputSchema", "outputSchema"):
        schema = as_object(item.get(key)) if kind == "tools" else None
        if schema is not None:
            yield from schema_findings(schema, origin.below(key))


def _deviates(kind: Kind, item: JsonObject, deviation: Deviation, origin: Origin) -> Finding:
    here = origin.below(*deviation.parts)
    if deviation.kind == "missing":
        holder = f"the {WORDS[kind]}{_called(item)}" if len(deviation.parts) == 1 else "it"
        message = f"is missing; {holder} needs {deviation.want} there"
        return here.finding(codes.KEY_MISSING, message, want=deviation.want)
    have = shown(value_at(here.document.data, here.pointer))
    return here.finding(
        codes.WRONG_TYPE, f"is {have}; {deviation.want} is wanted", have=have, want=deviation.want
    )


def _called(item: JsonObject) -> str:
    name = item.get("name")
    return f" {shown(name)}" if isinstance(name, str) else ""


def _name(kind: Kind, name: str, origin: Origin) -> Iterator[Finding]:
    if trouble := _trouble(name):
        message = f"is {shown(name)}; a name without {trouble} is wanted"
        yield origin.finding(codes.NAME_UNSAFE, message, have=name)
    elif kind == "tools" and not re.fullmatch(_ORDINARY, name):
        message = (
            f"is {shown(name)}; 1 to 128 characters of A-Z, a-z, 0-9, _, - and . are understood everywhere"
        )
        yield origin.finding(codes.NAME_UNUSUAL, message, have=name)


def _trouble(name: str) -> str:
    """What makes a name unsafe, as words; empty where nothing does."""
    if not name.strip():
        return "being empty"
    if re.search(_HIDDEN, name):
        return "control or invisible characters"
    return "a path that leads upwards" if ".." in re.split(r"[/\\]", name) else ""


def _twice(kind: Kind, items: list[tuple[JsonObject, Origin]]) -> Iterator[Finding]:
    first: dict[str, Origin] = {}
    for item, origin in items:
        name = item.get(KEYS[kind])
        if not isinstance(name, str):
            continue
        here = origin.below(KEYS[kind])
        other = first.setdefault(name, here)
        if other is not here:
            message = f"is {shown(name)}, which {other} is already; a {WORDS[kind]} of its own name is wanted"
            yield here.finding(codes.NAME_TWICE, message, have=name)


def _alike(tools: list[tuple[JsonObject, Origin]]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for tool, origin in tools:
        name = tool.get("name")
        if not isinstance(name, str):
            continue
        other = first.setdefault(re.sub(r"[\W_]+", "", name).casefold(), name)
        if other != name:
            message = f"is {shown(name)}, which differs from {shown(other)} in case or punctuation only"
            yield origin.below("name").finding(codes.NAMES_ALIKE, message, have=name)

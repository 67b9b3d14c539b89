"""Two contracts: what is offered, under which names, and the schemas of every tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Certainty, Difference, Party
from mcp_lockstep.compare.schemas import compare_schema
from mcp_lockstep.compare.shapes import same
from mcp_lockstep.contract.model import KEYS, KINDS, WORDS, Contract, Kind, shown
from mcp_lockstep.documents.data import JsonObject, objects, table, text_of
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.findings import Code
from mcp_lockstep.records import NamedTuple

_USERS: Mapping[Kind, Party] = {
    "tools": "writers",
    "prompts": "writers",
    "resources": "readers",
    "resourceTemplates": "readers",
}
"""Who is lost when an item is gone: tools and prompts are called with arguments, the others are read."""

_TEXTS = ("title", "description", "icons")
_TRUST: Mapping[str, tuple[bool, bool]] = {
    "readOnlyHint": (False, True),
    "destructiveHint": (True, False),
    "idempotentHint": (False, True),
    "openWorldHint": (True, False),
}
"""Hint -> its default, and the value under which a call is the more harmless one."""


class Item(NamedTuple):
    """One item of a contract with the JSON pointer to it."""

    at: str
    data: JsonObject


def compare_contracts(old: Contract, new: Contract) -> list[Difference]:
    """Everything that is different between two contracts; pointers are those into `Contract.document()`."""
    found: list[Difference] = []
    for kind in KINDS:
        before, after = _items(old, kind), _items(new, kind)
        found += _offered(kind, before, after)
        for key in before.keys() & after.keys():
            found += _item(kind, before[key], after[key])
    return found


def _items(contract: Contract, kind: Kind) -> dict[str, Item]:
    """The items by what tells them apart; of several with one name the first counts, as for a caller."""
    found: dict[str, Item] = {}
    for index, data in enumerate(contract.of(kind)):
        found.setdefault(text_of(data.get(KEYS[kind])), Item(make_pointer((kind, index)), data))
    return found


def _offered(kind: Kind, old: Mapping[str, Item], new: Mapping[str, Item]) -> Iterator[Difference]:
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    for name in gone:
        renamed = next((other for other in come if _alike(kind, old[name], new[other])), None)
        hint = f"{WORDS[kind]} {shown(renamed)} looks like the same under another name" if renamed else ""
        found = Difference(codes.ITEM_REMOVED, old[name].at, "", f"{WORDS[kind]} {shown(name)}", None)
        yield _for(found, _USERS[kind], "yes")._replace(hint=hint)
    for name in come:
        yield Difference(codes.ITEM_ADDED, "", new[name].at, None, f"{WORDS[kind]} {shown(name)}")


def _alike(kind: Kind, old: Item, new: Item) -> bool:
    """Whether two items differ in nothing that a program depends on, but for their names."""
    left_out = {KEYS[kind], "title", "icons"}
    kept = [{k: v for k, v in item.data.items() if k not in left_out} for item in (old, new)]
    return same(*kept) and len(kept[0]) > 1


def _for(found: Difference, party: Party, sure: Certainty) -> Difference:
    return found._replace(writers=sure) if party == "writers" else found._replace(readers=sure)


def _item(kind: Kind, old: Item, new: Item) -> Iterator[Difference]:
    for key in sorted(old.data.keys() | new.data.keys()):
        if key in old.data and key in new.data and same(old.data[key], new.data[key]):
            continue
        if key == "annotations" and kind == "tools":
            yield from _trust(old, new)
        elif key in ("inputSchema", "outputSchema") and kind == "tools":
            yield from _schema(key, old, new)
        elif key == "arguments" and kind == "prompts":
            yield from _arguments(old, new)
        elif key in _TEXTS or key == "_meta":
            yield _changed(codes.ITEM_TEXT_CHANGED, old, new, key)._replace(cosmetic=True)
        else:
            yield _for(_changed(codes.ITEM_KEY_CHANGED, old, new, key), _USERS[kind], "maybe")


def _changed(code: Code, old: Item, new: Item, key: str) -> Difference:
    texts = [f"{key} {shown(item.data[key])}" if key in item.data else None for item in (old, new)]
    places = [item.at + make_pointer((key,)) if key in item.data else item.at for item in (old, new)]
    return Difference(code, places[0], places[1], texts[0], texts[1])


def _schema(key: str, old: Item, new: Item) -> Iterator[Difference]:
    if key == "outputSchema" and key not in new.data:
        yield _changed(codes.RESULT_SCHEMA_REMOVED, old, new, key)._replace(readers="yes")
    elif key == "outputSchema" and key not in old.data:
        yield _changed(codes.RESULT_SCHEMA_ADDED, old, new, key)
    else:
        found = compare_schema(
            old.data.get(key), new.data.get(key), "input" if key == "inputSchema" else "output"
        )
        yield from (d.below(f"{old.at}/{key}", f"{new.at}/{key}") for d in found)


def _trust(old: Item, new: Item) -> Iterator[Difference]:
    before, after = table(old.data, "annotations"), table(new.data, "annotations")
    for key in sorted(before.keys() | after.keys()):
        one, other = Item(f"{old.at}/annotations", before), Item(f"{new.at}/annotations", after)
        if key in before and key in after and same(before[key], after[key]):
            continue
        if key not in _TRUST:
            yield _changed(codes.ITEM_TEXT_CHANGED, one, other, key)._replace(cosmetic=True)
            continue
        default, harmless = _TRUST[key]
        was, is_now = before.get(key, default), after.get(key, default)
        found = _changed(codes.TRUST_CHANGED, one, other, key)
        if was is is_now:
            yield found._replace(cosmetic=True)
        else:
            yield found._replace(readers="no" if is_now is harmless else "maybe")


def _arguments(old: Item, new: Item) -> Iterator[Difference]:
    before, after = _named(old), _named(new)
    for name in before.keys() - after.keys():
        place = before[name].at
        yield Difference(codes.ARGUMENT_REMOVED, place, new.at, shown(name), None, "yes")
    for name in after.keys() - before.keys():
        needed: Certainty = "yes" if _needed(after[name]) else "no"
        yield Difference(codes.ARGUMENT_ADDED, old.at, after[name].at, None, shown(name), needed)
    for name in before.keys() & after.keys():
        yield from _argument(before[name], after[name])


def _argument(old: Item, new: Item) -> Iterator[Difference]:
    for key in sorted((old.data.keys() | new.data.keys()) - {"required"}):
        if old.data.get(key) != new.data.get(key):
            yield _changed(codes.ITEM_TEXT_CHANGED, old, new, key)._replace(cosmetic=True)
    if _needed(old) != _needed(new):
        found = _changed(codes.ARGUMENT_REQUIRED, old, new, "required")
        yield found._replace(writers="yes" if _needed(new) else "no")


def _named(item: Item) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for index, data in enumerate(objects(item.data.get("arguments"))):
        at = item.at + make_pointer(("arguments", index))
        found.setdefault(text_of(data.get("name")), Item(at, data))
    return found


def _needed(item: Item) -> bool:
    return item.data.get("required") is True

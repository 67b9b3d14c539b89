"""Objects and arrays: properties, what is not declared, items."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Certainty, Difference
from mcp_lockstep.compare.keywords import differs
from mcp_lockstep.compare.nodes import Node
from mcp_lockstep.compare.opaque import opaque
from mcp_lockstep.compare.work import Work
from mcp_lockstep.contract.model import shown
from mcp_lockstep.documents.data import as_array, as_object
from mcp_lockstep.documents.pointer import escape_part

_OPAQUE_IN_OBJECTS = ("dependentRequired", "dependentSchemas", "dependencies")
_COUNTED = ("minContains", "maxContains")


def objects(work: Work, old: Node, new: Node) -> None:
    """Compare the keywords about objects."""
    before, after = _properties(old), _properties(new)
    for name in before.keys() & after.keys():
        work.later(old.child("properties", name), new.child("properties", name))
    for name in sorted(after.keys() - before.keys()):
        _added(work, old, new, name)
    for name in sorted(before.keys() - after.keys()):
        _removed(work, old, new, name)
    work.say(_requirements(old, new))
    _others(work, old, new)
    _patterns(work, old, new)
    if "propertyNames" in old.keys or "propertyNames" in new.keys:
        work.later(old.child("propertyNames"), new.child("propertyNames"))
    for keyword in _OPAQUE_IN_OBJECTS:
        opaque(work, old.only(keyword), new.only(keyword))


def _properties(node: Node) -> dict[str, object]:
    return as_object(node.keys.get("properties")) or {}


def _required(node: Node) -> set[str]:
    return {name for name in as_array(node.keys.get("required")) or () if isinstance(name, str)}


def _undeclared(node: Node) -> Node:
    """The schema of properties that are not declared."""
    keyword = "additionalProperties" if "additionalProperties" in node.keys else "unevaluatedProperties"
    return node.child(keyword)


def _open(node: Node) -> bool:
    return not _undeclared(node).keys


def _added(work: Work, old: Node, new: Node, name: str) -> None:
    undeclared, declared = _undeclared(old), new.child("properties", name)
    patterns = bool(old.keys.get("patternProperties"))
    if not (undeclared.never or _open(old) or patterns):
        work.later(undeclared, declared)
        return
    needed = name in _required(new)
    writers: Certainty = "maybe" if patterns else "yes" if needed and name not in _required(old) else "no"
    readers: Certainty = "maybe" if patterns else "yes" if undeclared.never else "no"
    latent = _open(old) and bool(declared.keys)
    code = codes.REQUIRED_ADDED if writers == "yes" else codes.PROPERTY_ADDED
    work.say([Difference(code, old.at, declared.at, None, shown(name), writers, readers, latent)])


def _removed(work: Work, old: Node, new: Node, name: str) -> None:
    declared, undeclared = old.child("properties", name), _undeclared(new)
    patterns = bool(new.keys.get("patternProperties"))
    if not (undeclared.never or _open(new) or patterns):
        work.later(declared, undeclared)
        return
    lost = name in _required(old) - _required(new)
    writers: Certainty = "yes" if undeclared.never and not patterns else "maybe"
    readers: Certainty = "maybe" if patterns else "yes" if lost or not undeclared.never else "no"
    found = Difference(codes.PROPERTY_REMOVED, declared.at, new.at, shown(name), None, writers, readers)
    work.say([found])


def _requirements(old: Node, new: Node) -> Iterator[Difference]:
    """Properties that became required or optional, but for those that are reported as added or removed."""
    before, after = _required(old), _required(new)
    told = _told(old, new)
    for name in sorted(after - before - told):
        at = f"{new.at}/properties/{escape_part(name)}" if name in _properties(new) else f"{new.at}/required"
        yield Difference(codes.REQUIRED_ADDED, old.at, at, None, shown(name), "yes")
    told = _told(new, old)
    for name in sorted(before - after - told):
        at = f"{old.at}/properties/{escape_part(name)}" if name in _properties(old) else f"{old.at}/required"
        yield Difference(codes.REQUIRED_REMOVED, at, new.at, shown(name), None, "no", "yes")


def _told(fewer: Node, more: Node) -> set[str]:
    """The properties that `more` alone declares and that are reported as such."""
    plain = _undeclared(fewer).never or _open(fewer)
    if not plain or fewer.keys.get("patternProperties"):
        return set()
    return {*(_properties(more).keys() - _properties(fewer).keys())}


def _others(work: Work, old: Node, new: Node) -> None:
    before, after = _undeclared(old), _undeclared(new)
    if before.never == after.never:
        if not before.never:
            work.later(before, after)
        return
    closed = after.never
    old_text, new_text = ("accepted", "refused") if closed else ("refused", "accepted")
    writers: Certainty = "yes" if closed else "no"
    readers: Certainty = "no" if closed else "yes"
    at = (before.at if before.keys else old.at, after.at if after.keys else new.at)
    work.say([Difference(codes.OTHERS_CHANGED, *at, old_text, new_text, writers, readers)])


def _patterns(work: Work, old: Node, new: Node) -> None:
    before = as_object(old.keys.get("patternProperties")) or {}
    after = as_object(new.keys.get("patternProperties")) or {}
    if before.keys() != after.keys():
        work.say(
            [
                differs(
                    codes.CONSTRAINT_CHANGED, old, new, "patternProperties", writers="maybe", readers="maybe"
                )
            ]
        )
        return
    for pattern in before:
        work.later(old.child("patternProperties", pattern), new.child("patternProperties", pattern))


_EVALUATING = ("prefixItems", "items", "contains")


def arrays(work: Work, old: Node, new: Node) -> None:
    """Compare the keywords about arrays."""
    count = max(_prefix(old)[1], _prefix(new)[1])
    for index in range(count):
        work.later(_item(old, index), _item(new, index))
    work.later(_item(old, count), _item(new, count))
    unique = old.keys.get("uniqueItems") is True, new.keys.get("uniqueItems") is True
    if unique[0] != unique[1]:
        writers: Certainty = "yes" if unique[1] else "no"
        readers: Certainty = "yes" if unique[0] else "no"
        work.say([differs(codes.ITEMS_CHANGED, old, new, "uniqueItems", writers=writers, readers=readers)])
    _contains(work, old, new)
    if "unevaluatedItems" in old.keys or "unevaluatedItems" in new.keys:
        # What it is about depends on all that speaks about items.
        opaque(work, old.only("unevaluatedItems", *_EVALUATING), new.only("unevaluatedItems", *_EVALUATING))


def _prefix(node: Node) -> tuple[str, int]:
    """The keyword that gives items by their index, and how many."""
    keyword = "prefixItems" if "prefixItems" in node.keys else "items"
    return keyword, len(as_array(node.keys.get(keyword)) or ())


def _item(node: Node, index: int) -> Node:
    keyword, count = _prefix(node)
    if index < count:
        return node.child(keyword, index)
    return node.child("additionalItems" if keyword == "items" and count else "items")


def _contains(work: Work, old: Node, new: Node) -> None:
    counted = any(keyword in node.keys for keyword in _COUNTED for node in (old, new))
    if counted:
        opaque(work, old.only("contains", *_COUNTED), new.only("contains", *_COUNTED))
    elif "contains" in old.keys and "contains" in new.keys:
        work.later(old.child("contains"), new.child("contains"))
    elif "contains" in old.keys:
        work.say([differs(codes.ITEMS_CHANGED, old, new, "contains", readers="yes")])
    elif "contains" in new.keys:
        work.say([differs(codes.ITEMS_CHANGED, old, new, "contains", writers="yes")])

"""Conditions that are compared as they are written, references in them by what they mean."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Certainty, Difference
from mcp_lockstep.compare.nodes import ANNOTATIONS, REFERENCES, Node, reference_of
from mcp_lockstep.compare.shapes import same
from mcp_lockstep.compare.work import Work
from mcp_lockstep.contract.model import shown
from mcp_lockstep.documents.data import as_array, as_object
from mcp_lockstep.documents.pointer import escape_part

_VALUES = frozenset(["const", "enum"])
_NAMES = frozenset("properties patternProperties dependentSchemas dependencies $defs definitions".split())


def opaque(work: Work, old: Node, new: Node) -> None:
    """Report keywords whose effect is not decided, unless both sides mean the same."""
    if not old.keys and not new.keys:
        return
    if same(_bare(old.keys), _bare(new.keys)) and _same_references(work, old, new):
        return
    writers: Certainty = "maybe" if new.keys else "no"
    readers: Certainty = "maybe" if old.keys else "no"
    keyword = next(iter(new.keys or old.keys))
    work.say(
        [
            Difference(
                codes.CONSTRAINT_CHANGED,
                f"{old.at}/{keyword}" if old.keys else old.at,
                f"{new.at}/{keyword}" if new.keys else new.at,
                shown(old.keys) if old.keys else None,
                shown(new.keys) if new.keys else None,
                writers,
                readers,
            )
        ]
    )


def _bare(value: object, *, names: bool = False) -> object:
    """A schema without its annotations. `names`: `value` is an object whose keys are no keywords."""
    if (items := as_array(value)) is not None:
        return [_bare(item) for item in items]
    keys = as_object(value)
    if keys is None:
        return value
    return {
        key: inner if key in _VALUES and not names else _bare(inner, names=key in _NAMES and not names)
        for key, inner in keys.items()
        if names or key not in ANNOTATIONS
    }


def _same_references(work: Work, old: Node, new: Node) -> bool:
    """Whether the references in two schemas that are written alike mean the same."""
    for before, after in zip(_references(old), _references(new), strict=False):
        here, there = work.old.target(before), work.new.target(after)
        if here is None or there is None:
            if here is not there:
                return False
        elif not _identical(work, here, there) and not work.same_meaning(here, there):
            return False
    return True


def _identical(work: Work, old: Node, new: Node) -> bool:
    """Whether two nodes, and everything that they refer to, are written alike."""
    waiting: list[tuple[Node | None, Node | None]] = [(old, new)]
    seen: set[tuple[str, str]] = set()
    while waiting:
        here, there = waiting.pop()
        if here is None or there is None:
            if here is not there:
                return False
        elif (here.at, there.at) not in seen:
            seen.add((here.at, there.at))
            if not same(_bare(here.keys), _bare(there.keys)):
                return False
            pairs = zip(_references(here), _references(there), strict=False)
            waiting += [(work.old.target(before), work.new.target(after)) for before, after in pairs]
    return True


def _references(node: Node) -> Iterator[Node]:
    """Every place in a schema that refers to another one, in an order of their own."""
    waiting: list[tuple[str, object]] = [(node.at, node.keys)]
    while waiting:
        at, value = waiting.pop()
        if (keys := as_object(value)) is not None:
            found = Node(at, keys)
            if reference_of(found) is not None:
                yield found
            waiting += [
                (f"{at}/{escape_part(key)}", keys[key]) for key in sorted(keys) if key not in REFERENCES
            ]
        else:
            waiting += [(f"{at}/{index}", item) for index, item in enumerate(as_array(value) or ())]

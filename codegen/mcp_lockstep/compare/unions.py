"""Which alternative became which, and what is left over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mcp_lockstep.compare.nodes import definition_name
from mcp_lockstep.compare.shapes import Branch, apart, constants, same
from mcp_lockstep.compare.work import Work
from mcp_lockstep.documents.data import table
from mcp_lockstep.records import NamedTuple


class Matched(NamedTuple):
    """The branches of one JSON type on both sides, put together; `removed` and `added` have no counterpart."""

    pairs: tuple[tuple[Branch, Branch], ...]
    removed: tuple[Branch, ...]
    added: tuple[Branch, ...]


def match(work: Work, old: Sequence[Branch], new: Sequence[Branch]) -> Matched:
    """Pairs of alternatives: by name, by content, by the constants that mark them, by shape, the last two left.

    What another alternative takes wholly is neither removed nor added.
    """
    before, after = _enumerated(old), _enumerated(new)
    if len(before) == len(after) == 1:
        return Matched(((before[0], after[0]),), (), ())
    pairs: list[tuple[Branch, Branch]] = []
    for alike in (_same_name, _same_content, _same_mark, _same_shape):
        _take(pairs, before, after, alike)
    removed = [b for b in before if not any(work.covers(b, other) for other in _rest(new, b))]
    added = [b for b in after if not any(work.covers(b, other, backwards=True) for other in _rest(old, b))]
    if len(removed) == len(added) == 1 and not apart(removed[0], added[0]):
        pairs.append((removed.pop(), added.pop()))
    return Matched(tuple(pairs), tuple(removed), tuple(added))


def _rest(branches: Sequence[Branch], branch: Branch) -> list[Branch]:
    return [other for other in _enumerated(branches) if not apart(branch, other)]


def _take(
    pairs: list[tuple[Branch, Branch]],
    before: list[Branch],
    after: list[Branch],
    alike: Callable[[Branch, Branch], bool],
) -> None:
    for one in list(before):
        other = next((branch for branch in after if alike(one, branch)), None)
        if other is not None:
            before.remove(one)
            after.remove(other)
            pairs.append((one, other))


def _same_name(old: Branch, new: Branch) -> bool:
    name = definition_name(old.node)
    return bool(name) and name == definition_name(new.node)


def _same_content(old: Branch, new: Branch) -> bool:
    mine, theirs = (
        [branch.node.keys, [part.keys for part in branch.parts], list(branch.values or ()), branch.integer]
        for branch in (old, new)
    )
    return same(mine, theirs)


def _same_mark(old: Branch, new: Branch) -> bool:
    mine, theirs = constants(old), constants(new)
    shared = mine.keys() & theirs.keys()
    return bool(shared) and all(same(mine[name], theirs[name]) for name in shared)


def _same_shape(old: Branch, new: Branch) -> bool:
    """The same keywords, and properties of the same names: worth comparing, whatever the values.

    Two definitions with names of their own are two things, as many messages of a protocol look alike.
    """
    if definition_name(old.node) and definition_name(new.node):
        return False
    mine, theirs = (table(branch.node.keys, "properties").keys() for branch in (old, new))
    return bool(mine) and mine == theirs and old.node.keys.keys() == new.node.keys.keys()


def _enumerated(branches: Sequence[Branch]) -> list[Branch]:
    """The branches with all those that only list values made one."""
    listed = [b for b in branches if b.values is not None and not b.parts and not b.node.keys]
    if len(listed) < 2:
        return list(branches)
    values = tuple([value for branch in listed for value in branch.values or ()])
    exclusive = any(branch.exclusive for branch in listed)
    joined = listed[0]._replace(values=values, exclusive=exclusive)
    return [joined, *[branch for branch in branches if branch not in listed]]

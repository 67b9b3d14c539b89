"""What refers to what among the names of a module: cycles, and an order without recursion."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

Needs = Mapping[str, AbstractSet[str]]
"""Each name with the names that it refers to; those without an entry of their own refer to nothing."""


def in_passes(needs: Needs) -> list[str]:
    """The names in passes by alphabet, each after what it needs; those of a cycle and above it are left out."""
    users: dict[str, list[str]] = {}
    for name, needed in needs.items():
        for one in needed:
            users.setdefault(one, []).append(name)
    missing = {name: len(needed) for name, needed in needs.items()}
    waiting = [(0, name) for name, count in missing.items() if not count]
    heapq.heapify(waiting)
    done: list[str] = []
    # What comes later in the alphabet than the last name that it waits for is in the same pass, else in the next.
    while waiting:
        place, name = heapq.heappop(waiting)
        done.append(name)
        for user in users.get(name, ()):
            missing[user] -= 1
            if not missing[user]:
                heapq.heappush(waiting, (place + (user < name), user))
    return done


def recursive(needs: Needs) -> set[str]:
    """The names that lead back to themselves."""
    return {
        name for group in groups(needs) for name in group if len(group) > 1 or name in needs.get(name, ())
    }


def groups(needs: Needs) -> Iterator[list[str]]:
    """The names that lead to each other, together; a group comes after all that it leads to (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: dict[str, None] = {}
    for start in needs:
        trail = [] if start in index else [_entered(start, needs, index, low, path)]
        while trail:
            name, left = trail[-1]
            for other in left:
                if other not in index:
                    trail.append(_entered(other, needs, index, low, path))
                    break
                if other in path:
                    low[name] = min(low[name], index[other])
            else:
                trail.pop()
                if trail:
                    low[trail[-1][0]] = min(low[trail[-1][0]], low[name])
                if low[name] == index[name]:
                    yield _left(name, path)


def _entered(
    name: str, needs: Needs, index: dict[str, int], low: dict[str, int], path: dict[str, None]
) -> tuple[str, Iterator[str]]:
    index[name] = low[name] = len(index)
    path[name] = None
    return name, iter(sorted(needs.get(name, ())))


def _left(name: str, path: dict[str, None]) -> list[str]:
    """The end of `path` from `name` on, taken off it."""
    group: list[str] = []
    while name not in group[-1:]:
        group.append(path.popitem()[0])
    return group

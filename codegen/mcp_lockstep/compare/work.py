"""What the parts of the engine share: the pairs that wait to be compared, and what was found."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Protocol

from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Difference
from mcp_lockstep.compare.nodes import Document, Node
from mcp_lockstep.compare.shapes import Branch, branches

_DEEPEST_TRIAL = 3
_MOST_PAIRS = 100_000

Identity = tuple[str, ...]


class Compares(Protocol):
    """What compares one pair of nodes, or of branches, within some work."""

    def nodes(self, work: Work, old: Node, new: Node) -> None:
        """Compare two nodes."""
        ...

    def branch(self, work: Work, old: Branch, new: Branch) -> None:
        """Compare two branches of the same type."""
        ...


class Limits:
    """What all trials of one comparison share: answers already given, and how much may still be done."""

    def __init__(self) -> None:
        self.left = _MOST_PAIRS
        self.answers: dict[tuple[bool, Identity, Identity], bool] = {}


class Work:
    """One comparison of two documents, or a trial inside one.

    Every pair is taken once: what refers to itself is taken to be equal until something else shows.
    """

    def __init__(
        self, old: Document, new: Document, how: Compares, limits: Limits | None = None, depth: int = 0
    ) -> None:
        self.old = old
        self.new = new
        self.found: list[Difference] = []
        self._how = how
        self._limits = limits or Limits()
        self._depth = depth
        self._waiting: deque[tuple[Node, Node]] = deque()
        self._seen: set[tuple[Identity, Identity]] = set()
        self._swapped = False

    def later(self, old: Node, new: Node) -> None:
        """Have two nodes compared, unless they were already."""
        pair = (old.identity, new.identity)
        if pair not in self._seen:
            self._seen.add(pair)
            self._waiting.append((old, new))

    def say(self, found: Iterable[Difference]) -> None:
        """Keep differences that were found."""
        self.found += found

    def run(self) -> None:
        """Compare what waits, and what that leads to."""
        while self._waiting and not self._refuted():
            if self._limits.left <= 0:
                self.found.append(Difference(codes.TOO_MUCH, "", "", None, None, "maybe", "maybe"))
                return
            self._limits.left -= 1
            self._how.nodes(self, *self._waiting.popleft())

    def first_time(self, kind: str, old: Identity, new: Identity) -> bool:
        """Whether this pair is asked about for the first time under the name `kind`."""
        pair = ((kind, *old), new)
        fresh = pair not in self._seen
        self._seen.add(pair)
        return fresh

    def within(self, branch: Branch, schema: Node, *, backwards: bool = False) -> bool:
        """Whether every value of `branch`, of the old document, is one of `schema`, of the new one.

        False also where that is not certain. `backwards`: the other way round.
        """
        document = self.old if backwards else self.new
        return any(
            self.covers(branch, other, backwards=backwards)
            for other in branches(document, schema)
            if other.kind == branch.kind
        )

    def covers(self, one: Branch, other: Branch, *, backwards: bool = False) -> bool:
        """Whether every value of `one` is one of `other`; False also where that is not certain."""
        if other.exclusive:
            return False
        key = (backwards ^ self._swapped, one.identity, other.identity)
        known = self._limits.answers.get(key)
        if known is None:
            if self._depth >= _DEEPEST_TRIAL or self._limits.left <= 0:
                return False
            self._limits.left -= 1
            trial = self._trial(backwards=backwards)
            self._how.branch(trial, one, other)
            trial.run()
            known = not trial._refuted()
            self._limits.answers[key] = known
        return known

    def same_meaning(self, old: Node, new: Node) -> bool:
        """Whether two nodes accept the same; False also where that is not certain."""
        if self._depth >= _DEEPEST_TRIAL:
            return False
        for backwards in (False, True):
            trial = self._trial(backwards=backwards)
            trial.later(*((new, old) if backwards else (old, new)))
            trial.run()
            if trial._refuted():
                return False
        return True

    def _trial(self, *, backwards: bool) -> Work:
        sides = (self.new, self.old) if backwards else (self.old, self.new)
        trial = Work(*sides, self._how, self._limits, self._depth + 1)
        trial._swapped = self._swapped ^ backwards
        return trial

    def _refuted(self) -> bool:
        """In a trial: whether something is known that the new side may not accept."""
        return self._depth > 0 and any(
            (found.writers != "no" or found.latent) and found.code is not codes.DEFAULT_CHANGED
            for found in self.found
        )

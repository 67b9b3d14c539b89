"""pyproject.toml, or what stood in its place before it: the distribution that a package of server.json names."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.facts.distribution import Distribution
from mcp_lockstep.facts.static import Stated
from mcp_lockstep.facts.table import Reading, State


def read(distribution: Distribution) -> Iterator[Reading]:
    """Name, version and description; one that a build makes is a reading without a value.

    A version that the build backend reads from another file stands in that file.
    """
    if distribution.name is not None:
        yield _reading("identifier", distribution.name)
    if distribution.version is not None:
        yield _reading("version", distribution.version)
    if distribution.description is not None:
        yield _reading("description", distribution.description)


def _reading(fact: str, stated: Stated) -> Reading:
    state: State = "known" if stated.text is not None else "dynamic"
    return Reading(fact, "pyproject", stated.place, stated.text, state, span=stated.span)

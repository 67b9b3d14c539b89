"""A project that works towards its next version, beside a server.json that publishes the last one."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_lockstep.facts.codes import DEV_AHEAD
from mcp_lockstep.facts.merge import Judged, merge
from mcp_lockstep.facts.normal import is_later, stage
from mcp_lockstep.facts.table import FACTS, Fact, Reading
from mcp_lockstep.findings import Finding


def published_before(fact: Fact, readings: Sequence[Reading], owner: Reading | None) -> Reading | None:
    """The place of server.json that says which version is published, where the `owner` is ahead of it on the way.

    That is a development or local version, or a pre-release, that is later than what server.json publishes, and not
    of a kind that it publishes itself: who writes 1.3.0rc1 there means the next candidate too. Nor is it one that
    stands in another place of server.json already.
    """
    if fact.name != "version" or owner is None or owner.value is None or owner.home == "manifest":
        return None
    if not stage(owner.value):
        return None
    of_manifest = [r for r in readings if (r.home, r.state) == ("manifest", "known") and r.value is not None]
    first = next((r for r in of_manifest if r.place.address == "/version"), next(iter(of_manifest), None))
    if first is None or first.value is None or stage(owner.value) <= stage(first.value):
        return None
    return first if not _is_meant(readings, owner) and is_later(owner.value, first.value) else None


def with_releases(
    judged: tuple[Judged, ...], base: str | None, readings: Sequence[Reading], owner: Reading
) -> tuple[Judged, ...]:
    """What is `judged` of the places of the version, once it counts that server.json names releases.

    Where the `owner` is ahead of what is published, server.json agrees with itself, and that is told once.
    """
    published = published_before(FACTS["version"], readings, owner)
    if published is None:
        return judged if _is_meant(readings, owner) else tuple(_unwritten(one, owner) for one in judged)
    inside = [reading for reading in readings if reading.home == "manifest"]
    others = [one for one in judged if one.reading.home != "manifest"]
    own = merge(FACTS["version"], base, inside, published).judged
    return (*others, *own, Judged(published, _ahead(published, owner)))


def _is_meant(readings: Sequence[Reading], owner: Reading) -> bool:
    """Whether a place of server.json has the very version of the `owner`."""
    normal = FACTS["version"].normal
    return any(r.home == "manifest" and normal(r.value or "") == normal(owner.value or "") for r in readings)


def _ahead(published: Reading, owner: Reading) -> Finding:
    message = f"server.json publishes {published.value}; {owner.place} is ahead of it with {owner.value}"
    hint = (
        f"nothing to do until there is a release; `mcp-lockstep sync --accept {owner.place}` writes {owner.value} "
        "all the same"
    )
    return Finding(
        DEV_AHEAD, published.place, message, have=published.value, want=owner.value, hint=hint, fact="version"
    )


def _unwritten(judged: Judged, owner: Reading) -> Judged:
    """`judged`; what is no release is not written into a server.json that has one, unless somebody asks."""
    reading, finding = judged
    of_manifest = reading.home == "manifest" and owner.home != "manifest" and finding.fixable
    if not of_manifest or stage(owner.value or "") < 2 or stage(reading.value or "") == 2:
        return judged
    hint = (
        f"write the version that is released; `mcp-lockstep sync --accept {owner.place}` writes {owner.value} all "
        "the same"
    )
    return Judged(reading, finding._replace(hint=hint, fixable=False))

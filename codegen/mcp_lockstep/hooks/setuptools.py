"""The hook of setuptools, called for every distribution of the environment; most have not opted in."""

from __future__ import annotations

from mcp_lockstep.hooks.opted import opted_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcp_lockstep.hooks.commands import Distribution


def finalize(distribution: Distribution) -> None:
    """Called once the options of `distribution` are read: put our steps around its commands."""
    if opted_in("."):
        from mcp_lockstep.hooks.commands import extend

        extend(distribution)

"""Generate MCP servers from schemas, and keep code, server.json and every repeated fact in step."""

from __future__ import annotations

TYPE_CHECKING = False
"""Ours, so that the unchanged `check` need not import `typing`; type checkers know the name."""

if TYPE_CHECKING:
    from mcp_lockstep.api import check, sync
    from mcp_lockstep.findings import Code, Finding, Place, Position, Refused
    from mcp_lockstep.pipeline.sync import Synced

__version__ = "0.1.0"
__all__ = ["Code", "Finding", "Place", "Position", "Refused", "Synced", "__version__", "check", "sync"]

_HOMES = {"Synced": "pipeline.sync", "check": "api", "sync": "api"}
"""Where a name lives that is not in `findings`; loaded when it is asked for."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'findings')}"), name)

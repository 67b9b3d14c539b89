"""The hook of pdm-backend, loaded for every project of the environment; most have not opted in."""

from __future__ import annotations

from mcp_lockstep.hooks.opted import opted_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from mcp_lockstep.hooks.files import Context


def pdm_build_hook_enabled(context: Context) -> bool:
    """Asked several times in each build."""
    return opted_in(str(context.root))


def pdm_build_update_files(context: Context, files: dict[str, Path]) -> None:
    """Called when the files are collected, before the artefact is begun."""
    from mcp_lockstep.hooks.files import add_files

    add_files(context, files)

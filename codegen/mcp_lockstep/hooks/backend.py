"""A build backend in front of another: `build-backend = "mcp_lockstep.hooks.backend"`.

The real one stands as `build-backend` in `[tool.mcp-lockstep]`. This module has exactly the hooks that it has.
"""

from __future__ import annotations

HOOKS = frozenset(
    {
        "build_editable",
        "build_sdist",
        "build_wheel",
        "get_requires_for_build_editable",
        "get_requires_for_build_sdist",
        "get_requires_for_build_wheel",
        "prepare_metadata_for_build_editable",
        "prepare_metadata_for_build_wheel",
    }
)
"""All that front ends call (PEP 517 and PEP 660)."""


def __getattr__(name: str) -> object:
    if name not in HOOKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mcp_lockstep.hooks.proxy import hook

    return hook(name)


def __dir__() -> list[str]:
    from mcp_lockstep.hooks.proxy import has_hook

    return sorted([*globals(), *filter(has_hook, HOOKS)])

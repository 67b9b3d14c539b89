"""Whether a project has opted in. Backends load this for every project in the environment: `os` alone is imported."""

from __future__ import annotations

import os

_SEEN: dict[str, bool] = {}


def opted_in(root: str) -> bool:
    """Whether the pyproject.toml in the folder `root` has the table `[tool.mcp-lockstep]`."""
    path = os.path.realpath(os.path.join(root, "pyproject.toml"))
    if path not in _SEEN:
        _SEEN[path] = _has_table(path)
    return _SEEN[path]


def _has_table(path: str) -> bool:
    try:
        with open(path, "rb") as handle:
            raw = handle.read()
    except OSError:
        return False
    if b"mcp-lockstep" not in raw:
        return False
    import tomli

    try:
        data: dict[str, dict[str, object]] = tomli.loads(raw.decode("utf-8"))
        return bool(isinstance(data["tool"]["mcp-lockstep"], dict))
    except (ValueError, KeyError, TypeError):
        return False

"""The build backend that ours stands in front of."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from mcp_lockstep.config import PYPROJECT, Config, read_config
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.hooks.codes import BACKEND_UNUSABLE
from mcp_lockstep.hooks.tell import line
from mcp_lockstep.tree import Disk, Tree

Settings = Mapping[str, object] | None
"""What a user passes to a backend by way of the front end."""

OURS = "mcp_lockstep."

PROVIDERS: Mapping[str, str] = {
    "flit_core": "flit-core",
    "hatchling": "hatchling",
    "maturin": "maturin",
    "mesonpy": "meson-python",
    "pdm": "pdm-backend",
    "poetry": "poetry-core",
    "scikit_build_core": "scikit-build-core",
    "setuptools": "setuptools",
    "uv_build": "uv_build",
}
"""The first part of a backend's module -> the distribution that provides it."""


def real_backend(*, required: bool = False) -> object | None:
    """The backend that the project names; None where it is a known one that is not installed yet.

    SystemExit, with one line, for none, for an unknown one that is not there, and, if it is `required`, for any.
    """
    found = _import()
    if isinstance(found, str):
        if required or _top() not in PROVIDERS:
            raise _unusable(found)
        return None
    return found[0]


def provider() -> str:
    """The requirement that brings the real backend."""
    return PROVIDERS[_top()]


def _top() -> str:
    return _config().build_backend.partition(".")[0].partition(":")[0]


@cache
def _config() -> Config:
    """The configuration of the project, which front ends make the working folder."""
    try:
        return read_config(Tree(Disk(".")))[0]
    except Refused as refused:
        raise SystemExit(f"mcp-lockstep: {line(refused.findings[0])}") from None


@cache
def _import() -> tuple[object] | str:
    """The backend, or why there is none."""
    config = _config()
    module, _, path = config.build_backend.partition(":")
    if not module or module.startswith(OURS):
        said = f"{module} is mcp-lockstep itself" if module else "no real one is named"
        raise _unusable(f"{said}: `build-backend` is missing in [tool.mcp-lockstep]")
    sys.path[:0] = [os.path.abspath(folder) for folder in config.backend_path]
    try:
        found: object = import_module(module)
        for name in filter(None, path.split(".")):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        return f"{config.build_backend} cannot be imported: {error}"
    return (found,)


def _unusable(message: str) -> SystemExit:
    place = Place(PYPROJECT, ":", "tool.mcp-lockstep.build-backend")
    return SystemExit(
        f"mcp-lockstep: {line(Finding(BACKEND_UNUSABLE, place, message, hint=BACKEND_UNUSABLE.explain))}"
    )

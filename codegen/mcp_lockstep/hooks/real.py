"""The build backend that ours stands in front of."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import cast

import tomli

from mcp_lockstep.behind import fault_of_name, unusable
from mcp_lockstep.hooks.tell import line
from mcp_lockstep.records import NamedTuple

Settings = Mapping[str, object] | None
"""What a user passes to a backend by way of the front end."""

MANDATORY = ("build_wheel", "build_sdist")
"""The hooks that every backend has."""

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


class _Named(NamedTuple):
    """What `[tool.mcp-lockstep]` says of the backend; `check` judges the rest of that table."""

    build_backend: str = ""
    backend_path: tuple[str, ...] = ()


@cache
def _config() -> _Named:
    """Read from pyproject.toml in the working folder, which front ends make that of the project."""
    try:
        with open("pyproject.toml", "rb") as handle:
            data: dict[str, dict[str, dict[str, object]]] = tomli.load(handle)
        own = data["tool"]["mcp-lockstep"]
        named, path = own.get("build-backend", ""), cast("list[object]", own.get("backend-path", []))
        return _Named(str(named), tuple(map(str, path)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _Named()


@cache
def _import() -> tuple[object] | str:
    """The backend, or why there is none."""
    config = _config()
    module, _, path = config.build_backend.partition(":")
    if fault := fault_of_name(config.build_backend):
        raise _unusable(fault)
    sys.path[:0] = [os.path.abspath(folder) for folder in config.backend_path]
    try:
        found: object = import_module(module)
        for name in filter(None, path.split(".")):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        return f"{config.build_backend} cannot be imported: {error}"
    if lacking := [name for name in MANDATORY if not hasattr(found, name)]:
        raise _unusable(f"{config.build_backend} is no build backend: it has no {' and no '.join(lacking)}")
    return (found,)


def _unusable(message: str) -> SystemExit:
    from mcp_lockstep.documents import TomlDocument
    from mcp_lockstep.findings import Refused

    try:
        with open("pyproject.toml", "rb") as handle:
            document = TomlDocument("pyproject.toml", handle.read())
        found = unusable(message, document)
    except (OSError, Refused):
        found = unusable(message, None)
    return SystemExit(f"mcp-lockstep: {line(found)}")

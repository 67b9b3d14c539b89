"""The build hook in `[build-system]`: the build then refuses, or tells, what is out of step."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.adopt.codes import HOOK_IMPOSSIBLE
from mcp_lockstep.adopt.edits import edited, holds, inserted
from mcp_lockstep.behind import PROXY
from mcp_lockstep.cachekeys import KEYS, is_ours, missing_keys
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents import Document, TomlDocument
from mcp_lockstep.documents.data import as_array, table, text_of
from mcp_lockstep.findings import Finding
from mcp_lockstep.project import Project

_NATIVE: Mapping[str, str] = {
    "hatchling": "/tool/hatch/build/hooks/mcp-lockstep",
    "setuptools": "",
    "pdm.backend": "",
}
"""Start of the backend's name -> the table that switches the hook on (empty: its requirement alone does)."""

_PROXIED = ("uv_build", "flit_core", "poetry.core", "mesonpy", "scikit_build_core")
_REQUIREMENT = "mcp-lockstep"


def with_hook(raw: bytes | None, home: str = PYPROJECT) -> bytes | Finding:
    """pyproject.toml with the hook in it, unchanged where it is there; or why it cannot be put there.

    `home`: the file that holds the configuration.
    """
    document = TomlDocument(PYPROJECT, raw or b"")
    system = table(document.data, "build-system")
    backend, requires = text_of(system.get("build-backend")), as_array(system.get("requires"))
    if backend == PROXY:
        return document.raw
    native = next((switch for start, switch in _NATIVE.items() if backend.startswith(start)), None)
    if "backend-path" in system:
        return _by_hand(document, backend)
    if requires is None or (native is None and not backend.startswith(_PROXIED)):
        named = f"the backend {backend}" if backend else "no backend"
        message = f"{PYPROJECT} names {named}, which takes no hook of mcp-lockstep"
        if raw is None:
            message = f"there is no {PYPROJECT}, which is where a build is given a hook"
        where = "/build-system/build-backend" if backend else ""
        return _impossible(document, where, message, HOOK_IMPOSSIBLE.explain)
    if home != PYPROJECT and not native:
        message = f"the configuration is in {home}, and where {backend} builds it is looked for in {PYPROJECT} alone"
        hint = f"move it to [tool.mcp-lockstep] in {PYPROJECT}, then run `mcp-lockstep adopt --hook`"
        return _impossible(document, "/build-system/build-backend", message, hint)
    wanted: dict[str, object] = {}
    if not any(is_ours(text_of(item)) for item in requires):
        wanted["/build-system/requires/-"] = _REQUIREMENT
    if native is None:
        wanted["/tool/mcp-lockstep/build-backend"] = backend
    elif native:
        wanted[native] = {}
    hooked = inserted(document, wanted)
    if native is None:
        hooked = edited(hooked, hooked.replace("/build-system/build-backend", PROXY))
    return hooked.raw


def _by_hand(document: TomlDocument, backend: str) -> Finding:
    """The finding about a backend in the project's own tree."""
    message = "`backend-path` in [build-system] lets installers look for a backend in these folders alone"
    hint = (
        f'by hand: move `backend-path` to [tool.mcp-lockstep], beside `build-backend = "{backend}"`; in [build-system] '
        f'write `build-backend = "{PROXY}"`, and "{_REQUIREMENT}" among `requires`'
    )
    return _impossible(document, "/build-system/backend-path", message, hint)


def _impossible(document: TomlDocument, where: str, message: str, hint: str) -> Finding:
    return Finding(HOOK_IMPOSSIBLE, document.place(where), message, document.where(where), hint=hint)


def with_cache_keys(project: Project) -> bytes | None:
    """pyproject.toml with what uv has to look at in `[tool.uv]`; None where nothing is lacking."""
    lacking = missing_keys(project)
    document = project.pyproject
    if document is None or not lacking:
        return None
    if not holds(document, KEYS):
        return inserted(document, {KEYS: list(lacking)}).raw
    changed: Document = document
    for key in lacking:
        changed = edited(changed, changed.insert(f"{KEYS}/-", key))
    return changed.raw

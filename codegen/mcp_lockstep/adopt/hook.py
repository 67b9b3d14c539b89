"""The build hook in `[build-system]`: the build then refuses, or tells, what is out of step."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.adopt.codes import HOOK_IMPOSSIBLE
from mcp_lockstep.adopt.edits import edited, holds, inserted
from mcp_lockstep.cachekeys import KEYS, PROXY, is_ours, missing_keys
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


def with_hook(raw: bytes | None) -> bytes | Finding:
    """pyproject.toml with the hook in it, unchanged where it is there; or why it cannot be put there."""
    document = TomlDocument(PYPROJECT, raw or b"")
    system = table(document.data, "build-system")
    backend, requires = text_of(system.get("build-backend")), as_array(system.get("requires"))
    if backend == PROXY:
        return document.raw
    native = next((switch for start, switch in _NATIVE.items() if backend.startswith(start)), None)
    if requires is None or (native is None and not backend.startswith(_PROXIED)) or "backend-path" in system:
        named = f"the backend {backend}" if backend else "no backend"
        message = f"{PYPROJECT} names {named}, which takes no hook of mcp-lockstep"
        where = "/build-system/build-backend" if backend else ""
        place, position = document.place(where), document.where(where)
        return Finding(HOOK_IMPOSSIBLE, place, message, position, hint=HOOK_IMPOSSIBLE.explain)
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

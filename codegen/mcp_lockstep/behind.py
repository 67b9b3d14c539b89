"""The build backend that ours stands in front of, as the project names it: `[tool.mcp-lockstep] build-backend`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_lockstep.documents.data import table, text_of
from mcp_lockstep.findings import Code, Finding, Place, Position

if TYPE_CHECKING:
    from mcp_lockstep.documents import TomlDocument
    from mcp_lockstep.project import Project

BACKEND_UNUSABLE = Code(
    "LS6003",
    "build-backend-unusable",
    "error",
    "The build backend behind mcp-lockstep cannot be used.",
    'Name it as `build-backend` in `[tool.mcp-lockstep]`, as `"flit_core.buildapi"`, and list what provides it in '
    "`requires` of `[build-system]`, beside mcp-lockstep.",
    exit=2,
)
CODES = (BACKEND_UNUSABLE,)

PROXY = "mcp_lockstep.hooks.backend"
"""The backend that stands in front of one without hooks."""

_NAMED = "/tool/mcp-lockstep/build-backend"
_FRONT = "/build-system/build-backend"


def judge_backend(project: Project) -> Iterator[Finding]:
    """A finding where our backend is used, and the name of the one behind it is none; nothing is imported."""
    document = project.pyproject
    if document is None or text_of(table(document.data, "build-system").get("build-backend")) != PROXY:
        return
    named = table(document.data, "tool", "mcp-lockstep").get("build-backend", "")
    # What is no text at all is a fault of the configuration, and told as that.
    if isinstance(named, str) and (fault := fault_of_name(named)):
        yield unusable(fault, document)


def fault_of_name(backend: str) -> str:
    """Why `backend` cannot be the one behind ours, by its name alone; empty where it can be."""
    module, colon, path = backend.partition(":")
    if not backend:
        return "no real one is named: `build-backend` is missing in [tool.mcp-lockstep]"
    if not all(part.isidentifier() for part in (*module.split("."), *(path.split(".") if colon else ()))):
        return f"{backend} cannot be imported: it is not the full name of a module"
    if module.partition(".")[0] == "mcp_lockstep":
        return f"{module} is mcp-lockstep itself: `build-backend` in [tool.mcp-lockstep] names the real one"
    return ""


def unusable(message: str, document: TomlDocument | None) -> Finding:
    """The finding about the backend that pyproject.toml names, at the key where the file can be read."""
    place = Place("pyproject.toml", ":", "tool.mcp-lockstep.build-backend")
    where = Position()
    if document is not None:
        where = document.where(_NAMED if _NAMED in document.spans else _FRONT)
    return Finding(BACKEND_UNUSABLE, place, message, where, hint=BACKEND_UNUSABLE.explain)

"""pyproject.toml: the distribution that a package of server.json names."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.documents import TomlDocument
from mcp_lockstep.documents.data import as_array, table
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Place

_KEYS = (("identifier", "name"), ("version", "version"), ("description", "description"))


def read(document: TomlDocument) -> Iterator[Reading]:
    """Name, version and description of `[project]`; a dynamic one is a reading without a value."""
    project = table(document.data, "project")
    dynamic = as_array(project.get("dynamic")) or []
    for fact, key in _KEYS:
        place = Place(document.path, ":", f"project.{key}")
        if isinstance(value := project.get(key), str):
            yield Reading(fact, "pyproject", place, value)
        elif key in dynamic:
            yield Reading(fact, "pyproject", place, None, "dynamic")

"""Values added to a JSON or TOML file one after the other, so that each finds the place of the last."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.config import OWN_FILE, PYPROJECT
from mcp_lockstep.documents import Document, Edit, TomlDocument, apply_edits, open_document, value_at
from mcp_lockstep.documents.data import table
from mcp_lockstep.project import Project


def inserted(document: Document, values: Mapping[str, object]) -> Document:
    """`document` with every value of `values`, by pointer, that it does not hold yet."""
    for pointer, value in values.items():
        if not holds(document, pointer):
            document = edited(document, document.insert(pointer, value))
    return document


def edited(document: Document, edit: Edit) -> Document:
    """`document` as it reads after `edit`."""
    return open_document(document.path, apply_edits(document.text, [edit]).encode("utf-8"))


def holds(document: Document, pointer: str) -> bool:
    """Whether there is a value at `pointer`."""
    try:
        value_at(document.data, pointer)
    except (KeyError, ValueError, IndexError, TypeError):
        return False
    return True


def configured(project: Project, values: Mapping[str, object]) -> dict[str, bytes]:
    """The file of the configuration, by its path, with those of `values` that it lacks."""
    path = project.config.path or (PYPROJECT if project.pyproject is not None else OWN_FILE)
    document = TomlDocument(path, project.raw(path) or b"")
    prefix = "/tool/mcp-lockstep" if path == PYPROJECT else ""
    whole = prefix and not table(document.data, "tool", "mcp-lockstep")
    wanted = {prefix: values} if whole else {f"{prefix}/{key}": value for key, value in values.items()}
    return {path: inserted(document, wanted).raw}

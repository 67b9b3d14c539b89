"""`[project]` of pyproject.toml: is every value that is read of the type that the standard asks for?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_lockstep.documents import Document
from mcp_lockstep.documents.data import as_array, as_object
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.facts.codes import PROJECT_TABLE_WRONG
from mcp_lockstep.findings import Finding
from mcp_lockstep.project import Project

_TEXT, _TEXTS, _TABLE, _README = "a text", "a list of texts", "a table of texts", "a text or a table"
_WANTED: Mapping[str, str] = {
    "name": _TEXT,
    "version": _TEXT,
    "description": _TEXT,
    "readme": _README,
    "requires-python": _TEXT,
    "dependencies": _TEXTS,
    "classifiers": _TEXTS,
    "keywords": _TEXTS,
    "dynamic": _TEXTS,
    "scripts": _TABLE,
    "urls": _TABLE,
}


def judge_project_table(project: Project) -> Iterator[Finding]:
    """A finding per value of another type; nothing without a pyproject.toml that can be read."""
    document = project.pyproject
    data = as_object(document.data) if document is not None else None
    if document is None or data is None or "project" not in data:
        return
    declared = as_object(data["project"])
    if declared is None:
        yield _wrong(document, "", data["project"], "a table")
        return
    for key, wanted in _WANTED.items():
        if key in declared and not _fits(declared[key], wanted):
            yield _wrong(document, key, declared[key], wanted)


def _fits(value: object, wanted: str) -> bool:
    items = as_array(value)
    members = as_object(value)
    match wanted:
        case "a list of texts":
            return items is not None and all(isinstance(item, str) for item in items)
        case "a table of texts":
            return members is not None and all(isinstance(item, str) for item in members.values())
        case "a text or a table":
            return isinstance(value, str) or members is not None
        case _:
            return isinstance(value, str)


def _wrong(document: Document, key: str, value: object, wanted: str) -> Finding:
    pointer = f"/project/{escape_part(key)}" if key else "/project"
    have = "a table" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)
    message = f"`project{'.' if key else ''}{key}` is {have}; {wanted} is wanted"
    return Finding(
        PROJECT_TABLE_WRONG,
        document.place(pointer),
        message,
        document.where(pointer),
        have=have,
        want=wanted,
        hint=f'write "{value}"' if wanted == _TEXT and isinstance(value, int | float) else "",
    )

"""Values added to a JSON or TOML file one after the other, so that each finds the place of the last."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.documents import Document, Edit, apply_edits, open_document, value_at


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

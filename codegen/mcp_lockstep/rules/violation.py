"""What a schema can say against a document, and the shape of the functions that say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.records import NamedTuple

Path: TypeAlias = "tuple[Path, str | int] | None"
"""Where a value stands: the path of its parent and its key; None is the document itself."""


class Violation(NamedTuple):
    """One thing that a document does that its schema forbids.

    `pointer` is the JSON pointer of the value (for `additionalProperties` of the surplus key); `limit`
    is the keyword's value in the schema: for `required` the missing name, for `type`, `enum` and `const` a
    tuple of what is allowed, for `anyOf` the names of which one is needed.
    """

    pointer: str
    keyword: str
    value: object
    limit: object


Check: TypeAlias = "Callable[[object, Path, list[Violation]], None]"
Schema: TypeAlias = "Mapping[str, object]"
"""A schema that is an object."""


def pointer(path: Path) -> str:
    """The JSON pointer of a path; the document itself is the empty text."""
    parts: list[str | int] = []
    while path is not None:
        path, part = path
        parts.append(part)
    return make_pointer(reversed(parts))

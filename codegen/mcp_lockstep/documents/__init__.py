"""JSON, TOML, Markdown and Python files: data, spans, and edits that leave every other byte alone.

Importing this package parses nothing and imports no parser; each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mcp_lockstep.documents.document import Document, Edit, apply_edits
from mcp_lockstep.documents.pointer import make_pointer, pointer_parts, value_at
from mcp_lockstep.documents.spans import MAX_DEPTH, Span

if TYPE_CHECKING:
    from mcp_lockstep.documents.json import JsonDocument
    from mcp_lockstep.documents.markdown import MarkdownDocument, Marker
    from mcp_lockstep.documents.python import PythonDocument, literal_like
    from mcp_lockstep.documents.text import TextDocument
    from mcp_lockstep.documents.toml import TomlDocument
    from mcp_lockstep.documents.toml_text import (
        toml_address,
        toml_key,
        toml_pointer,
        toml_string,
        toml_tables,
        toml_value,
    )

__all__ = [
    "MAX_DEPTH",
    "Document",
    "Edit",
    "JsonDocument",
    "MarkdownDocument",
    "Marker",
    "PythonDocument",
    "Span",
    "TextDocument",
    "TomlDocument",
    "apply_edits",
    "literal_like",
    "make_pointer",
    "open_document",
    "pointer_parts",
    "toml_address",
    "toml_key",
    "toml_pointer",
    "toml_string",
    "toml_tables",
    "toml_value",
    "value_at",
]

_HOMES = {
    "JsonDocument": "json",
    "MarkdownDocument": "markdown",
    "Marker": "markdown",
    "PythonDocument": "python",
    "TextDocument": "text",
    "TomlDocument": "toml",
    "literal_like": "python",
    "toml_address": "toml_text",
    "toml_key": "toml_text",
    "toml_pointer": "toml_text",
    "toml_string": "toml_text",
    "toml_tables": "toml_text",
    "toml_value": "toml_text",
}


if not TYPE_CHECKING:
    # Hidden from type checkers, to which every misspelt name would be an object otherwise.
    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def open_document(path: str, raw: bytes) -> Document:
    """The document for a file, by the suffix of `path`; plain text for any other.

    Raises Refused when `raw` is not UTF-8; what else is wrong shows when `data` or `spans` is asked for.
    """
    name = path.lower().rpartition("/")[2]
    if name.endswith(".json"):
        from mcp_lockstep.documents.json import JsonDocument

        return JsonDocument(path, raw)
    if name.endswith((".toml", ".lock")):
        from mcp_lockstep.documents.toml import TomlDocument

        return TomlDocument(path, raw)
    if name.endswith((".md", ".markdown", ".rst", ".txt")) or name == "readme":
        from mcp_lockstep.documents.markdown import MarkdownDocument

        return MarkdownDocument(path, raw)
    if name.endswith((".py", ".pyi")):
        from mcp_lockstep.documents.python import PythonDocument

        return PythonDocument(path, raw)
    from mcp_lockstep.documents.text import TextDocument

    return TextDocument(path, raw)

"""Published prose, made readable elsewhere."""

from __future__ import annotations

import pytest

from mcp_lockstep.schema.prose import tidied, tidy_text
from mcp_lockstep.schema.values import Json

NAMES = {"Tool", "ToolAnnotations", "CallToolRequest", "MetaObject"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See {@link Tool}.", "See Tool."),
        ("A {@link CallToolRequest | tools/call} request", "A tools/call request"),
        ("A {@link CallToolRequest|tools/call} request", "A tools/call request"),
        ("A {@link CallToolRequesttools/call} request", "A tools/call request"),
        ("The {@link MetaObject`_meta` key naming rules}.", "The `_meta` key naming rules."),
        ("The {@link Tool.name} and {@link ToolAnnotations}", "The Tool.name and ToolAnnotations"),
        ("A {@linkcode Tools} thing", "A Tools thing"),
        ("See [general fields](/specification/x#meta) for `_meta`", "See general fields for `_meta`"),
        ("See [RFC](https://example.com/rfc) and [a]", "See [RFC](https://example.com/rfc) and [a]"),
        ("{@link", "{@link"),
        ("{@link {@link Tool}}", "{@link Tool}"),
    ],
)
def test_texts(text: str, expected: str) -> None:
    assert tidy_text(text, NAMES) == expected


def test_only_descriptions_change() -> None:
    link = "{@link A}"
    schema: Json = {
        "description": link,
        "title": link,
        "properties": {"description": {"type": "string", "description": link, "const": link}},
        "default": {"description": link},
        "$defs": {"A": {"items": {"description": link}}},
    }
    assert tidied(schema) == {
        "description": "A",
        "title": link,
        "properties": {"description": {"type": "string", "description": "A", "const": link}},
        "default": {"description": link},
        "$defs": {"A": {"items": {"description": "A"}}},
    }
    assert tidied(True) is True

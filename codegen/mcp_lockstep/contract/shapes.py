"""The types that the protocol gives to the items of a contract, as data, and what deviates from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from mcp_lockstep.contract.model import Kind
from mcp_lockstep.documents.data import JsonObject, as_array, as_object
from mcp_lockstep.records import NamedTuple

Shape = Mapping[str, str]
"""Key -> type. `!` after a type: required. `[]`: an array of it. Key `*`: further keys are allowed.

A type is a JSON type, the name of a shape, or the allowed strings with `|` between them.
"""

SHAPES: Mapping[str, Shape] = {
    "tool": {
        "name": "string!",
        "title": "string",
        "description": "string",
        "inputSchema": "schema!",
        "outputSchema": "schema",
        "annotations": "tool-annotations",
        "execution": "execution",
        "icons": "icon[]",
        "_meta": "object",
    },
    "resource": {
        "uri": "string!",
        "name": "string!",
        "title": "string",
        "description": "string",
        "mimeType": "string",
        "size": "integer",
        "annotations": "annotations",
        "icons": "icon[]",
        "_meta": "object",
    },
    "resource-template": {
        "uriTemplate": "string!",
        "name": "string!",
        "title": "string",
        "description": "string",
        "mimeType": "string",
        "annotations": "annotations",
        "icons": "icon[]",
        "_meta": "object",
    },
    "prompt": {
        "name": "string!",
        "title": "string",
        "description": "string",
        "arguments": "prompt-argument[]",
        "icons": "icon[]",
        "_meta": "object",
    },
    "schema": {"$schema": "string", "properties": "object", "required": "string[]", "*": "any"},
    "tool-annotations": {
        "title": "string",
        "readOnlyHint": "boolean",
        "destructiveHint": "boolean",
        "idempotentHint": "boolean",
        "openWorldHint": "boolean",
    },
    "annotations": {"audience": "assistant|user[]", "priority": "fraction", "lastModified": "string"},
    "execution": {"taskSupport": "forbidden|optional|required"},
    "icon": {"src": "string!", "mimeType": "string", "sizes": "string[]", "theme": "dark|light"},
    "prompt-argument": {
        "name": "string!",
        "title": "string",
        "description": "string",
        "required": "boolean",
    },
}

SHAPE_OF: Mapping[Kind, str] = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource-template",
    "prompts": "prompt",
}

_NAMES: Mapping[str, str] = {
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "object": "an object",
    "fraction": "a number from 0 to 1",
}


class Deviation(NamedTuple):
    """One value that is not as its shape says; `want` names the type where the key has one.

    missing: a required key is absent; wrong: a value has another type; null: an optional key is null, which
    the protocol does not have; unknown: the protocol has no such key.
    """

    kind: Literal["missing", "wrong", "null", "unknown"]
    parts: tuple[str | int, ...]
    want: str = ""


def deviations(item: JsonObject, shape: str) -> Iterator[Deviation]:
    """Everything in `item` that is not as the shape of that name says."""
    known = SHAPES[shape]
    for key, wanted in known.items():
        if wanted.endswith("!") and key not in item:
            yield Deviation("missing", (key,), type_name(wanted[:-1]))
    for key, value in item.items():
        wanted = known.get(key, "" if key == "*" else known.get("*", ""))
        required = wanted.endswith("!")
        if value is None and not required:
            yield Deviation("null", (key,))
        elif not wanted:
            yield Deviation("unknown", (key,))
        else:
            yield from _value(value, wanted.removesuffix("!"), (key,))


def type_name(wanted: str) -> str:
    """A type as a message calls it: `a string`, `an array`, `"dark" or "light"`."""
    if wanted.endswith("[]"):
        return "an array"
    if "|" in wanted:
        return " or ".join(f'"{choice}"' for choice in wanted.split("|"))
    return _NAMES.get(wanted, "an object")


def _value(value: object, wanted: str, parts: tuple[str | int, ...]) -> Iterator[Deviation]:
    if wanted.endswith("[]"):
        items = as_array(value)
        if items is None:
            yield Deviation("wrong", parts, type_name(wanted))
        for index, item in enumerate(items or ()):
            yield from _value(item, wanted[:-2], (*parts, index))
    elif wanted in SHAPES:
        inner = as_object(value)
        if inner is None:
            yield Deviation("wrong", parts, type_name(wanted))
            return
        for found in deviations(inner, wanted):
            yield found._replace(parts=(*parts, *found.parts))
    elif not _is(value, wanted):
        yield Deviation("wrong", parts, type_name(wanted))


def _is(value: object, wanted: str) -> bool:
    match wanted:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "fraction":
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
        case "object":
            return isinstance(value, dict)
        case "any":
            return True
        case _:
            return value in wanted.split("|")

"""What a server promises and what it is called: the two things that every SOURCE says something about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.records import NamedTuple

Kind = Literal["tools", "resources", "resourceTemplates", "prompts"]

Transport = Literal["stdio", "http"]
"""How clients talk to a server: over its standard input and output, or over streamable HTTP."""

KINDS: tuple[Kind, ...] = ("tools", "resources", "resourceTemplates", "prompts")
"""The lists of a contract, as the list calls and `contract.json` spell them."""

KEYS: Mapping[Kind, str] = {
    "tools": "name",
    "resources": "uri",
    "resourceTemplates": "uriTemplate",
    "prompts": "name",
}
"""What tells the items of each list apart."""

WORDS: Mapping[Kind, str] = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource template",
    "prompts": "prompt",
}
"""What a message calls one item of each list."""


class Contract(NamedTuple):
    """The items of the four lists, verbatim, in the order in which they are listed."""

    tools: tuple[JsonObject, ...] = ()
    resources: tuple[JsonObject, ...] = ()
    resource_templates: tuple[JsonObject, ...] = ()
    prompts: tuple[JsonObject, ...] = ()

    def of(self, kind: Kind) -> tuple[JsonObject, ...]:
        """The items of one list."""
        return self[KINDS.index(kind)]

    def document(self) -> JsonObject:
        """The contract as the object that `contract.json` holds."""
        return {kind: list(self.of(kind)) for kind in KINDS}


class Variable(NamedTuple):
    """An environment variable of the server, or a header of its requests, as server.json declares it.

    `value` is what it always has (None: somebody gives one), `default` what it has otherwise; `source` is the
    declaration itself, None where there is none.
    """

    name: str
    description: str = ""
    required: bool = False
    secret: bool = False
    value: str | None = None
    default: str | None = None
    choices: tuple[str, ...] = ()
    format: str = ""
    source: JsonObject | None = None


class Argument(NamedTuple):
    """An argument of the server's command line: a flag (`--port`) or, with an empty `name`, a positional one.

    `value` is what it always has (None: somebody gives one), `hint` what its value is called; a `switch` is a flag
    without a value; `source` is the declaration itself, None where there is none.
    """

    name: str = ""
    description: str = ""
    required: bool = False
    repeated: bool = False
    value: str | None = None
    hint: str = ""
    default: str | None = None
    choices: tuple[str, ...] = ()
    format: str = ""
    switch: bool = False
    source: JsonObject | None = None


class Identity(NamedTuple):
    """What a server is called and what it is for; empty where no SOURCE says so.

    `name` is the name in the registry (`io.github.acme/weather`), `label` the one in `serverInfo`.
    """

    name: str = ""
    label: str = ""
    version: str = ""
    title: str = ""
    description: str = ""
    website: str = ""
    instructions: str = ""
    icons: tuple[JsonObject, ...] = ()


def merged(identities: list[Identity]) -> Identity:
    """One identity: of each field the first value that is not empty."""
    fields = {
        field: value
        for identity in reversed(identities)
        for field, value in identity._asdict().items()
        if value
    }
    return Identity()._replace(**fields)


def canonical(value: object) -> str:
    """`value` as canonical JSON: keys sorted by code point, no spaces, numbers as Python read them."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def shown(value: object, limit: int = 60) -> str:
    """`value` as JSON for a message: one line, about `limit` characters, nothing that hides or turns text."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    text = text if len(text) <= limit else text[: limit - 3] + "..."
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def root_is_object(tool: JsonObject) -> bool:
    """Whether the tool's inputSchema says `"type": "object"` at its root, as some SDKs demand."""
    schema = as_object(tool.get("inputSchema"))
    return schema is not None and schema.get("type") == "object"

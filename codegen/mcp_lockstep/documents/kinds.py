"""What a JSON file is meant to be, told by its keys: a server.json, or something that was given in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mcp_lockstep.documents.codes import OTHER_KIND
from mcp_lockstep.documents.data import JsonObject, as_array, as_object, kind_of, text_of
from mcp_lockstep.documents.document import Document
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import Finding
from mcp_lockstep.records import NamedTuple

Kind = Literal[
    "server.json",
    "registry list",
    "registry entry",
    "MCPB manifest",
    "browser extension",
    "client configuration",
    "contract",
    "tool",
    "npm package",
    "npm lock",
    "JSON Schema",
    "no object",
]


class Sign(NamedTuple):
    """The kind of a file, and the key that gives it away (empty: no single one)."""

    kind: Kind
    key: str = ""


_SERVER = "save the one server that you mean, what stands under `server`, as a file of its own"
_OWN = "name the server.json of the server; `mcp-lockstep adopt` writes one for a Python project"
_CONTRACT = "name the server.json; `mcp-lockstep new DIR --from FILE` makes a server of a contract"

_WORDS: Mapping[Kind, tuple[str, str]] = {
    "server.json": ("a server.json", _OWN),
    "registry list": ("a list of a registry", _SERVER),
    "registry entry": ("a registry's answer about one server", _SERVER),
    "MCPB manifest": ("the manifest of an MCPB bundle", _OWN),
    "browser extension": ("the manifest of a browser's extension", _OWN),
    "client configuration": ("the configuration of a client", _OWN),
    "contract": ("a contract: lists of tools, resources or prompts", _CONTRACT),
    "tool": ("one tool of a contract", _CONTRACT),
    "npm package": ("a package.json of npm", _OWN),
    "npm lock": ("a lock file of npm", _OWN),
    "JSON Schema": ("a JSON Schema", _OWN),
}
"""What each kind is called in a sentence, and what to do about a file of it that is no use."""

_BEFORE: tuple[tuple[str, type, Kind], ...] = (
    ("dxt_version", object, "MCPB manifest"),
    ("manifest_version", int, "browser extension"),
    ("manifest_version", object, "MCPB manifest"),
    ("servers", list, "registry list"),
)
_AFTER: tuple[tuple[str, type, Kind], ...] = (
    ("mcpServers", dict, "client configuration"),
    ("servers", dict, "client configuration"),
    ("server", dict, "registry entry"),
    ("inputSchema", dict, "tool"),
    ("tools", object, "contract"),
    ("resources", object, "contract"),
    ("resourceTemplates", object, "contract"),
    ("prompts", object, "contract"),
    ("lockfileVersion", object, "npm lock"),
    ("dependencies", dict, "npm package"),
    ("devDependencies", dict, "npm package"),
    ("scripts", dict, "npm package"),
    ("bin", object, "npm package"),
    ("main", str, "npm package"),
    ("mcpName", str, "npm package"),
    ("$defs", dict, "JSON Schema"),
    ("definitions", dict, "JSON Schema"),
    ("properties", dict, "JSON Schema"),
)
"""Key, type of its value, and what a file with it is: the first counts."""


_SCHEMA_KEYWORDS = frozenset(
    "$ref $dynamicRef $defs definitions $id id $anchor type enum const allOf anyOf oneOf not if then else properties "
    "required additionalProperties patternProperties propertyNames items prefixItems additionalItems contains format "
    "pattern minimum maximum minLength maxLength minItems maxItems uniqueItems multipleOf dependentRequired".split()
)


def sign_of(data: object) -> Sign:
    """What a parsed JSON file is meant to be; a server.json where its keys don't tell."""
    keys = as_object(data)
    if keys is None:
        return Sign("no object")
    found = _first(keys, _BEFORE)
    if found is not None and found.kind == "browser extension" and as_object(keys.get("server")):
        # A revision that should have been a text: what a bundle starts is nothing that a browser has.
        found = found._replace(kind="MCPB manifest")
    if found is None and not _is_server(keys):
        found = _first(keys, _AFTER)
    return found or Sign("server.json")


def is_sure(data: object) -> bool:
    """Whether a file that nobody named is a server.json, a registry list or an MCPB manifest beyond doubt."""
    keys = as_object(data) or {}
    match sign_of(data).kind:
        case "MCPB manifest":
            return True
        case "registry list":
            return all("server" in (as_object(entry) or {}) for entry in as_array(keys["servers"]) or ())
        case "server.json" if "/server.schema.json" not in text_of(keys.get("$schema")):
            parts = any(isinstance(keys.get(key), list) for key in ("packages", "remotes"))
            return parts and "/" in text_of(keys.get("name")) and "description" in keys
        case kind:
            return kind == "server.json"


def words_of(data: object) -> str:
    """What a parsed JSON file is, in the words of a sentence."""
    kind = sign_of(data).kind
    if kind == "no object":
        return {"null": "null", "array": "an array"}.get(found := kind_of(data), f"a {found}")
    return _WORDS[kind][0]


def other_kind(document: Document, *wanted: Kind) -> Finding | None:
    """A finding where `document` is of none of the kinds `wanted`, by default a server.json. Raises Refused."""
    sign, kinds = sign_of(document.data), wanted or ("server.json",)
    if sign.kind in kinds:
        return None
    *first, last = (_WORDS[kind][0] for kind in kinds)
    have, want = words_of(document.data), " or ".join((", ".join(first), last) if first else (last,))
    pointer = f"/{escape_part(sign.key)}" if sign.key else ""
    message = f"{document.path} is {have}; {want} is wanted"
    hint = _WORDS[sign.kind if sign.key else kinds[0]][1]
    return Finding(OTHER_KIND, document.place(pointer), message, document.where(pointer), have, want, hint)


def no_schema(document: Document) -> Finding | None:
    """A finding where `document` is surely no JSON Schema: without one of its keywords, and of another kind."""
    data = document.data
    keys = as_object(data)
    sign = sign_of(data)
    if isinstance(data, bool) or (keys is not None and not (sign.key or _is_server(keys))):
        return None
    if keys is not None and not _SCHEMA_KEYWORDS.isdisjoint(keys):
        return None
    pointer = f"/{escape_part(sign.key)}" if sign.key else ""
    have, want = words_of(data), _WORDS["JSON Schema"][0]
    message = f"{document.path} is {have}; {want} is wanted"
    hint = "name the schema itself"
    if sign.kind in ("contract", "tool"):
        hint += "; `mcp-lockstep new DIR --from FILE` makes the models of a contract, and a server with them"
    return Finding(OTHER_KIND, document.place(pointer), message, document.where(pointer), have, want, hint)


def _first(keys: JsonObject, signs: tuple[tuple[str, type, Kind], ...]) -> Sign | None:
    for key, wanted, kind in signs:
        if key in keys and isinstance(keys[key], wanted):
            return Sign(kind, key)
    return None


def _is_server(keys: JsonObject) -> bool:
    """Whether a key says what only a server.json does, of whatever revision."""
    stated = "/server.schema.json" in text_of(keys.get("$schema")) or "version_detail" in keys
    return stated or any(isinstance(keys.get(key), list) for key in ("packages", "remotes"))

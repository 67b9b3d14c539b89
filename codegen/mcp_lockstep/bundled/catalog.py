"""The schemas that come with the package: which there are, their structure, and what their fields mean.

A schema is named `NAME@REVISION` (`server@2025-12-11`, `mcpb@0.4`, `rmcp-server@first`); the name alone means
its newest revision. Structure is in `schemas/NAME/REVISION.json`, facts about the published documents are in
`schemas/index.toml`, descriptions, once for all revisions, in `schemas/docs.toml`.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Literal, cast

from mcp_lockstep.bundled import resources
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.records import NamedTuple

JsonObject = dict[str, object]
"""A parsed JSON object. What `schema` returns is shared: read it, never change it."""

Status = Literal["current", "superseded"]

SCHEMA_NOT_BUNDLED = Code(
    "LS0190",
    "schema-not-bundled",
    "error",
    "A schema was asked for that does not come with mcp-lockstep.",
    "Schemas are named NAME@REVISION. `mcp-lockstep schemas list` prints every bundled one; a path, a URL or "
    "git:REV:PATH names a schema of your own.",
    exit=2,
)

CODES = (SCHEMA_NOT_BUNDLED,)

_SERVER_URL = ("https://static.modelcontextprotocol.io/schemas/", "/server.schema.json")


class Entry(NamedTuple):
    """One bundled schema and the published document that its structure was taken from.

    `dialect` is the `$schema` of the document, `url` its canonical address (empty where it has none),
    `sha256` the checksum of the document's bytes.
    """

    name: str
    revision: str
    dialect: str
    url: str
    sha256: str
    status: Status

    @property
    def label(self) -> str:
        return f"{self.name}@{self.revision}"


@cache
def entries() -> tuple[Entry, ...]:
    """Every bundled schema, by name, then from the oldest revision to the newest."""
    rows = cast("list[dict[str, str]]", _toml("index.toml")["schema"])
    return tuple(
        Entry(
            row["name"],
            row["revision"],
            row["dialect"],
            row["url"],
            row["sha256"],
            cast("Status", row["status"]),
        )
        for row in rows
    )


@cache
def schema_names() -> tuple[str, ...]:
    """The names that have at least one revision, sorted."""
    return tuple(entry[:-1] for entry in resources.names("schemas") if entry.endswith("/"))


@cache
def revisions(name: str) -> tuple[str, ...]:
    """The revisions of a schema from the oldest to the newest; empty for a name that is not bundled."""
    if name not in schema_names():
        return ()
    files = resources.names("schemas", name)
    return tuple(sorted((file[:-5] for file in files if file.endswith(".json")), key=_age))


def newest(name: str) -> str:
    """The newest revision of a schema. Raises Refused for a name that is not bundled."""
    found = revisions(name)
    if not found:
        raise _not_bundled(name)
    return found[-1]


@cache
def schema(name: str, revision: str = "") -> JsonObject:
    """The structure of a bundled schema, the newest revision by default. Raises Refused if there is none."""
    revision = revision or newest(name)
    if revision not in revisions(name):
        raise _not_bundled(f"{name}@{revision}")
    return cast("JsonObject", json.loads(resources.read("schemas", name, f"{revision}.json")))


def find(label: str) -> Entry:
    """The entry that `NAME` or `NAME@REVISION` names. Raises Refused with the known ones if there is none."""
    name, _, revision = label.partition("@")
    revision = revision or newest(name)
    for entry in entries():
        if (entry.name, entry.revision) == (name, revision):
            return entry
    raise _not_bundled(label)


def server_url(revision: str) -> str:
    """The `$schema` of a server.json that keeps to `revision`."""
    return f"{_SERVER_URL[0]}{revision}{_SERVER_URL[1]}"


def server_revision(url: str) -> str | None:
    """The bundled server.json revision whose canonical address is exactly `url`."""
    start, end = _SERVER_URL
    if not (url.startswith(start) and url.endswith(end)):
        return None
    revision = url[len(start) : -len(end)]
    return revision if revision in revisions("server") else None


def description(name: str, definition: str, path: str = "") -> str:
    """What a definition (`#`: the root), or a field of it, means; empty where nothing is written.

    `path` is the field's name: `a.b` for a field of an inline object, `a[].b` inside an array, `a{}.b` in a
    map.
    """
    tables = cast("dict[str, dict[str, dict[str, str]]]", _docs())
    own = tables.get(name, {})
    found = own.get(definition, {}).get(path or "_")
    if found is None and path.startswith("params."):
        # Older revisions of the protocol write the parameters of a request into the request itself.
        definition, path = f"{definition}Params", path.removeprefix("params.")
        found = own.get(definition, {}).get(path)
    return found or own.get("*", {}).get(path, "")


@cache
def _docs() -> JsonObject:
    return _toml("docs.toml")


def documented(name: str, revision: str = "") -> JsonObject:
    """A fresh copy of a bundled schema with its descriptions joined in."""
    copy = cast("JsonObject", json.loads(json.dumps(schema(name, revision))))
    for keyword in ("definitions", "$defs"):
        for definition, body in cast("dict[str, object]", copy.get(keyword, {})).items():
            _describe(body, name, definition, "")
    _describe(copy, name, "#", "")
    return copy


def _describe(node: object, name: str, definition: str, path: str) -> None:
    if not isinstance(node, dict):
        return
    body = cast("JsonObject", node)
    text = description(name, definition, path)
    if text:
        body["description"] = text
    prefix = f"{path}." if path else ""
    for field, child in cast("JsonObject", body.get("properties", {})).items():
        _describe(child, name, definition, f"{prefix}{field}")
    if path:
        _describe(body.get("items"), name, definition, f"{path}[]")
        _describe(body.get("additionalProperties"), name, definition, f"{path}{{}}")
    for keyword in ("allOf", "anyOf", "oneOf"):
        for branch in cast("list[object]", body.get(keyword, [])):
            _describe_branch(branch, name, definition, path)


def _describe_branch(branch: object, name: str, definition: str, path: str) -> None:
    # A branch is a part of its definition: it gets the fields' descriptions, not the definition's own.
    if isinstance(branch, dict) and "properties" in branch:
        prefix = f"{path}." if path else ""
        for field, child in cast("JsonObject", branch["properties"]).items():
            _describe(child, name, definition, f"{prefix}{field}")


def _toml(file: str) -> JsonObject:
    # Only for the index and the prose: judging a manifest needs neither.
    import tomli

    return cast("JsonObject", tomli.loads(resources.read("schemas", file).decode("utf-8")))


def _age(revision: str) -> tuple[bool, int, str]:
    # "current" follows "first"; dates sort as text; "0.10" comes after "0.9".
    return revision == "current", len(revision) if revision[:2] == "0." else 0, revision


def _not_bundled(label: str) -> Refused:
    meant = label.partition("@")[0]
    names = (meant,) if meant in schema_names() else schema_names()
    known = ", ".join(f"{name}@{revision}" for name in names for revision in revisions(name))
    message = f"there is no bundled schema {label!r}"
    return Refused(Finding(SCHEMA_NOT_BUNDLED, Place(label), message, have=label, hint=f"there are: {known}"))

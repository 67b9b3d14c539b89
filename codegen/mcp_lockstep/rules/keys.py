"""Keys that no revision knows: a schema lets them pass, the registry drops them without a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import cast

from mcp_lockstep.bundled import catalog
from mcp_lockstep.findings import Code, nearest
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import Fault, JsonObject, Manifest, escaped, field
from mcp_lockstep.rules.meta import dropped_key
from mcp_lockstep.rules.revision import outdated
from mcp_lockstep.rules.violation import Path, pointer

UNKNOWN_KEY = Code(
    "LS2017",
    "unknown-key",
    "warning",
    "A key that server.json does not know.",
    "The publisher's program drops unknown keys and reports success; a direct request is refused with "
    "status 422. Most are misspelt, or come from an older revision.",
)

KEY_NEWER = Code(
    "LS2019",
    "key-newer-than-revision",
    "warning",
    "A key that the revision of the file does not know, but a newer one does.",
    "Whoever reads the file by the revision that it names does not see it. Let `$schema` name a newer revision "
    "(`mcp-lockstep migrate FILE --write`), or take the key out. Where the configuration pins an older revision "
    "than the one in the file, `sync` does not move `$schema` back as long as the file has such keys.",
)

_FIRST = "2025-07-09"

_FORMER = {
    "args": "packageArguments",
    "env": "environmentVariables",
    "envvars": "environmentVariables",
    "homepage": "websiteUrl",
    "packagename": "identifier",
    "registryname": "registryType",
    "sha256": "fileSha256",
    "transporttype": "type",
    "website": "websiteUrl",
}
"""What people, and older formats, call a field, folded."""


class Shape(NamedTuple):
    """The keys that a schema knows: `fields` by name, `items` of a list, `rest` for every other key.

    Alternatives are one shape with the keys of all. `open` objects take any key.
    """

    fields: dict[str, Shape]
    items: Shape | None = None
    rest: Shape | None = None
    open: bool = False


class Unknown(NamedTuple):
    """A key that no schema names, with the object it stands in and the keys that this object may have."""

    path: Path
    key: str
    parent: JsonObject
    known: tuple[str, ...]

    @property
    def pointer(self) -> str:
        """The pointer to the object that the key stands in."""
        return pointer(self.path)

    @property
    def at(self) -> str:
        """The pointer to what stands under the key."""
        return pointer((self.path, self.key))


@cache
def shape(revision: str) -> Shape:
    """The keys that a revision of server.json knows."""
    document = catalog.schema("server", revision)
    return _shape(document, cast("JsonObject", document["definitions"]))


def _shape(schema: object, definitions: JsonObject) -> Shape:
    body = cast("JsonObject", schema)
    while "$ref" in body:
        body = cast("JsonObject", definitions[str(body["$ref"]).rpartition("/")[2]])
    rest = body.get("additionalProperties")
    found = Shape(
        {
            name: _shape(part, definitions)
            for name, part in cast("JsonObject", body.get("properties", {})).items()
        },
        _shape(body["items"], definitions) if "items" in body else None,
        _shape(cast("object", rest), definitions) if isinstance(rest, dict) else None,
        rest is True and "properties" not in body,
    )
    for keyword in ("allOf", "anyOf"):
        for part in cast("list[object]", body.get(keyword, [])):
            found = _merged(found, _shape(part, definitions))
    return found


def _merged(left: Shape, right: Shape) -> Shape:
    fields = dict(left.fields)
    for name, part in right.fields.items():
        fields[name] = _merged(fields[name], part) if name in fields else part
    return Shape(fields, left.items or right.items, left.rest or right.rest, left.open or right.open)


def unknown(value: object, known: Shape) -> list[Unknown]:
    """Every key in `value` that `known` does not have; inside an unknown key nothing is judged."""
    found: list[Unknown] = []
    _collect(value, known, None, found)
    return found


def _collect(value: object, known: Shape, path: Path, found: list[Unknown]) -> None:
    if isinstance(value, dict):
        fields, rest = known.fields, known.rest
        if known.open or not (fields or rest):
            return
        parent = cast("JsonObject", value)
        for key, child in parent.items():
            part = fields.get(key, rest)
            if part is None:
                found.append(Unknown(path, key, parent, tuple(fields)))
            elif isinstance(child, (dict, list)):
                _collect(cast("object", child), part, (path, key), found)
    elif isinstance(value, list) and known.items is not None:
        for index, item in enumerate(cast("list[object]", value)):
            _collect(item, known.items, (path, index), found)


def unknown_keys(manifest: Manifest) -> Iterator[Fault]:
    """Keys that the newest revision does not have; those of the declared revision make one note about it."""
    strangers = unknown(manifest.data, shape(manifest.newest))
    if manifest.revision != manifest.newest:
        mine = unknown(manifest.data, shape(manifest.revision))
        yield from _newer(mine, strangers, manifest.revision)
        own = {stranger.at for stranger in mine}
        yield from outdated(manifest, tuple(field(s.at) for s in strangers if s.at not in own))
        strangers = [stranger for stranger in strangers if stranger.at in own]
    for stranger in strangers:
        if stranger.pointer == "/_meta":
            yield dropped_key(stranger.at, stranger.key)
        else:
            yield _fault(stranger)


def newer_keys(data: JsonObject, revision: str) -> Iterator[Fault]:
    """Keys that the newest revision has and `revision`, to which the file is to be moved, does not."""
    strangers = unknown(data, shape(catalog.newest("server")))
    yield from _newer(unknown(data, shape(revision)), strangers, revision)


def _newer(mine: list[Unknown], strangers: list[Unknown], revision: str) -> Iterator[Fault]:
    # The first revision has other names for all of them, and is told as such.
    if revision == _FIRST:
        return
    nowhere = {stranger.at for stranger in strangers}
    for stranger in mine:
        if stranger.at not in nowhere:
            yield Fault(
                KEY_NEWER,
                stranger.at,
                f"{field(stranger.at)} is a key that revision {revision} does not know, and a newer one does.",
                have=stranger.key,
                hint="Let `$schema` name a newer revision, or take it out.",
            )


def _fault(stranger: Unknown) -> Fault:
    meant = meant_key(stranger.key, stranger.known)
    if meant is None:
        hint = "Remove it; data for other tools goes under `_meta`."
    elif meant in stranger.parent:
        hint = f"Remove it; `{meant}` is there already."
    else:
        hint = f"Did you mean `{meant}`?"
    place = f" of {field(stranger.pointer)}" if stranger.pointer else ""
    return Fault(
        UNKNOWN_KEY,
        stranger.at,
        f"server.json has no key `{escaped(stranger.key)}`{place}; publishing drops it without a word.",
        have=stranger.key,
        want=meant,
        hint=hint,
    )


def meant_key(key: str, known: tuple[str, ...]) -> str | None:
    """The known key that was probably meant: another spelling, a former name, or a close one."""
    folded: Mapping[str, str] = {_fold(name): name for name in known}
    spelt = folded.get(_fold(key)) or _FORMER.get(_fold(key))
    if spelt in known:
        return spelt
    return folded.get(nearest(_fold(key), folded, 0.75))


def _fold(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()

"""What the schemas of a contract refer to. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.contract.codes import DIALECT_UNKNOWN, REFERENCE_DANGLING, REFERENCE_REMOTE, WRONG_TYPE
from mcp_lockstep.contract.model import shown
from mcp_lockstep.contract.origin import Origin, Part
from mcp_lockstep.documents import value_at
from mcp_lockstep.documents.data import JsonObject, as_array, as_object, text_of
from mcp_lockstep.findings import Finding, nearest
from mcp_lockstep.records import NamedTuple

_SCHEMAS = frozenset(
    [
        *(
            "additionalItems",
            "additionalProperties",
            "contains",
            "contentSchema",
            "else",
            "if",
            "items",
            "not",
        ),
        *("propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"),
    ]
)
"""Keywords whose value is a schema; that of `items` may be an array of them."""
_ARRAYS = frozenset(["allOf", "anyOf", "items", "oneOf", "prefixItems"])
_MAPS = frozenset(
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"]
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

DIALECTS = frozenset(
    [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-04/schema",
        "http://json-schema.org/draft-03/schema",
    ]
)
"""Published dialects, as `$schema` names them, without the fragment."""


class Spot(NamedTuple):
    """A schema in a schema: the way to it, and the one around it with an `$id`, where references start."""

    parts: tuple[Part, ...]
    schema: JsonObject
    base: JsonObject


def schema_findings(schema: JsonObject, origin: Origin) -> Iterator[Finding]:
    """References that lead out of the schema or nowhere, and an unknown dialect. `origin` is its place."""
    yield from _dialect(schema, origin)
    spots = list(_spots(schema))
    for spot in spots:
        for keyword in _REFERENCES:
            if keyword in spot.schema:
                yield from _reference(spot, keyword, spots, origin)


def _dialect(schema: JsonObject, origin: Origin) -> Iterator[Finding]:
    dialect = schema.get("$schema")
    if isinstance(dialect, str) and _known(dialect) not in DIALECTS:
        message = f"is {shown(dialect)}; a published dialect of JSON Schema is wanted"
        yield origin.below("$schema").finding(DIALECT_UNKNOWN, message, have=dialect)


def _known(dialect: str) -> str:
    """The dialect as `DIALECTS` spells it: some writers mix up the schemes of the address."""
    name = dialect.removesuffix("#")
    other = (
        name.replace("http:", "https:", 1) if name.startswith("http:") else name.replace("https:", "http:", 1)
    )
    return other if other in DIALECTS else name


def _spots(root: JsonObject) -> Iterator[Spot]:
    """The schema and every schema in it. What `default`, `enum` and unknown keywords hold is data."""
    waiting = [Spot((), root, root)]
    while waiting:
        spot = waiting.pop()
        yield spot
        for key, value in spot.schema.items():
            for part, inner in _inner(key, value):
                base = inner if _changes_base(inner) else spot.base
                waiting.append(Spot((*spot.parts, key, *part), inner, base))


def _inner(key: str, value: object) -> Iterator[tuple[tuple[Part, ...], JsonObject]]:
    found = as_object(value)
    if key in _ARRAYS:
        for index, item in enumerate(as_array(value) or ()):
            if (schema := as_object(item)) is not None:
                yield (index,), schema
    if found is None:
        return
    if key in _SCHEMAS:
        yield (), found
    elif key in _MAPS:
        for name, item in found.items():
            if (schema := as_object(item)) is not None:
                yield (name,), schema


def _changes_base(schema: JsonObject) -> bool:
    identifier = schema.get("$id")
    return isinstance(identifier, str) and not identifier.startswith("#")


def _reference(spot: Spot, keyword: str, spots: list[Spot], origin: Origin) -> Iterator[Finding]:
    reference, here = spot.schema[keyword], origin.below(*spot.parts, keyword)
    if not isinstance(reference, str):
        message = f"is {shown(reference)}; a string is wanted"
        yield here.finding(WRONG_TYPE, message, have=shown(reference), want="a string")
        return
    address, _, fragment = reference.partition("#")
    target = _resource(address, spot.base, spots) if address else spot.base
    if target is None:
        message = f"refers to {shown(reference)}; a definition in the same schema (#/$defs/...) is wanted"
        yield here.finding(REFERENCE_REMOTE, message, have=reference)
    elif not _resolves(fragment, target, spots):
        message = f"refers to {shown(reference)}, which is not there"
        yield here.finding(REFERENCE_DANGLING, message, have=reference, hint=_near(reference, spot.base))


def _resource(address: str, base: JsonObject, spots: list[Spot]) -> JsonObject | None:
    """The schema with the `$id` that `address` names, seen from `base`; None: another document."""
    from urllib.parse import urljoin

    def absolute(schema: JsonObject) -> str:
        return urljoin(root, text_of(schema.get("$id")))

    root = text_of(spots[0].schema.get("$id"))
    try:
        wanted = {address, urljoin(absolute(base), address)}
        named = {absolute(spot.schema): spot.schema for spot in spots if spot.schema is spot.base}
    except ValueError:
        return None
    return next((named[name] for name in wanted if name and name in named), None)


def _resolves(fragment: str, target: JsonObject, spots: list[Spot]) -> bool:
    if not fragment:
        return True
    if not fragment.startswith("/"):
        return any(fragment in _anchors(spot.schema) for spot in spots if spot.base is target)
    if "%" in fragment:
        from urllib.parse import unquote

        fragment = unquote(fragment)
    try:
        found = value_at(target, fragment)
    except KeyError:
        return False
    return isinstance(found, dict | bool)


def _anchors(schema: JsonObject) -> Iterator[str]:
    for key in ("$anchor", "$dynamicAnchor"):
        if isinstance(name := schema.get(key), str):
            yield name
    # Drafts 6 and 7 have no keyword of its own for an anchor.
    if (name := text_of(schema.get("$id"))).startswith("#"):
        yield name[1:]


def _near(reference: str, base: JsonObject) -> str:
    """A hint: the definition that was most likely meant."""
    for folder in ("$defs", "definitions"):
        names = as_object(base.get(folder))
        if names:
            near = nearest(reference.rpartition("/")[2], names)
            return f"Is #/{folder}/{near} meant?" if near else ""
    return ""

"""What types of the standard library cannot say of a schema, each with the place where the schema says it."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.contract.model import shown
from mcp_lockstep.models.plan import FieldNames
from mcp_lockstep.schema.codes import UNSAID, WIRE_NAME
from mcp_lockstep.schema.disjoint import disjoint
from mcp_lockstep.schema.values import (
    Json,
    Node,
    Path,
    as_list,
    as_map,
    as_texts,
    named,
    nodes,
    subschemas,
    types,
)
from mcp_lockstep.schema.vet import Trouble

_CHECKS = frozenset(
    "contains dependencies dependentRequired dependentSchemas exclusiveMaximum exclusiveMinimum if "
    "maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties "
    "minimum multipleOf not pattern patternProperties propertyNames unevaluatedItems "
    "unevaluatedProperties uniqueItems".split()
)
"""Keywords that no type of the standard library says anything about."""
_TYPED = frozenset(
    "$defs additionalProperties allOf anyOf definitions items oneOf prefixItems properties".split()
)
_ELSEWHERE = frozenset("$dynamicRef $recursiveRef $ref allOf anyOf const enum oneOf".split())
"""Keywords beside which the type of a schema may be said."""
_SHAPES = ("additionalProperties", "items", "properties")
_ONLY_RULES = frozenset(["not", "required"])
_CHECKED = "is not checked: the types of this kind cannot say it"


def unsaid(root: Node, *, closed: bool) -> Iterator[Trouble]:
    """What of `root` is lost; `closed`: whether a class that refuses unknown properties can say so."""
    definitions = {**named(root, "definitions"), **named(root, "$defs")}
    open_objects = 0
    for path, node in _typed(root):
        yield from _keywords(path, node, definitions)
        if "properties" in node:
            rest = node.get("additionalProperties")
            open_objects += rest in (None, True)
            yield from _rest(path, rest, closed=closed)
    if open_objects:
        kinds = "one kind of object" if open_objects == 1 else f"{open_objects} kinds of objects"
        message = f"lets {kinds} have unknown properties; the types have no place for them"
        yield Trouble(UNSAID, (), message)


def _typed(node: Json, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """The schemas that become types, each with its path; those inside of checks do not."""
    if isinstance(node, dict):
        yield path, node
        for step, child in subschemas(node):
            if step[0] in _TYPED:
                yield from _typed(child, path + step)


def _keywords(path: Path, node: Node, definitions: dict[str, Node]) -> Iterator[Trouble]:
    for keyword in sorted(_CHECKS & node.keys()):
        if not (keyword in {"minItems", "minLength", "minProperties"} and node[keyword] == 0):
            yield Trouble(UNSAID, (*path, keyword), f"{_CHECKED} ({shown(node[keyword])})", keyword)
    for keyword in ("const", "enum"):
        values = [node[keyword]] if keyword == "const" and keyword in node else as_list(node.get(keyword))
        odd = [value for value in values if isinstance(value, float | list | dict)]
        if odd:
            yield Trouble(
                UNSAID, (*path, keyword), f"has {shown(odd[0])}, which `Literal` cannot hold", keyword
            )
    yield from _combined(path, node, definitions)
    if "prefixItems" in node or isinstance(node.get("items"), list):
        keyword = "prefixItems" if "prefixItems" in node else "items"
        yield Trouble(
            UNSAID, (*path, keyword), "is not checked by place: a list has one type for all items", keyword
        )
    yield from _loose(path, node)


def _loose(path: Path, node: Node) -> Iterator[Trouble]:
    """Keywords about objects and arrays that do not ask for one, or for no value at all."""
    alone = path[-2:-1] != ("allOf",) and not _ELSEWHERE & node.keys()
    names = as_map(node.get("properties"))
    lost = [name for name in as_texts(node.get("required")) if name not in names]
    if lost and (alone or "type" in node) and types(node) in (["object"], []):
        message = f"{_CHECKED} ({shown(lost[0])} is described elsewhere)"
        yield Trouble(UNSAID, (*path, "required"), message, lost[0])
    for keyword in _SHAPES:
        if keyword in node and alone and "type" not in node:
            message = "is not checked: without a `type` beside it, values of any other type may stand there"
            yield Trouble(UNSAID, (*path, keyword), message, keyword)
    children = [("items", node.get("items")), *((("properties", name), part) for name, part in names.items())]
    for step, child in children:
        if child is False:
            place = (step,) if isinstance(step, str) else step
            yield Trouble(
                UNSAID, (*path, *place), "is not checked: no type says that nothing may stand there", "false"
            )


def _combined(path: Path, node: Node, definitions: dict[str, Node]) -> Iterator[Trouble]:
    for keyword in ("anyOf", "oneOf"):
        parts = nodes(node, keyword)
        if parts and all(part.keys() <= _ONLY_RULES for part in parts):
            yield Trouble(UNSAID, (*path, keyword), _CHECKED, keyword)
        elif keyword == "oneOf" and not _exclusive(parts, definitions):
            message = "is a union: that no more than one of its members fits is not checked"
            yield Trouble(UNSAID, (*path, keyword), message, keyword)


def _exclusive(parts: list[Node], definitions: dict[str, Node]) -> bool:
    pairs = ((a, b) for index, a in enumerate(parts) for b in parts[index + 1 :])
    return all(disjoint(_local(a), _local(b), definitions) for a, b in pairs)


def _local(node: Node) -> Node:
    """`node` with its reference as `disjoint` reads them."""
    target = node.get("$ref")
    if isinstance(target, str) and target.startswith("#/definitions/"):
        return {**node, "$ref": target.replace("#/definitions/", "#/$defs/", 1)}
    return node


def _rest(path: Path, rest: Json, *, closed: bool) -> Iterator[Trouble]:
    place = (*path, "additionalProperties")
    if rest is False and not closed:
        yield Trouble(UNSAID, place, "is not said: before Python 3.15 a TypedDict cannot be closed", "false")
    elif isinstance(rest, dict):
        yield Trouble(
            UNSAID, place, "is not said: the types have no place for unknown properties", shown(rest)
        )


def renamed(root: Node, names: FieldNames) -> Iterator[Trouble]:
    """The properties whose field has another name than they have on the wire."""
    for path, node in _typed(root):
        for wire, name in names(as_map(node.get("properties")), ()).items():
            if wire != name:
                message = f"is the field `{name}`; WIRE_NAMES has its name on the wire"
                yield Trouble(WIRE_NAME, (*path, "properties", wire), message, wire, name)

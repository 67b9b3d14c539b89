"""What stops a schema from becoming models, found before any pass runs. Every keyword is looked at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from mcp_lockstep.contract.model import shown
from mcp_lockstep.findings import Code
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema import codes
from mcp_lockstep.schema.dialects import ANNOTATIONS, Dialect, dialect_of
from mcp_lockstep.schema.locate import Index, index, located, value_at, walk
from mcp_lockstep.schema.values import (
    LISTS,
    MAPS,
    REFERENCES,
    SINGLE,
    Json,
    Node,
    Path,
    as_map,
    nodes,
    subschemas,
)

DEEPEST = 100
"""Nested values in a schema. Generators and validators recurse, and people do not write such schemas."""

_TYPES = frozenset("array boolean integer null number object string".split())
_COUNTS = frozenset(
    "maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties".split()
)
_NUMBERS = frozenset(["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"])
_SAME_VALUE = frozenset("allOf anyOf dependentSchemas else if not oneOf then".split())
_BESIDE = ("anyOf", "contains", "dependentSchemas", "else", "if", "oneOf", "then")


class Trouble(NamedTuple):
    """One thing that is wrong: where in the schema, and what to say after the name of that place."""

    code: Code
    path: Path
    message: str
    have: str = ""
    want: str = ""


def vet(schema: object) -> tuple[Trouble, ...]:
    """Everything that is wrong with a root schema, in order; errors mean that no pass may see it."""
    deep = too_deep(schema)
    if deep is not None:
        return (deep,)
    if not isinstance(schema, dict | bool):
        return (Trouble(codes.MALFORMED, (), f"is {shown(schema)}; an object is wanted", shown(schema)),)
    return tuple(_vetted(cast("Node", schema))) if isinstance(schema, dict) else ()


def too_deep(value: object) -> Trouble | None:
    """The first place that is nested deeper than `DEEPEST`, found without recursion."""
    waiting: list[tuple[Path, object]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if len(path) > DEEPEST:
            return Trouble(codes.TOO_DEEP, path[:3], f"is nested more than {DEEPEST} levels deep")
        if isinstance(item, dict):
            members = cast("dict[str, object]", item)
            waiting += [((*path, key), inner) for key, inner in members.items()]
        elif isinstance(item, list):
            items = cast("list[object]", item)
            waiting += [((*path, str(place)), inner) for place, inner in enumerate(items)]
    return None


def _vetted(root: Node) -> Iterator[Trouble]:
    draft = dialect_of(root.get("$schema"))
    shapes = [trouble for path, node in walk(root) for trouble in _shape(path, node, draft)]
    yield from shapes
    if any(trouble.code is codes.MALFORMED for trouble in shapes):
        return
    found = index(root)
    yield from _endless(root, found)
    for path, node in walk(root):
        if isinstance(node, dict):
            yield from _leads(root, path, node, found)
            yield from _unevaluated(root, path, node, found)


def _shape(path: Path, node: Json, draft: Dialect) -> Iterator[Trouble]:
    if isinstance(node, bool):
        return
    if not isinstance(node, dict):
        yield Trouble(codes.MALFORMED, path, f"is {shown(node)}; a schema is wanted", shown(node))
        return
    alone = draft.ref_alone and isinstance(node.get("$ref"), str)
    for keyword, value in node.items():
        if keyword not in draft.keywords:
            if _slip(keyword):
                yield Trouble(codes.UNKNOWN, (*path, keyword), f"is no keyword of {draft.name}", keyword)
            continue
        if alone and keyword not in {"$ref", "definitions", "$defs"}:
            continue
        yield from _value(path, keyword, value, draft)


def _slip(keyword: str) -> bool:
    """Whether an unknown key might have been meant to say something: not a known annotation, no `x-` name."""
    return not (keyword in ANNOTATIONS or keyword.startswith(("x-", "$")) or keyword in _HARMLESS)


_HARMLESS = frozenset("discriminator example externalDocs nullable xml".split())


def _value(path: Path, keyword: str, value: Json, draft: Dialect) -> Iterator[Trouble]:
    want = _wanted(keyword, value)
    if want:
        message = f"is {shown(value)}; {want} is wanted"
        yield Trouble(codes.MALFORMED, (*path, keyword), message, shown(value), want)
        return
    if keyword == "items" and isinstance(value, list) and "prefixItems" in draft.keywords:
        message = f"is an array, which {draft.name} spells prefixItems"
        yield Trouble(codes.OLD_FORM, (*path, keyword), message, "an array", "a schema")
    patterns = [value] if keyword == "pattern" else [*as_map(value)] if keyword == "patternProperties" else []
    for pattern in patterns:
        if isinstance(pattern, str):
            yield from _pattern(path, keyword, pattern)


def _pattern(path: Path, keyword: str, pattern: str) -> Iterator[Trouble]:
    place = (*path, keyword) if keyword == "pattern" else (*path, keyword, pattern)
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        yield Trouble(
            codes.PATTERN, place, f"is {shown(pattern)}, which Python cannot read: {error}", pattern
        )


def _wanted(keyword: str, value: Json) -> str:
    """What the value of a keyword should be, in words; empty where it is that."""
    test, words = _FORMS.get(keyword, (_anything, ""))
    return "" if test(value) else words


def _anything(value: Json) -> bool:
    return True


def _schema(value: Json) -> bool:
    return isinstance(value, dict | bool)


def _schemas(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_schema, value))


def _schema_map(value: Json) -> bool:
    return isinstance(value, dict) and all(map(_schema, value.values()))


def _text(value: Json) -> bool:
    return isinstance(value, str)


def _texts(value: Json) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _count(value: Json) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and value == value // 1
    )


def _type(value: Json) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


_Form = tuple[Callable[[Json], bool], str]

_FORMS: Mapping[str, _Form] = {
    **dict.fromkeys(SINGLE, (_schema, "a schema")),
    **dict.fromkeys(LISTS, (_schemas, "an array of schemas")),
    **dict.fromkeys(MAPS, (_schema_map, "an object of schemas")),
    **dict.fromkeys(_COUNTS, (_count, "a whole number of 0 or more")),
    **dict.fromkeys(_NUMBERS, (lambda value: isinstance(value, int | float), "a number")),
    **dict.fromkeys(REFERENCES, (_text, "a string")),
    "items": (
        lambda value: _schema(value) or (isinstance(value, list) and all(map(_schema, value))),
        "a schema",
    ),
    "dependencies": (
        lambda value: isinstance(value, dict) and all(_schema(v) or _texts(v) for v in value.values()),
        "an object of schemas or arrays of names",
    ),
    "dependentRequired": (
        lambda value: isinstance(value, dict) and all(map(_texts, value.values())),
        "an object of arrays of names",
    ),
    "enum": (lambda value: isinstance(value, list), "an array"),
    "multipleOf": (
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value > 0,
        "a number above 0",
    ),
    "pattern": (_text, "a string"),
    "required": (_texts, "an array of names"),
    "type": (_type, "one of " + ", ".join(sorted(_TYPES)) + ", or an array of them,"),
    "uniqueItems": (lambda value: isinstance(value, bool), "true or false"),
}


def _leads(root: Node, path: Path, node: Node, found: Index) -> Iterator[Trouble]:
    for keyword in REFERENCES:
        target = node.get(keyword)
        if not isinstance(target, str) or located(root, path, target, found) is not None:
            continue
        if target.startswith("#"):
            yield Trouble(
                codes.REFERENCE_BROKEN,
                (*path, keyword),
                f"refers to {shown(target)}, which is not there",
                target,
            )
        else:
            message = f"refers to {shown(target)}; a definition in the same schema (#/$defs/...) is wanted"
            yield Trouble(codes.REFERENCE_REMOTE, (*path, keyword), message, target)
    dynamic = node.get("$dynamicRef")
    if isinstance(dynamic, str) and _anchored(root, dynamic) > 1:
        message = f"refers to {shown(dynamic)}, which stands for several schemas"
        yield Trouble(codes.UNSUPPORTED, (*path, "$dynamicRef"), message, dynamic)


def _endless(root: Node, found: Index) -> Iterator[Trouble]:
    """References that lead back to where they stand through schemas of the same value only."""
    leads: dict[Path, list[Path]] = {}
    for path, node in walk(root):
        if isinstance(node, dict):
            leads[path] = [path + step for step, _ in subschemas(node) if step[0] in _SAME_VALUE]
            targets = (node.get(keyword) for keyword in REFERENCES)
            found_leads = (
                located(root, path, target, found) for target in targets if isinstance(target, str)
            )
            leads[path] += [lead for lead in found_leads if lead is not None]
    done: set[Path] = set()
    for start in leads:
        circle = _circle(start, leads, done)
        if circle is not None:
            yield Trouble(codes.ENDLESS, circle, "leads back to itself, so no value can ever be judged")


def _circle(start: Path, leads: Mapping[Path, list[Path]], done: set[Path]) -> Path | None:
    """A schema that leads to itself, reached from `start`; searched without recursion. `done` is filled."""
    trail: dict[Path, None] = {}
    waiting: list[tuple[Path, bool]] = [(start, True)]
    while waiting:
        path, entering = waiting.pop()
        if not entering:
            done.add(trail.popitem()[0])
        elif path in trail:
            done.update(trail)
            return path
        elif path not in done:
            trail[path] = None
            waiting.append((path, False))
            waiting += [(lead, True) for lead in leads.get(path, ())]
    return None


def _anchored(root: Node, target: str) -> int:
    name = target.rpartition("#")[2]
    return sum(isinstance(node, dict) and node.get("$dynamicAnchor") == name for _, node in walk(root))


def _unevaluated(root: Node, path: Path, node: Node, found: Index) -> Iterator[Trouble]:
    for keyword in ("unevaluatedItems", "unevaluatedProperties"):
        if keyword in node and node[keyword] is not True:
            beside = _branching(root, path, node, found, frozenset())
            if beside:
                message = f"stands beside {beside}, so no one type says which properties are left over"
                yield Trouble(codes.UNSUPPORTED, (*path, keyword), message, keyword)


def _branching(root: Node, path: Path, node: Json, found: Index, seen: frozenset[Path]) -> str:
    """The keyword that makes it depend on the value what `node` evaluates; empty where there is none."""
    if not isinstance(node, dict) or path in seen:
        return ""
    for keyword in _BESIDE:
        if keyword in node:
            return keyword
    seen |= {path}
    parts: list[tuple[Path, Json]] = [
        ((*path, "allOf", str(place)), part) for place, part in enumerate(nodes(node, "allOf"))
    ]
    target = node.get("$ref")
    lead = located(root, path, target, found) if isinstance(target, str) else None
    if lead is not None:
        parts.append((lead, value_at(root, lead)))
    if parts and "patternProperties" in node:
        return "patternProperties"
    return next(filter(None, (_branching(root, place, part, found, seen) for place, part in parts)), "")

"""Violates one keyword: narrows a shape to values that the keyword rejects."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.document import Edge
from mcp_lockstep.schema.instances.keywords import dependencies_of, kinds_of, number_of
from mcp_lockstep.schema.instances.narrowing import Narrowing
from mcp_lockstep.schema.instances.shape import (
    ContainsRule,
    FieldRule,
    NewName,
    Shape,
    Span,
    Want,
    exact_decimal,
)
from mcp_lockstep.schema.instances.values import KINDS, NUMERIC, DeadEnd, Kind
from mcp_lockstep.schema.values import REFERENCES, Json

MOST_CHARACTERS = 100_000
MOST_ITEMS = 2_000
MOST_PROPERTIES = 2_000


class Flip(NamedTuple):
    """The keyword to violate. `entry` picks one of its names and `variant` one of the ways (None: any)."""

    pointer: str
    fields: dict[str, Json]
    keyword: str
    value: Json
    entry: int | None
    variant: int | None


def _edges(reader: Narrowing, flip: Flip) -> list[Edge]:
    return [edge for edge in reader.schemas.edges(flip.pointer) if edge.keyword == flip.keyword]


def _edge(reader: Narrowing, flip: Flip, keyword: str) -> Edge:
    edge = reader.schemas.edge(flip.pointer, keyword)
    if edge is None:
        raise DeadEnd(f"{keyword} cannot be followed")
    return edge


def _type(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    admitted = kinds_of(flip.value)
    others: list[Kind] = [kind for kind in shape.kinds if kind not in admitted]
    if shape.force:
        others = others or [kind for kind in KINDS if kind not in admitted]
    if not others:
        raise DeadEnd("no other type is left")
    if flip.variant is not None:
        # Types that some alternative beside the broken one may admit come up in turn as well.
        others = [others[flip.variant % len(others)]]
    shape.only(others)


def _enum(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    shape.bar(flip.value if isinstance(flip.value, list) else [])


def _const(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    shape.bar([flip.value])


def _bound(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    if isinstance(flip.value, bool) or not isinstance(flip.value, int | float):
        raise DeadEnd(f"{flip.keyword} is not a number")
    shape.only(NUMERIC)
    narrow = shape.below if flip.keyword in ("minimum", "exclusiveMinimum") else shape.above
    narrow(Fraction(flip.value), bound_excluded=not flip.keyword.startswith("exclusive"))
    shape.only(NUMERIC)


def _multiple(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    factor = exact_decimal(flip.value)
    if not factor:
        raise DeadEnd("multipleOf is not a number")
    shape.only(NUMERIC)
    shape.off_factors.append(factor)


MINIMA: dict[str, tuple[Span, Kind]] = {
    "minLength": ("length", "string"),
    "minItems": ("count", "array"),
    "minProperties": ("size", "object"),
}
MAXIMA: dict[str, tuple[Span, Kind, int]] = {
    "maxLength": ("length", "string", MOST_CHARACTERS),
    "maxItems": ("count", "array", MOST_ITEMS),
    "maxProperties": ("size", "object", MOST_PROPERTIES),
}


def _minimum(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    span, kind = MINIMA[flip.keyword]
    if number_of(flip.value) <= 0:
        raise DeadEnd("it holds for every value")
    shape.only((kind,))
    shape.narrow(span, 0, number_of(flip.value) - 1)


def _maximum(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    span, kind, most = MAXIMA[flip.keyword]
    if number_of(flip.value) >= most:
        raise DeadEnd(f"a value past {flip.keyword} {number_of(flip.value)} is larger than is made here")
    shape.only((kind,))
    shape.narrow(span, number_of(flip.value) + 1, None)


def _pattern(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    unreadable = reader.schemas.unreadable.get(f"{flip.pointer}/pattern")
    if unreadable:
        raise DeadEnd(unreadable)
    shape.only(("string",))
    shape.off_patterns.append(reader.schemas.regex(str(flip.value)))


def _unique(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    del reader
    if flip.value is not True:
        raise DeadEnd("it holds for every value")
    shape.only(("array",))
    shape.narrow("count", 2, None)
    shape.repeated = True


def _required(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    names = [str(name) for name in flip.value] if isinstance(flip.value, list) else []
    if not names:
        raise DeadEnd("it holds for every value")
    shape.forbid(names[flip.entry] if flip.entry is not None else reader.dice.pick(names))


def _dependent_names(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    pairs = dependencies_of(flip.value)
    edges = _edges(reader, flip)
    if flip.entry is None and edges and (not pairs or reader.dice.chance(0.5)):
        edge = reader.dice.pick(edges)
        shape.require(str(edge.key))
        reader.add(shape, Want(edge.target, negative=True))
        return
    if not pairs:
        raise DeadEnd("it holds for every value")
    name, other = pairs[flip.entry] if flip.entry is not None else reader.dice.pick(pairs)
    shape.require(name)
    shape.forbid(other)


def _properties(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    edges = _edges(reader, flip)
    if not edges:
        raise DeadEnd("it holds for every value")
    edge = reader.dice.pick([edge for edge in edges if edge.key in shape.required] or edges)
    shape.require(str(edge.key))
    shape.field_wants.append((str(edge.key), Want(edge.target, negative=True)))


def _pattern_properties(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    edges = _edges(reader, flip)
    if not edges:
        raise DeadEnd("it holds for every value")
    edge = reader.dice.pick(edges)
    shape.only(("object",))
    wants = (Want(edge.target, negative=True),)
    shape.new_names.append(NewName(pattern=reader.schemas.regex(str(edge.key)), value_wants=wants))


def _additional(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    names = {
        str(e.key): Want(e.target) for e in reader.schemas.edges(flip.pointer) if e.keyword == "properties"
    }
    patterns = tuple(
        (reader.schemas.regex(str(e.key)), Want(e.target))
        for e in reader.schemas.edges(flip.pointer)
        if e.keyword == "patternProperties"
    )
    shape.only(("object",))
    wants = () if flip.value is False else (Want(_edge(reader, flip, flip.keyword).target, negative=True),)
    shape.new_names.append(NewName(outside=FieldRule(names, patterns, None), value_wants=wants))


def _late_fields(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    shape.only(("object",))
    wants = () if flip.value is False else (Want(_edge(reader, flip, flip.keyword).target, negative=True),)
    shape.new_names.append(NewName(value_wants=wants))


def _property_names(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    shape.only(("object",))
    want = Want(_edge(reader, flip, flip.keyword).target, negative=True)
    shape.new_names.append(NewName(name_wants=(want,)))


def _items(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    edges = _edges(reader, flip)
    shape.only(("array",))
    edge = reader.dice.pick(edges) if edges else None
    if edge is None:
        raise DeadEnd("it holds for every value")
    leading = flip.fields.get("items" if flip.keyword == "additionalItems" else "prefixItems")
    first = len(leading) if isinstance(leading, list) else 0
    index = edge.key if isinstance(edge.key, int) else first
    shape.narrow("count", index + 1, None)
    if reader.schemas.at(edge.target) is not False:
        shape.item_wants.append((index, Want(edge.target, negative=True)))


def _late_items(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    shape.only(("array",))
    index = max([0, *(len(rule.leading) for rule in shape.item_rules)])
    shape.narrow("count", index + 1, None)
    if flip.value is not False:
        shape.item_wants.append((index, Want(_edge(reader, flip, flip.keyword).target, negative=True)))


def _contains(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    if flip.fields.get("minContains") == 0:
        raise DeadEnd("it holds for every value")
    shape.only(("array",))
    shape.contains.append(ContainsRule(_edge(reader, flip, "contains").target, 0, 0))


def _contains_count(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    target = _edge(reader, flip, "contains").target
    count = number_of(flip.value)
    shape.only(("array",))
    if flip.keyword == "maxContains":
        shape.contains.append(ContainsRule(target, count + 1, None))
    elif count < 2:
        raise DeadEnd("it holds for every value that satisfies contains")
    else:
        shape.contains.append(ContainsRule(target, count - 1, count - 1))


def _not(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    reader.add(shape, Want(_edge(reader, flip, "not").target))


def _all(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    edges = _edges(reader, flip)
    if not edges:
        raise DeadEnd("it holds for every value")
    reader.add(shape, Want(reader.dice.pick(edges).target, negative=True))


def _any(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    for edge in _edges(reader, flip):
        reader.add(shape, Want(edge.target, negative=True))


def _one(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    edges = _edges(reader, flip)
    both = len(edges) > 1 and (flip.variant % 2 == 1 if flip.variant is not None else reader.dice.chance(0.2))
    if not both:
        _any(reader, shape, flip)
        return
    for edge in reader.dice.shuffled(edges)[:2]:
        reader.add(shape, Want(edge.target))


def _if(reader: Narrowing, shape: Shape, flip: Flip) -> None:
    options = [keyword for keyword in ("then", "else") if reader.schemas.edge(flip.pointer, keyword)]
    if not options:
        raise DeadEnd("it holds for every value")
    chosen = reader.dice.pick(options)
    reader.add(shape, Want(_edge(reader, flip, "if").target, negative=chosen == "else"))
    reader.add(shape, Want(_edge(reader, flip, chosen).target, negative=True))


FLIPS: dict[str, Callable[[Narrowing, Shape, Flip], None]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _bound),
    "multipleOf": _multiple,
    **dict.fromkeys(MINIMA, _minimum),
    **dict.fromkeys(MAXIMA, _maximum),
    "pattern": _pattern,
    "uniqueItems": _unique,
    "required": _required,
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "dependencies"), _dependent_names),
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "unevaluatedProperties": _late_fields,
    "propertyNames": _property_names,
    **dict.fromkeys(("items", "prefixItems", "additionalItems"), _items),
    "unevaluatedItems": _late_items,
    "contains": _contains,
    **dict.fromkeys(("minContains", "maxContains"), _contains_count),
    "not": _not,
    **dict.fromkeys(("allOf", *REFERENCES), _all),
    "anyOf": _any,
    "oneOf": _one,
    "if": _if,
}

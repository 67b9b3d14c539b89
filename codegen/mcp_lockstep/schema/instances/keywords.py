"""What each keyword asks of a value: one small function per keyword that narrows a shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.document import Edge, Schemas
from mcp_lockstep.schema.instances.narrowing import Narrowing
from mcp_lockstep.schema.instances.regex import Regex
from mcp_lockstep.schema.instances.shape import (
    ContainsRule,
    FieldRule,
    ItemRule,
    NewName,
    Route,
    Shape,
    Span,
    Union,
    Want,
    exact_decimal,
)
from mcp_lockstep.schema.instances.values import NUMERIC, TYPE_KINDS, DeadEnd, Kind, Position
from mcp_lockstep.schema.values import REFERENCES, Json

ENTRIES = ("required", "dependentRequired", "dependencies")
FIELD_KEYWORDS = ("properties", "patternProperties", "additionalProperties")
ITEM_KEYWORDS = ("items", "prefixItems", "additionalItems")
HANDLED_BROKEN = (*ENTRIES, "contains", *FIELD_KEYWORDS, *ITEM_KEYWORDS)
"""Keywords whose readers leave out the broken part themselves."""

DOMAINS: dict[str, tuple[Kind, ...]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), NUMERIC),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), ("string",)),
    **dict.fromkeys(
        ("minItems", "maxItems", "uniqueItems", "items", "prefixItems", "additionalItems"), ("array",)
    ),
    **dict.fromkeys(("contains", "minContains", "maxContains", "unevaluatedItems"), ("array",)),
    **dict.fromkeys(
        ("minProperties", "maxProperties", "required", "properties", "patternProperties"), ("object",)
    ),
    **dict.fromkeys(("additionalProperties", "propertyNames", "unevaluatedProperties"), ("object",)),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "dependencies"), ("object",)),
}
"""The kinds that a keyword says something about; keywords not listed apply to every value."""


class Here(NamedTuple):
    """One keyword of the schema at `pointer`; `step` and `rest` if the route goes on through it."""

    pointer: str
    fields: dict[str, Json]
    keyword: str
    value: Json
    route: Route | None
    broken: str
    entry: int

    @property
    def step(self) -> Edge | None:
        return self.route.steps[0] if self.route and self.route.steps else None

    def on_route(self, keyword: str) -> Edge | None:
        """The next step of the route if it goes through `keyword`."""
        return self.step if self.step and self.step.keyword == keyword else None

    def want(self, edge: Edge) -> Want:
        """The subschema behind an edge, with the rest of the route if it leads there."""
        if self.route and self.step == edge:
            return Want(edge.target, Route(self.route.steps[1:], self.route.aim))
        return Want(edge.target)


def number_of(value: Json, default: int = 0) -> int:
    """A count in a schema as a whole number."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


def kinds_of(value: Json) -> tuple[Kind, ...]:
    """The kinds that a `type` keyword admits."""
    names = value if isinstance(value, list) else [value]
    return tuple(kind for name in names if isinstance(name, str) for kind in TYPE_KINDS.get(name, ()))


def positions_of(pointer: str, keyword: str, value: Json) -> Iterator[Position]:
    """The positions of one keyword: itself, or each entry of its lists of names."""
    base = f"{pointer}/{escape_part(keyword)}"
    if keyword == "required" and isinstance(value, list):
        yield from (Position(f"{base}/{index}", keyword) for index in range(len(value)))
    elif keyword in ENTRIES and isinstance(value, dict):
        for name, names in value.items():
            entries = range(len(names)) if isinstance(names, list) else range(0)
            yield from (Position(f"{base}/{escape_part(name)}/{index}", keyword) for index in entries)
    else:
        yield Position(base, keyword)


def _type(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    shape.only(kinds_of(here.value))


def _enum(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    if isinstance(here.value, list):
        shape.among(here.value)


def _const(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    shape.among([here.value])


def _bound(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    if isinstance(here.value, bool) or not isinstance(here.value, int | float):
        return
    narrow = shape.above if here.keyword in ("minimum", "exclusiveMinimum") else shape.below
    narrow(Fraction(here.value), bound_excluded=here.keyword.startswith("exclusive"))


def _multiple(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    factor = exact_decimal(here.value)
    if factor:
        shape.factors.append(factor)


SPANS: dict[str, tuple[Span, bool]] = {
    "minLength": ("length", True),
    "maxLength": ("length", False),
    "minItems": ("count", True),
    "maxItems": ("count", False),
    "minProperties": ("size", True),
    "maxProperties": ("size", False),
}


def _span(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    span, least = SPANS[here.keyword]
    limit = number_of(here.value)
    shape.narrow(span, limit if least else 0, None if least else limit)


def _pattern(reader: Narrowing, shape: Shape, here: Here) -> None:
    if f"{here.pointer}/pattern" in reader.schemas.unreadable:
        shape.only([kind for kind in shape.kinds if kind != "string"])
    else:
        shape.patterns.append(reader.schemas.regex(str(here.value)))


def _format(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    shape.formats.append(str(here.value))


def _unique(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    shape.unique = shape.unique or here.value is True


def _required(reader: Narrowing, shape: Shape, here: Here) -> None:
    del reader
    names = here.value if isinstance(here.value, list) else []
    for index, name in enumerate(names):
        if here.broken != "required" or index != here.entry:
            _require_if_object(shape, str(name))


def _require_if_object(shape: Shape, name: str) -> None:
    if name in shape.absent:
        shape.only([kind for kind in shape.kinds if kind != "object"])
    shape.required[name] = None


def _fields(reader: Narrowing, shape: Shape, here: Here) -> None:
    if here.keyword != next(keyword for keyword in FIELD_KEYWORDS if keyword in here.fields):
        return
    rule = field_rule(reader.schemas, here)
    shape.field_rules.append(rule)
    step = here.step
    if step is None or step.keyword not in FIELD_KEYWORDS:
        return
    shape.only(("object",))
    if step.keyword == "properties":
        shape.require(str(step.key))
    elif step.keyword == "patternProperties":
        shape.new_names.append(NewName(pattern=reader.schemas.regex(str(step.key))))
    else:
        shape.new_names.append(NewName(outside=rule))


def field_rule(schemas: Schemas, here: Here) -> FieldRule:
    """What a schema says about the properties of an object."""
    names: dict[str, Want] = {}
    patterns: list[tuple[Regex, Want]] = []
    rest: Want | None = None
    for edge in schemas.edges(here.pointer):
        if edge.keyword == "properties":
            names[str(edge.key)] = here.want(edge)
        elif edge.keyword == "patternProperties":
            patterns.append((schemas.regex(str(edge.key)), here.want(edge)))
        elif edge.keyword == "additionalProperties" and here.broken != "additionalProperties":
            rest = here.want(edge)
    return FieldRule(names, tuple(patterns), rest)


def _items(reader: Narrowing, shape: Shape, here: Here) -> None:
    if here.keyword != next(keyword for keyword in ITEM_KEYWORDS if keyword in here.fields):
        return
    leading: list[Want] = []
    rest: Want | None = None
    for edge in reader.schemas.edges(here.pointer):
        if edge.keyword not in ITEM_KEYWORDS or edge.keyword == here.broken:
            continue
        if edge.key is not None:
            leading.append(here.want(edge))
        elif edge.keyword == "items" or isinstance(here.fields.get("items"), list):
            rest = here.want(edge)
    if rest and reader.schemas.at(rest.pointer) is False:
        shape.narrow("count", 0, len(leading))
        rest = None
    shape.item_rules.append(ItemRule(tuple(leading), rest))
    step = here.step
    if step and step.keyword in ITEM_KEYWORDS:
        shape.only(("array",))
        shape.narrow("count", (step.key if isinstance(step.key, int) else len(leading)) + 1, None)


def _contains(reader: Narrowing, shape: Shape, here: Here) -> None:
    edge = reader.schemas.edge(here.pointer, "contains")
    if edge is None or here.broken in ("contains", "minContains", "maxContains"):
        return
    low = number_of(here.fields.get("minContains"), 1)
    high = here.fields.get("maxContains")
    shape.contains.append(ContainsRule(edge.target, low, None if high is None else number_of(high)))


def _names(reader: Narrowing, shape: Shape, here: Here) -> None:
    edge = reader.schemas.edge(here.pointer, "propertyNames")
    if edge is None:
        return
    want = here.want(edge)
    if want.route:
        shape.only(("object",))
        shape.new_names.append(NewName(name_wants=(want,)))
        if want.route.aim.mode == "break":
            return
    shape.name_wants.append(want.plain)


def _dependent(reader: Narrowing, shape: Shape, here: Here) -> None:
    broken = here.entry if here.broken == here.keyword else None
    for index, (name, other) in enumerate(dependencies_of(here.value)):
        if index != broken:
            shape.followers.append((name, other))
    for name in here.value if isinstance(here.value, dict) else {}:
        edge = reader.schemas.edge(here.pointer, here.keyword, name)
        if edge:
            if here.step == edge:
                shape.require(name)
            shape.follow_wants.append((name, here.want(edge)))


def dependencies_of(value: Json) -> list[tuple[str, str]]:
    """Each pair of a property and one that it calls for, in the order of the document."""
    groups = value.items() if isinstance(value, dict) else ()
    return [(name, str(other)) for name, others in groups if isinstance(others, list) for other in others]


def _all(reader: Narrowing, shape: Shape, here: Here) -> None:
    for edge in reader.schemas.edges(here.pointer):
        if edge.keyword == here.keyword:
            reader.add(shape, here.want(edge))


def _any(reader: Narrowing, shape: Shape, here: Here) -> None:
    edges = [edge for edge in reader.schemas.edges(here.pointer) if edge.keyword == here.keyword]
    step = here.on_route(here.keyword)
    breaking = here.route is not None and here.route.aim.mode == "break" and step is not None
    chosen = [step] if step else edges
    denied: list[tuple[str, ...]] = []
    for edge in chosen:
        others = tuple(other.target for other in edges if other != edge)
        denied.append(others if reader.strict and (breaking or here.keyword == "oneOf") else ())
    shape.unions.append(Union(tuple((here.want(edge),) for edge in chosen), tuple(denied)))


def _not(reader: Narrowing, shape: Shape, here: Here) -> None:
    edge = reader.schemas.edge(here.pointer, "not")
    if edge and here.pointer not in reader.schemas.false:
        shape.denials.append(edge.target)


def _if(reader: Narrowing, shape: Shape, here: Here) -> None:
    condition = reader.schemas.edge(here.pointer, "if")
    then, other = (reader.schemas.edge(here.pointer, keyword) for keyword in ("then", "else"))
    if condition is None or (then is None and other is None):
        return
    met = (Want(condition.target), *((here.want(then),) if then else ()))
    unmet = (Want(condition.target, negative=True), *((here.want(other),) if other else ()))
    if here.on_route("then"):
        shape.unions.append(Union((met,), ((),)))
    elif here.on_route("else"):
        shape.unions.append(Union((unmet,), ((),)))
    else:
        shape.unions.append(Union((met, unmet), ((), ())))


def _reference(reader: Narrowing, shape: Shape, here: Here) -> None:
    edge = reader.schemas.edge(here.pointer, here.keyword)
    if edge is None:
        raise DeadEnd(f"the reference {here.value} cannot be resolved here")
    reader.add(shape, here.want(edge))


def _unevaluated(reader: Narrowing, shape: Shape, here: Here) -> None:
    edge = reader.schemas.edge(here.pointer, here.keyword)
    if edge:
        late = shape.late_fields if here.keyword == "unevaluatedProperties" else shape.late_items
        late.append(Want(edge.target))


READERS: dict[str, Callable[[Narrowing, Shape, Here], None]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _bound),
    "multipleOf": _multiple,
    **dict.fromkeys(SPANS, _span),
    "pattern": _pattern,
    "format": _format,
    "uniqueItems": _unique,
    "required": _required,
    **dict.fromkeys(FIELD_KEYWORDS, _fields),
    **dict.fromkeys(ITEM_KEYWORDS, _items),
    "contains": _contains,
    "propertyNames": _names,
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "dependencies"), _dependent),
    "allOf": _all,
    "anyOf": _any,
    "oneOf": _any,
    "not": _not,
    "if": _if,
    **dict.fromkeys(REFERENCES, _reference),
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), _unevaluated),
}

"""Sets of arguments for one tool: every property there and absent, every bound met and passed, odd spellings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.document import Edge, Schemas
from mcp_lockstep.schema.instances.judge import Fault
from mcp_lockstep.schema.instances.keywords import number_of
from mcp_lockstep.schema.instances.maker import Coverage, Maker
from mcp_lockstep.schema.instances.names import NEW_NAMES
from mcp_lockstep.schema.instances.scalars import JSON_TEXTS, ODD_TEXTS
from mcp_lockstep.schema.instances.shape import Aim, Route
from mcp_lockstep.schema.instances.values import (
    DeadEnd,
    Dice,
    Path,
    Position,
    copied,
)
from mcp_lockstep.schema.values import Json, encoded

NUMBERS: tuple[Json, ...] = (0, 1, -1, 5, 5.0, 1e3, 0.5, 2**53 + 1, -(2**63) - 1, 10**20)
LONGEST = 20_000
MOST_REPEATED = 500
BROKEN_ROUNDS = 3


class ArgumentSet(NamedTuple):
    """Arguments for one call of a tool: `keyword` at `path` is what they exercise or, if not `valid`, break."""

    arguments: dict[str, Json]
    valid: bool
    keyword: str
    path: Path


class Spot(NamedTuple):
    """One part of valid arguments that can be replaced: where, in what, and the keywords that speak about it."""

    path: Path
    base: Json
    fields: tuple[dict[str, Json], ...]


class Candidate(NamedTuple):
    """A value to put at a spot, and what it tries."""

    label: str
    value: Json


def argument_sets(
    input_schema: Json,
    seed: int = 0,
    limit: int | None = None,
    coverage: Coverage | None = None,
) -> Iterator[ArgumentSet]:
    """Different argument sets for a tool with this input schema, valid and invalid; the same for the same seed.

    First the smallest and the fullest, one valid set per keyword and one with that keyword broken; then, spot by
    spot in turn, odd values (so a `limit` cuts the long tail). An invalid set breaks one keyword, and where no
    value breaks it alone also `enum` or `const` beside it; `coverage`, if given, is filled by the first part.
    Only objects come out, whatever the schema allows. Raises SchemaUnusable.
    """
    seen: dict[str, None] = {}
    for found in _all_sets(Maker(Schemas(input_schema), "", seed, coverage)):
        if limit is not None and len(seen) >= limit:
            return
        text = encoded(found.arguments)
        if text not in seen:
            seen[text] = None
            yield found


def _all_sets(maker: Maker) -> Iterator[ArgumentSet]:
    yield from _extremes(maker)
    spots: dict[Path, Spot] = {}
    yield from _each_schema(maker, spots)
    for broken in maker.broken(BROKEN_ROUNDS * len(maker.targets)):
        if isinstance(broken.value, dict):
            yield ArgumentSet(broken.value, False, broken.keyword, broken.instance_path)
    rows = [_tried(maker, spot) for spot in spots.values()]
    for column in zip_longest(*rows):
        yield from (found for found in column if found is not None)


def _extremes(maker: Maker) -> Iterator[ArgumentSet]:
    for label, fullness in (("required", 0.0), ("properties", 1.0), ("properties", 0.8)):
        value = _built(maker, label, None, fullness)
        if isinstance(value, dict) and maker.judge.accepts(value):
            yield ArgumentSet(value, True, label, ())
            for name in value if fullness else ():
                less = {key: part for key, part in value.items() if key != name}
                if maker.judge.accepts(less):
                    yield ArgumentSet(less, True, "required", (name,))


def _built(maker: Maker, label: str, route: Route | None, fullness: float) -> Json:
    for attempt in range(8):
        dice = Dice(maker.seed, "arguments", label, attempt)
        try:
            value = maker.build(dice, route, strict=attempt % 2 == 1, fullness=fullness).value
        except DeadEnd:
            continue
        if maker.judge.accepts(value):
            return value
    return None


def _each_schema(maker: Maker, spots: dict[Path, Spot]) -> Iterator[ArgumentSet]:
    for pointer, steps in maker.routes.items():
        if pointer in maker.schemas.false:
            continue
        found = _met(maker, pointer, steps)
        if found is None:
            continue
        value, path = found
        fields = maker.schemas.fields(pointer)
        spot = spots.get(path)
        is_name = any(step.keyword == "propertyNames" for step in steps)
        if not is_name:
            spots[path] = (
                spot._replace(fields=(*spot.fields, fields)) if spot else Spot(path, value, (fields,))
            )
        yield ArgumentSet(value, True, next(iter(fields), "type"), path)


def _met(maker: Maker, pointer: str, steps: tuple[Edge, ...]) -> tuple[dict[str, Json], Path] | None:
    route = Route(steps, Aim("meet", Position(pointer, "")))
    for attempt in range(10):
        dice = Dice(maker.seed, "arguments", pointer, attempt)
        try:
            # Little beside the part in question, so that each property is there on its own once.
            builder = maker.build(dice, route, strict=attempt % 2 == 1, fullness=0.0 if attempt < 4 else 0.5)
        except DeadEnd:
            continue
        value = builder.value
        if isinstance(value, dict) and builder.hit is not None and maker.judge.accepts(value):
            maker.coverage.valid.update(dict.fromkeys(builder.met, 1))
            return value, builder.hit
    return None


def _tried(maker: Maker, spot: Spot) -> Iterator[ArgumentSet]:
    for candidate in _candidates(spot):
        value = replaced(spot.base, spot.path, candidate.value)
        if not isinstance(value, dict):
            continue
        faults = maker.judge.faults(value)
        if not faults:
            yield ArgumentSet(value, True, candidate.label, spot.path)
        else:
            culprit = _culprit(faults)
            if culprit:
                yield ArgumentSet(value, False, culprit.position.keyword, culprit.path)


def _culprit(faults: tuple[Fault, ...]) -> Fault | None:
    # A wrong type fails the enumeration beside it as well; anything else that fails twice is no clean case.
    first = next((fault for fault in faults if fault.position.keyword == "type"), faults[0])
    beside = [fault for fault in faults if fault is not first]
    clean = all(fault.position.keyword in ("enum", "const") and fault.path == first.path for fault in beside)
    return first if clean else None


def _candidates(spot: Spot) -> Iterator[Candidate]:
    part = value_at(spot.base, spot.path)
    for fields in spot.fields:
        for keyword, value in fields.items():
            yield from (Candidate(keyword, tried) for tried in _for_keyword(keyword, value, part))
    yield from (Candidate("JSON in a string", text) for text in JSON_TEXTS)
    yield Candidate("null", None)
    yield from (Candidate("number", number) for number in NUMBERS)
    yield from (Candidate("empty", value) for value in _empties())
    yield from (Candidate("boolean", value) for value in (True, False))
    yield from (Candidate("odd string", text) for text in ODD_TEXTS)
    if isinstance(part, dict):
        yield from (Candidate("unknown key", {**part, name: 1}) for name in NEW_NAMES if name not in part)
    if isinstance(part, list):
        yield Candidate("array with null", [*part, None])


def _empties() -> tuple[Json, ...]:
    return "", [], {}


def _for_keyword(keyword: str, value: Json, part: Json) -> Iterator[Json]:
    match keyword:
        case "enum" if isinstance(value, list):
            yield from value
            yield from (
                near for member in value[:3] if isinstance(member, str) for near in _near_texts(member)
            )
        case "const":
            yield value
            yield from _near_texts(value) if isinstance(value, str) else ()
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf":
            yield from _around(value)
        case "minLength" | "maxLength":
            yield from ("x" * size for size in _sizes(value, LONGEST))
            yield from ("😀" * size for size in _sizes(value, 100))
        case "minItems" | "maxItems" | "uniqueItems":
            yield from _resized(value, part)
        case _:
            return


def _near_texts(member: str) -> Iterator[str]:
    yield from (
        near for near in (member.upper(), member.capitalize(), f" {member}", f"{member}\n") if near != member
    )


def _around(value: Json) -> Iterator[Json]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from (value, value - 1, value + 1, value * 2, value + 0.5)
        if abs(value) < 2**53:
            yield float(value)


def _sizes(value: Json, most: int) -> list[int]:
    limit = number_of(value)
    return [size for size in (limit, limit - 1, limit + 1) if 0 <= size <= most]


def _resized(value: Json, part: Json) -> Iterator[Json]:
    if not isinstance(part, list) or not part:
        return
    for size in _sizes(2 if isinstance(value, bool) else value, MOST_REPEATED):
        yield [copied(part[index % len(part)]) for index in range(size)]


def value_at(value: Json, path: Path) -> Json:
    """The part of `value` that `path` leads to; KeyError or IndexError where there is none."""
    for step in path:
        if isinstance(value, list) and isinstance(step, int):
            value = value[step]
        elif isinstance(value, dict):
            value = value[str(step)]
        else:
            raise KeyError(step)
    return value


def replaced(value: Json, path: Path, part: Json) -> Json:
    """A copy of `value` with `part` at `path`."""
    if not path:
        return copied(part)
    result = copied(value)
    parent = value_at(result, path[:-1])
    last = path[-1]
    if isinstance(parent, list) and isinstance(last, int):
        parent[last] = copied(part)
    elif isinstance(parent, dict):
        parent[str(last)] = copied(part)
    else:
        raise KeyError(last)
    return result

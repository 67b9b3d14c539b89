"""What can be told from a schema alone: which keywords and schemas reject nothing."""

from __future__ import annotations

from mcp_lockstep.schema.instances.document import Schemas
from mcp_lockstep.schema.instances.values import KINDS, TYPE_KINDS
from mcp_lockstep.schema.values import Json

DEEPEST = 8


def holds_always(schemas: Schemas, pointer: str, keyword: str, value: Json, depth: int = 0) -> bool:
    """Whether a keyword visibly rejects nothing: an empty bound, every type, an alternative without constraints."""
    match keyword:
        case "minLength" | "minItems" | "minProperties":
            return value == 0
        case "uniqueItems":
            return value is not True
        case "type":
            names = value if isinstance(value, list) else [value]
            return {kind for name in names for kind in TYPE_KINDS.get(str(name), ())} >= set(KINDS)
        case "anyOf":
            return any(
                accepts_all(schemas, e.target, depth + 1)
                for e in schemas.edges(pointer)
                if e.keyword == keyword
            )
        case "unevaluatedProperties" | "unevaluatedItems":
            return accepts_all(schemas, f"{pointer}/{keyword}", depth + 1)
        case "not":
            return any(e.target in schemas.false for e in schemas.edges(pointer) if e.keyword == keyword)
        case "contains" | "minContains" | "maxContains":
            return _contains_holds(schemas.fields(pointer), keyword)
        case _:
            return False


def _contains_holds(fields: dict[str, Json], keyword: str) -> bool:
    least = fields.get("minContains", 1)
    match keyword:
        case "contains":
            return least == 0
        case "minContains":
            # With one at least, a validator reports `contains` itself.
            return "contains" not in fields or (isinstance(least, int) and least < 2)
        case _:
            return "contains" not in fields


def accepts_all(schemas: Schemas, pointer: str, depth: int = 0) -> bool:
    """Whether a schema visibly accepts every value."""
    if schemas.at(pointer) is True:
        return True
    if schemas.at(pointer) is False or depth > DEEPEST:
        return False
    for keyword, value in schemas.fields(pointer).items():
        if keyword in ("$ref", "allOf"):
            edges = [edge for edge in schemas.edges(pointer) if edge.keyword == keyword]
            if not edges or not all(accepts_all(schemas, edge.target, depth + 1) for edge in edges):
                return False
        elif keyword != "format" and not holds_always(schemas, pointer, keyword, value, depth):
            return False
    return True

"""What each draft of JSON Schema takes as a keyword."""

from __future__ import annotations

import re

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import Json

_CORE = frozenset("$anchor $defs $id $ref $schema default definitions description id title".split())

_DRAFT_4 = _CORE | frozenset(
    "additionalItems additionalProperties allOf anyOf dependencies enum exclusiveMaximum exclusiveMinimum "
    "items maxItems maxLength maxProperties maximum minItems minLength minProperties minimum multipleOf not "
    "oneOf pattern patternProperties properties required type uniqueItems".split()
)
_DRAFT_6 = _DRAFT_4 | {"const", "contains", "propertyNames"}
_DRAFT_7 = _DRAFT_6 | {"if", "then", "else"}
_DRAFT_2019 = (_DRAFT_7 - {"dependencies"}) | frozenset(
    "$recursiveAnchor $recursiveRef dependentRequired dependentSchemas maxContains minContains "
    "unevaluatedItems unevaluatedProperties".split()
)
_DRAFT_2020 = (_DRAFT_2019 - {"$recursiveAnchor", "$recursiveRef"}) | {
    "$dynamicAnchor",
    "$dynamicRef",
    "prefixItems",
}

ANNOTATIONS = frozenset(
    "$comment contentEncoding contentMediaType contentSchema deprecated examples format readOnly writeOnly "
    "$vocabulary".split()
)
"""Known keywords that never refuse a value. `format` is one here and in the runtime of generated servers."""


class Dialect(NamedTuple):
    """One draft: the keywords that it knows and whether a `$ref` stands alone."""

    name: str
    keywords: frozenset[str]
    ref_alone: bool = False


DRAFT_2020 = Dialect("2020-12", _DRAFT_2020)

DIALECTS: tuple[Dialect, ...] = (
    Dialect("draft-03", _DRAFT_4, ref_alone=True),
    Dialect("draft-04", _DRAFT_4, ref_alone=True),
    Dialect("draft-06", _DRAFT_6, ref_alone=True),
    Dialect("draft-07", _DRAFT_7, ref_alone=True),
    Dialect("2019-09", _DRAFT_2019),
    DRAFT_2020,
)


def dialect_of(schema: Json) -> Dialect:
    """The draft that a `$schema` names; 2020-12 where it names none or an unknown one."""
    if isinstance(schema, str):
        found = re.search(r"json-schema\.org/(draft-0[3467]|draft/(20\d\d-\d\d))", schema)
        if found:
            name = found[2] or found[1]
            return next((d for d in DIALECTS if d.name == name), DRAFT_2020)
    return DRAFT_2020

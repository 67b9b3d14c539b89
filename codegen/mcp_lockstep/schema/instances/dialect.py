"""What the validator of a dialect looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import Json

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

IMPLICIT = {"if": ("then", "else"), "contains": ("minContains", "maxContains")}


class Dialect(NamedTuple):
    """What a JSON Schema dialect knows: its validator class, its keywords, whether `$ref` hides its siblings."""

    validator: type[Validator]
    keywords: frozenset[str]
    lone_references: bool


def dialect_of(root: Json) -> Dialect:
    """The dialect that `$schema` names, 2020-12 where it names none or an unknown one."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    chosen: type[Validator] = Draft202012Validator
    if isinstance(root, dict) and isinstance(root.get("$schema"), str):
        chosen = validator_for(root, default=Draft202012Validator)
    known = dict.fromkeys(chosen.VALIDATORS)
    modern = "unevaluatedItems" in known
    for keyword, more in IMPLICIT.items():
        if keyword in known and (modern or keyword == "if"):
            known.update(dict.fromkeys(more))
    if "prefixItems" in known:
        known.pop("additionalItems", None)
    return Dialect(chosen, frozenset(known), not modern)

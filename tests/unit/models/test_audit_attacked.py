"""Passes that lose a keyword, on purpose: the audit notices, and the module refuses what the keyword refuses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fidelity import Models
from mcp_lockstep.schema import pipeline
from mcp_lockstep.schema.instances import Schemas, broken_instances
from mcp_lockstep.schema.passes import PASSES, Pass
from mcp_lockstep.schema.passes.booleans import booleans
from mcp_lockstep.schema.values import Json, Node, within_definitions
from tally import TALLY

SCHEMA: Node = {
    "type": "object",
    "required": ["text"],
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a"},
        "count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2},
        "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "multipleOf": 0.25},
        "list": {
            "type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 3, "uniqueItems": True,
            "contains": {"const": "a"},
        },
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}], "items": False},
        "map": {
            "type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1, "maxProperties": 3,
            "propertyNames": {"maxLength": 3}, "patternProperties": {"^z": {"minimum": 5}},
        },
        "dependent": {
            "type": "object", "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}},
        },
        "one": {"oneOf": [{"type": "number"}, {"type": "integer", "minimum": 3}]},
        "some": {"anyOf": [{"$ref": "#/$defs/Inner"}, {"type": "null"}]},
        "both": {"allOf": [{"$ref": "#/$defs/Inner"}, {"properties": {"b": {"type": "null"}}}]},
        "not": {"type": "string", "not": {"const": "latest"}},
        "if": {"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "integer"}},
        "const": {"const": {"a": 1}},
        "beside": {"type": "string", "anyOf": [{"pattern": "a"}, {"minLength": 4}]},
    },
    "additionalProperties": False,
    "$defs": {"Inner": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}},
}  # fmt: skip
KEYWORDS = (
    "$ref additionalProperties allOf anyOf const contains dependentRequired dependentSchemas else enum "
    "exclusiveMaximum exclusiveMinimum if items maxItems maxLength maxProperties maximum minItems minLength "
    "minProperties minimum multipleOf not oneOf pattern patternProperties prefixItems properties propertyNames "
    "required then type uniqueItems x-rules"
).split()
AUDITED = [place for place in range(len(PASSES)) if place > PASSES.index(booleans)]
BROKEN = [broken.value for broken in broken_instances(SCHEMA, Schemas(SCHEMA))]


def losing(keyword: str, change: Pass) -> Pass:
    """A pass that does its work and loses a keyword, even in rules."""

    def without(node: Node) -> Node:
        return {key: value for key, value in node.items() if key != keyword}

    return lambda document: within_definitions(change(document), without)


def test_the_instances_break_every_keyword() -> None:
    broken = {
        part for one in broken_instances(SCHEMA, Schemas(SCHEMA)) for part in one.position.pointer.split("/")
    }
    assert {*KEYWORDS} - {"$ref", "x-rules"} <= broken
    assert len(BROKEN) > 40


def taken() -> Iterator[Json]:
    """What the module takes though the schema refuses it."""
    models = Models(SCHEMA)
    yield from (value for value in BROKEN if models.verdict("", value, valid=False) == "accepted")


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_a_lost_keyword_is_still_obeyed(keyword: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in AUDITED:
        passes = [losing(keyword, change) if at == place else change for at, change in enumerate(PASSES)]
        monkeypatch.setattr(pipeline, "PASSES", tuple(passes))
        assert [*taken()] == [], PASSES[place].__name__
        TALLY["audit: keywords lost by a pass and still obeyed"] += 1

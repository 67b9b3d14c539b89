"""What is added to a schema renames nothing of what was there."""

from __future__ import annotations

from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_lockstep.models.plan import plan
from mcp_lockstep.models.support import RESERVED
from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.pipeline import normalised
from mcp_lockstep.schema.values import Node

WORDS = st.sampled_from("items options error data mode units place Meta context settings".split())
LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [{"type": "string"}, {"enum": ["a", "b"]}, {"enum": ["b", "c"]}, {"const": "x"}]
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    properties = st.dictionaries(WORDS, inner, min_size=1, max_size=3)
    shape = properties.map(lambda found: {"type": "object", "properties": found})
    return shape | st.lists(shape, min_size=2, max_size=2).map(lambda found: {"anyOf": found})


SHAPES = objects(st.recursive(LEAVES, objects, max_leaves=6))
DEFINITIONS = st.dictionaries(
    st.sampled_from("Alpha Beta Error Gamma Items Request Request2".split()), SHAPES
)


def named(definitions: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """The fields of each class and the text of each alias, by name."""
    part = Part("Root", "", cast("Node", {"$defs": definitions}))
    made = plan(normalised(bundle([part], reserved=RESERVED, keep="all")))
    classes = {cls.name: tuple(field.wire for field in cls.fields) for cls in made.classes}
    return classes | {alias.name: (str(alias.node),) for alias in made.aliases}


@settings(max_examples=60, deadline=None)
@given(DEFINITIONS, SHAPES)
def test_a_further_definition_renames_nothing(definitions: dict[str, Any], added: Any) -> None:
    before, after = named(definitions), named({**definitions, "Zeta": added})
    assert {name: after.get(name) for name in before} == before


@settings(max_examples=60, deadline=None)
@given(DEFINITIONS, st.sampled_from("quick slow".split()), LEAVES | SHAPES)
def test_a_further_property_of_its_own_name_renames_nothing(
    definitions: dict[str, Any], key: str, added: Any
) -> None:
    fresh = {"type": "object", "properties": {f"{key}Of{name}": value for name, value in _parts(added)}}
    base = {"type": "object", "properties": {"plain": {"type": "string"}}}
    more = {"type": "object", "properties": {"plain": {"type": "string"}, key: fresh}}
    before, after = named({**definitions, "Zone": base}), named({**definitions, "Zone": more})
    assert {name: after.get(name) for name in before if name != "Zone"} == {
        name: fields for name, fields in before.items() if name != "Zone"
    }
    assert after["Zone"] == ("plain", key)


def _parts(added: Any) -> list[tuple[str, Any]]:
    return [("First", added), ("Second", {"enum": ["only", "here"]})]

from __future__ import annotations

from mcp_lockstep.schema.passes.hoist import hoist
from mcp_lockstep.schema.values import Json, Node


def thing(**properties: Json) -> Node:
    return {"type": "object", "properties": {"x": {"type": "string"}, **properties}}


def names(node: Node, **others: Node) -> list[str]:
    found = hoist({"$defs": {"A": node, **others}, "x-resources": {"A": "Do"}})["$defs"]
    assert isinstance(found, dict)
    return [name for name in found if name not in {"A", *others}]


def test_the_property_names_the_class() -> None:
    given = thing(
        location=thing(), units={"enum": ["c", "f"]}, cities={"type": "array", "items": thing(y={})}
    )
    assert names(given) == ["City", "Location", "Units"]


def test_items_values_and_nullable_ones() -> None:
    given = thing(
        data={"type": "array", "items": thing(a={})},
        table={"type": "object", "additionalProperties": thing(b={})},
        spot={"anyOf": [thing(c={}), {"type": "null"}]},
    )
    assert names(given) == ["DataItem", "Spot", "TableValue"]


def test_equal_shapes_of_one_name_are_shared_and_others_get_more_words() -> None:
    same = thing(a=thing(units={"enum": ["c", "f"]}), units={"enum": ["c", "f"]})
    assert names(same) == ["DoA", "Units"]
    other = thing(left=thing(mode={"enum": ["a", "b"]}), right=thing(mode={"enum": ["c", "d"]}))
    assert names(other) == ["Left", "LeftMode", "Right", "RightMode"]


def test_a_good_title_comes_first_and_a_bad_one_never() -> None:
    assert names(thing(a={**thing(), "title": "Place"}, b={**thing(), "title": "1 place"})) == ["B", "Place"]


def test_a_class_is_never_called_like_a_field() -> None:
    assert names(thing(Color={"enum": ["r", "g"]})) == ["DoColor"]


def test_alternatives_are_told_apart_by_a_constant_or_a_property() -> None:
    tagged = [thing(kind={"const": "cat"}), thing(kind={"const": "dog"})]
    assert names(thing(pet={"anyOf": [*tagged]})) == ["CatPet", "DogPet"]
    keyed = [thing(url={}), thing(path={})]
    assert names(thing(source={"anyOf": [*keyed]})) == ["PathSource", "UrlSource"]


def test_texts_stay_where_the_class_is_used() -> None:
    found = hoist({"$defs": {"A": thing(place={**thing(), "description": "d", "default": {}})}})["$defs"]
    assert isinstance(found, dict)
    assert found["A"] == thing(place={"description": "d", "default": {}, "$ref": "#/$defs/Place"})
    assert found["Place"] == thing()


def test_deep_nesting_costs_little() -> None:
    node = thing()
    for _ in range(40):
        node = thing(inner=node)
    assert len(names(node)) == 40

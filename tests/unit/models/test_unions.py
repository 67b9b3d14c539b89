from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from generated_modules import loaded
from mcp_lockstep.models import ModelOptions, generate_models
from mcp_lockstep.schema.instances import broken_instances, valid_instances
from mcp_lockstep.schema.values import Json, same


def shape(required: list[str] | None = None, **properties: Json) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": {**properties},
        "required": [*(properties if required is None else required)],
    }


def text(value: str) -> Json:
    return {"type": "string", "const": value}


def union(*parts: Json) -> dict[str, Json]:
    return {"anyOf": [*parts]}


TAGGED: dict[str, Json] = {
    "Bee": text("b"),
    "A": shape(["kind"], kind=text("a"), x={"type": "integer"}),
    "B": shape(["kind"], kind={"$ref": "#/$defs/Bee"}, x={"type": "string"}),
    "C": shape(["kind"], kind=text("c"), of={"$ref": "#/$defs/AnyShape"}),
    "AnyShape": union({"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}),
}
DISCRIMINATED = "discriminator='kind'"
LISTED = "union_mode='left_to_right'"


def made(schema: Json, definitions: dict[str, Json]) -> str:
    assert isinstance(schema, dict)
    return generate_models({**schema, "$defs": {**definitions}}, ModelOptions(name="Root")).source


def disagreements(source: str, schema: Json, definitions: dict[str, Json]) -> list[str]:
    assert isinstance(schema, dict)
    root: Json = {**schema, "$defs": {**definitions}}
    adapter: TypeAdapter[Any] = TypeAdapter(loaded(source).Root)
    found: list[str] = []
    for case in valid_instances(root, count=30, seed=3):
        back = adapter.dump_python(adapter.validate_python(case.value), by_alias=True, exclude_unset=True)
        found += [] if same(back, case.value) else [f"changed {case.value}"]
    for broken in broken_instances(root, count=60, seed=3):
        try:
            adapter.validate_python(broken.value)
        except ValidationError:
            continue
        found.append(f"takes {broken.value}")
    return found


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#/$defs/AnyShape"}, [DISCRIMINATED]),
        ({"type": "array", "items": union({"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"})}, [DISCRIMINATED] * 2),
        (
            union({"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}, {"type": "null"}, {"type": "string"}),
            [DISCRIMINATED, DISCRIMINATED, LISTED],
        ),
        (union(shape(kind={"enum": ["a", "aa"]}, x={}), shape(kind=text("b"))), [DISCRIMINATED] * 2),
        (union({"$ref": "#/$defs/A"}, {"type": "null"}), [DISCRIMINATED]),
        (union({"type": "integer"}, {"type": "string"}, {"type": "null"}), [DISCRIMINATED, LISTED]),
        (union({"type": "integer"}, {"type": "number"}), [DISCRIMINATED]),
    ],
)  # fmt: skip
def test_a_union_is_told_apart_where_it_can_be(schema: Json, expected: list[str]) -> None:
    source = made(schema, TAGGED)
    assert sorted(re.findall(r"discriminator='kind'|union_mode='left_to_right'", source)) == expected
    assert disagreements(source, schema, TAGGED) == []


@pytest.mark.parametrize(
    "parts",
    [
        # An object of any kind stands beside.
        [shape(kind=text("a")), shape(kind=text("b")), {"type": "object"}],
        # One member does not require the property.
        [shape([], kind=text("a"), x={}), shape(kind=text("b"))],
        # Two members share a text.
        [shape(kind={"enum": ["a", "b"]}, x={}), shape(kind={"enum": ["b", "c"]})],
        # Numbers: 1 and 1.0 are one value, and no tag.
        [shape(kind={"const": 1}, x={}), shape(kind={"const": 2})],
        # Two names on the wire.
        [shape(kind=text("a")), shape(Kind=text("b"))],
    ],
)  # fmt: skip
def test_an_open_union_is_tried_member_by_member(parts: list[Json]) -> None:
    schema = union(*parts)
    source = made(schema, {})
    assert "discriminator" not in source
    assert disagreements(source, schema, {}) == []


def test_a_tag_that_is_no_identifier_is_told_by_its_field() -> None:
    parts: list[Json] = [
        {"type": "object", "properties": {"2type": text(value), value: {}}, "required": ["2type"]}
        for value in ("a", "b")
    ]
    schema = union(*parts)
    source = made(schema, {})
    assert re.findall(r"discriminator='(\w+)'", source) == ["n_2type"]
    assert disagreements(source, schema, {}) == []


def test_the_message_names_the_tags_only() -> None:
    module = loaded(made({"$ref": "#/$defs/AnyShape"}, TAGGED))
    adapter: TypeAdapter[Any] = TypeAdapter(module.AnyShape)
    with pytest.raises(ValidationError) as refused:
        adapter.validate_python({"kind": "d"})
    (error,) = refused.value.errors()
    assert error["type"] == "union_tag_invalid"
    assert error.get("ctx") == {"discriminator": "'kind'", "tag": "d", "expected_tags": "'a', 'b', 'c'"}


def test_an_instance_is_taken_as_it_is() -> None:
    module = loaded(made({"$ref": "#/$defs/AnyShape"}, TAGGED))
    nested = module.C(kind="c", of=module.A(kind="a", x=1))
    assert nested.model_dump(exclude_unset=True) == {"kind": "c", "of": {"kind": "a", "x": 1}}
    assert isinstance(module.C.model_validate({"kind": "c", "of": {"kind": "b"}}).of, module.B)

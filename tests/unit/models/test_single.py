from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from generated_modules import loaded
from mcp_lockstep.models import ModelOptions, generate_models


def test_texts_of_the_first_case_are_exact(shared: Path) -> None:
    schema = json.loads(
        (shared / "cases" / "38-docstring-breakout" / "input.json").read_text(encoding="utf-8")
    )
    sheet = loaded(generate_models(schema).source).Sheet
    assert sheet.__doc__ == schema["description"]
    for name, field in sheet.model_fields.items():
        assert field.description == schema["properties"][name]["description"]


def test_a_schema_of_definitions_has_no_root() -> None:
    made = generate_models(
        {"$defs": {"a-b": {"type": "string"}, "C": {"type": "object", "properties": {"x": {}}}}}
    )
    assert made.names == {"a-b": "AB", "C": "C"}
    assert loaded(made.source).__all__ == ["AB", "C"]


def test_the_root_goes_by_its_title_or_the_name_that_is_asked_for() -> None:
    assert generate_models({"type": "object", "title": "big thing"}).names == {"": "BigThing"}
    assert generate_models({"type": "string", "title": " "}, ModelOptions(name="Name")).names == {"": "Name"}
    assert generate_models({"type": "string", "title": "Struct"}).names == {"": "StructType"}


def test_errors_stop_it() -> None:
    made = generate_models({"$ref": "https://example.com"}, ModelOptions(path="a.json"))
    assert made.source == ""
    assert [str(finding.place) for finding in made.findings] == ["a.json#/$ref"]


def test_older_drafts() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"T": {"type": "array", "items": [{"type": "integer"}], "additionalItems": False}},
        "properties": {"t": {"$ref": "#/definitions/T", "maxItems": 0}},
        "type": "object",
    }
    root = loaded(generate_models(schema, ModelOptions(name="Root")).source).Root
    assert root.model_validate({"t": [1]}).t == [1]
    for wrong in ([1, 2], ["a"]):
        with pytest.raises(ValidationError):
            root.model_validate({"t": wrong})


def test_an_annotation_is_a_text_only_where_it_must_be() -> None:
    node = {"type": "object", "properties": {"text": {"type": "string"}}}
    tree = {
        "type": "object",
        "properties": {
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
            "Leaf": {"$ref": "#/$defs/Leaf"},
            "leaf": {"$ref": "#/$defs/Leaf"},
            "size": {"type": "integer"},
        },
        "additionalProperties": {"$ref": "#/$defs/Tree"},
    }
    plain = {"type": "object", "properties": {"leaf": {"$ref": "#/$defs/Leaf"}}}
    source = generate_models({"$defs": {"Leaf": node, "Tree": tree, "Zoo": plain}}).source
    assert "from __future__" not in source
    lines = {line.strip() for line in source.splitlines()}
    assert {
        "children: 'list[Tree] | MISSING' = MISSING",
        "Leaf_: Annotated[Leaf | MISSING, Field(alias='Leaf')] = MISSING",
        "size: JsonInt | MISSING = MISSING",
        "__pydantic_extra__: 'dict[str, Tree]' = Field(init=False)",
        "leaf: Leaf | MISSING = MISSING",
    } <= lines
    value = {"children": [{"size": 1}], "Leaf": {"text": "a"}, "leaf": {"text": "b"}, "more": {"size": 2}}
    found = loaded(source).Tree.model_validate(value)
    assert (found.children[0].size, found.Leaf_.text, found.leaf.text, found.more.size) == (1, "a", "b", 2)
    with pytest.raises(ValidationError):
        loaded(source).Tree.model_validate({"more": {"size": "2"}})


USED_IN_BODIES = (
    "str int float bool list dict List Dict Str Any Literal Field Annotated MISSING Union Struct StrictStr StrictBool "
    "JsonInt JsonNumber Obeys ONLY_NUMBERS ONLY_BOOLEANS ConfigDict model_validator classmethod judged "
    "without_namesakes Self ModelWrapValidatorHandler TYPE_CHECKING cls self value handler type object None BaseModel"
).split()


def test_properties_may_be_spelled_like_what_a_class_is_made_of() -> None:
    others: dict[str, Any] = {
        "zz_string": {"type": "string", "minLength": 1, "pattern": "^a"},
        "zz_integer": {"type": "integer", "minimum": 0},
        "zz_number": {"type": "number"},
        "zz_boolean": {"type": "boolean"},
        "zz_array": {"type": "array", "items": {"type": "string"}},
        "zz_object": {"type": "object", "additionalProperties": {"type": "integer"}},
        "zz_enum": {"enum": ["a", 1, True, None]},
        "zz_not": {"not": {"const": "x"}},
    }
    schema = {
        "type": "object",
        "title": "T",
        "properties": {name: {"type": "string"} for name in USED_IN_BODIES} | others,
        "propertyNames": {"maxLength": 40},
        "additionalProperties": {"type": "integer"},
    }
    value = dict.fromkeys(USED_IN_BODIES, "a") | {
        "zz_string": "ab",
        "zz_integer": 5,
        "zz_number": 1.5,
        "zz_boolean": True,
        "zz_array": ["a"],
        "zz_object": {"a": 1},
        "zz_enum": 1,
        "zz_not": "y",
        "more": 3,
    }
    model = loaded(generate_models(schema).source).T
    assert model.model_validate(value).model_dump(by_alias=True, exclude_unset=True) == value
    for name in ("zz_string", "zz_integer", "zz_object", "zz_not"):
        with pytest.raises(ValidationError):
            model.model_validate({name: "x"})


def test_names_in_quoted_annotations_are_imported() -> None:
    schema = {
        "title": "T",
        "type": "object",
        "properties": {"list": {"type": "string"}, "near": {"type": "array", "items": {"$ref": "#"}}},
    }
    source = generate_models(schema).source
    assert "near: 'List[T] | MISSING' = MISSING" in source
    assert loaded(source).T.model_validate({"near": [{"list": "a"}]}).near[0].list == "a"

"""The profile `ergonomic`: names, absent values, and what it takes beyond the schema."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from generated_modules import loaded
from mcp_lockstep.config.styles import Pydantic, Style
from mcp_lockstep.models import ModelOptions, generate_models
from mcp_lockstep.models.profiles import snake_names

ERGONOMIC = ModelOptions(style=Style("ergonomic"))
SCHEMA: dict[str, Any] = {
    "title": "Query",
    "type": "object",
    "properties": {
        "dayCount": {"type": "integer", "minimum": 1},
        "URLPath": {"type": "string"},
        "_meta": {"type": "object"},
        "isOn": {"type": "boolean", "default": True},
        "note": {"type": ["string", "null"]},
        "schema": {"type": "string"},
        "bool": {"type": "string"},
    },
    "required": ["dayCount"],
    "anyOf": [{"required": ["URLPath"]}, {"required": ["isOn"]}],
}


@pytest.fixture(scope="module")
def query() -> Any:
    return loaded(generate_models(SCHEMA, ERGONOMIC).source).Query


def test_names(query: Any) -> None:
    assert {name: field.alias or name for name, field in query.model_fields.items()} == {
        "url_path": "URLPath", "meta": "_meta", "bool_": "bool", "day_count": "dayCount", "is_on": "isOn",
        "note": "note", "schema_": "schema",
    }  # fmt: skip


def test_both_names_are_taken_and_the_wire_gets_its_own(query: Any) -> None:
    wire = {"dayCount": 2, "URLPath": "/", "unknownKey": {"a": None}}
    python = query(day_count=2, url_path="/", unknownKey={"a": None})
    assert query.model_validate(wire) == python
    assert python.model_dump(exclude_unset=True) == wire
    assert (python.is_on, python.note, python.meta) == (True, None, None)


def test_rules_judge_the_names_on_the_wire(query: Any) -> None:
    assert query(day_count=1, is_on=False).is_on is False
    for wrong in ({"day_count": 1}, {"day_count": 0, "is_on": True}):
        with pytest.raises(ValidationError):
            query(**wrong)


def test_only_null_is_taken_beyond_the_schema(query: Any) -> None:
    assert query.model_validate({"dayCount": 1.0, "URLPath": None}).url_path is None
    for key, wrong in (
        ("dayCount", "1"),
        ("isOn", 1),
        ("isOn", "true"),
        ("isOn", None),
        ("URLPath", 5),
        ("schema", b""),
    ):
        with pytest.raises(ValidationError):
            query.model_validate({"dayCount": 1, "URLPath": "/", key: wrong})


def test_snake_names_are_distinct_and_stable() -> None:
    names = snake_names(["fooBar", "foo_bar", "FooBar"])
    assert names["foo_bar"] == "foo_bar"
    assert len(set(names.values())) == 3
    assert snake_names(["foo_bar", "other"])["foo_bar"] == "foo_bar"


@pytest.mark.parametrize(("pydantic", "line"), [
    ("2.12", "from pydantic_core import CoreSchema, core_schema, MISSING"),
    ("2.13", "from pydantic_core import CoreSchema, core_schema, MISSING"),
    ("2.14", "from pydantic import MISSING, BaseModel"),
])  # fmt: skip
def test_older_pydantic(pydantic: Pydantic, line: str) -> None:
    schema = {"title": "T", "type": "object", "properties": {"a": {"type": "integer"}}}
    source = generate_models(schema, ModelOptions(style=Style(pydantic=pydantic))).source
    assert line in source
    assert loaded(source).T(a=1).a == 1

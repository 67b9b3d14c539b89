"""The types of the protocol, and what deviates from them."""

from __future__ import annotations

import pytest

from mcp_lockstep.contract.shapes import SHAPES, Deviation, deviations, type_name
from mcp_lockstep.documents.data import JsonObject


def test_every_kind_of_deviation() -> None:
    tool: JsonObject = {
        "name": 5,
        "title": None,
        "x": 1,
        "annotations": {"readOnlyHint": 1, "title": None, "category": "c"},
        "icons": [{"src": "i", "theme": "blue", "y": 1}, "x"],
    }
    assert list(deviations(tool, "tool")) == [
        Deviation("missing", ("inputSchema",), "an object"),
        Deviation("wrong", ("name",), "a string"),
        Deviation("null", ("title",)),
        Deviation("unknown", ("x",)),
        Deviation("wrong", ("annotations", "readOnlyHint"), "true or false"),
        Deviation("null", ("annotations", "title")),
        Deviation("unknown", ("annotations", "category")),
        Deviation("wrong", ("icons", 0, "theme"), '"dark" or "light"'),
        Deviation("unknown", ("icons", 0, "y")),
        Deviation("wrong", ("icons", 1), "an object"),
    ]


def test_schemas_are_open_but_a_null_at_their_root_is_not_sent() -> None:
    tool: JsonObject = {"name": "a", "inputSchema": {"x": {"y": None}, "default": None, "*": 1}}
    assert list(deviations(tool, "tool")) == [Deviation("null", ("inputSchema", "default"))]


def test_a_key_named_like_the_wildcard_is_an_unknown_key() -> None:
    assert list(deviations({"name": "p", "*": 1}, "prompt")) == [Deviation("unknown", ("*",))]


def test_booleans_are_no_numbers() -> None:
    resource: JsonObject = {"name": "a", "uri": "x:y", "size": True, "annotations": {"priority": True}}
    assert [(d.kind, d.parts) for d in deviations(resource, "resource")] == [
        ("wrong", ("size",)),
        ("wrong", ("annotations", "priority")),
    ]


def test_type_names() -> None:
    assert type_name("icon[]") == "an array"
    assert type_name("icon") == "an object"
    assert type_name("fraction") == "a number from 0 to 1"


def test_shapes_are_those_of_the_protocol() -> None:
    types = pytest.importorskip("mcp_types", reason="the SDK is not installed")
    models = {
        "tool": types.Tool,
        "resource": types.Resource,
        "resource-template": types.ResourceTemplate,
        "prompt": types.Prompt,
        "tool-annotations": types.ToolAnnotations,
        "annotations": types.Annotations,
        "execution": types.ToolExecution,
        "icon": types.Icon,
        "prompt-argument": types.PromptArgument,
    }
    assert models.keys() == SHAPES.keys() - {"schema"}
    for name, model in models.items():
        fields = model.model_fields.values()
        assert {field.alias for field in fields} == SHAPES[name].keys(), name
        required = {key for key, wanted in SHAPES[name].items() if wanted.endswith("!")}
        assert {field.alias for field in fields if field.is_required()} == required, name

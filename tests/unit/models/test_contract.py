from __future__ import annotations

import ast
import json
from types import ModuleType
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from generated_modules import loaded
from mcp_lockstep.code.signature import parse_signature
from mcp_lockstep.models.contract import ContractModels, contract_models

FORECAST: dict[str, Any] = {
    "name": "get-forecast",
    "description": "Forecast for a city.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1, "description": "Where"},
            "days": {"type": "integer", "default": 3, "maximum": 14},
            "units": {"$ref": "#/$defs/Units"},
            "at": {"type": "array", "items": {"$ref": "#/$defs/Point"}, "default": []},
            "note": {"type": "string", "default": None},
            "ratio": {"type": ["number", "null"]},
        },
        "required": ["city"],
        "$defs": {
            "Units": {"enum": ["metric", "imperial"]},
            "Point": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
        },
    },
    "outputSchema": {"title": "Forecast", "type": "object", "properties": {"text": {"type": "string"}}},
}


def one(schema: object, **more: object) -> ContractModels:
    return contract_models([{"name": "do", "inputSchema": schema, **more}])


def signature(schema: object) -> str:
    (view,) = one(schema).tools
    return str(view.signature)


def test_a_tool_becomes_a_view() -> None:
    (view,) = contract_models([FORECAST]).tools
    assert view.name == "get-forecast"
    assert view.module == view.function == "get_forecast"
    assert view.arguments == "GetForecastArguments"
    assert view.description == "Forecast for a city."
    assert view.imports == ("Forecast", "Point", "Units")
    assert str(view.signature) == (
        "(*, city: str, at: list[Point], days: int = 3, units: Units | MISSING = MISSING, "
        "note: str | None = None, ratio: float | None | MISSING = MISSING) -> Forecast"
    )
    assert parse_signature(str(view.signature)) == view.signature


def test_the_models_take_what_the_schema_takes() -> None:
    module = loaded(contract_models([FORECAST]).source)
    made = module.GetForecastArguments.model_validate({"city": "Oslo", "at": [{"x": 1, "y": 2}], "more": [1]})
    assert (made.city, made.days, made.at[0].x) == ("Oslo", 3, 1)
    assert made.model_dump(mode="json", exclude_unset=True) == {
        "city": "Oslo",
        "at": [{"x": 1, "y": 2}],
        "more": [1],
    }
    for wrong in (
        {},
        {"city": ""},
        {"city": "a", "days": "3"},
        {"city": "a", "note": None},
        {"city": "a", "units": "k"},
    ):
        with pytest.raises(ValidationError):
            module.GetForecastArguments.model_validate(wrong)


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"type": "object"}, "() -> Content"),
        (True, "() -> Content"),
        ({"type": "object", "additionalProperties": False}, "() -> Content"),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            "(*, extra: dict[str, int] | MISSING = MISSING) -> Content",
        ),
        (
            {"type": "object", "properties": {"extra": {}}, "additionalProperties": True},
            "(*, extra: Any | MISSING = MISSING, extra_: dict[str, Any] | MISSING = MISSING) -> Content",
        ),
        ({"properties": {"list": {"const": 1.0, "default": 1.0}}}, "(*, list: Literal[1] = 1) -> Content"),
        ({"properties": {"n": {"type": "integer", "default": 2.0}}}, "(*, n: int = 2) -> Content"),
        ({"properties": {"n": {"type": "integer", "default": "x"}}}, "(*, n: int | str = 'x') -> Content"),
        ({"properties": {"n": {"type": "array", "default": 1}}}, "(*, n: list[Any] | int = 1) -> Content"),
        (
            {"properties": {"n": {"type": "array", "items": {"type": "string"}, "default": [1]}}},
            "(*, n: list[str] | MISSING = MISSING) -> Content",
        ),
        ({"properties": {"n": {"default": 1}}, "required": ["n"]}, "(*, n: Any) -> Content"),
        (
            {"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"a": {"type": "null"}}}}},
            "(*, a: None | MISSING = MISSING) -> Content",
        ),
    ],
)
def test_signatures(schema: object, wanted: str) -> None:
    assert signature(schema) == wanted


def test_equal_definitions_are_shared_between_tools() -> None:
    def tool(name: str, units: list[str]) -> dict[str, Any]:
        return {"name": name, "inputSchema": {"type": "object", "properties": {"units": {"enum": units}}}}

    shared = contract_models([tool("a", ["c", "f"]), tool("b", ["c", "f"])])
    assert [view.imports for view in shared.tools] == [("Units",), ("Units",)]
    apart = contract_models([tool("a", ["c", "f"]), tool("b", ["k", "r"])])
    assert [view.imports for view in apart.tools] == [("AUnits",), ("BUnits",)]


def test_results_of_one_title_and_two_schemas_go_by_their_tools() -> None:
    def tool(name: str, kind: str) -> dict[str, Any]:
        result = {"title": "Output", "type": "object", "properties": {"x": {"type": kind}}}
        return {"name": name, "inputSchema": {"type": "object"}, "outputSchema": result}

    apart = contract_models([tool("a", "string"), tool("b", "null")])
    assert [view.signature.returns for view in apart.tools] == ["AResult", "BResult"]
    shared = contract_models([tool("a", "string"), tool("b", "string")])
    assert [view.signature.returns for view in shared.tools] == ["Output", "Output"]


def test_a_result_that_is_a_reference_goes_by_what_it_means() -> None:
    result = {"$ref": "#/$defs/Place", "$defs": {"Place": {"type": "object", "properties": {"x": {}}}}}
    (view,) = one({"type": "object"}, outputSchema=result).tools
    assert view.signature.returns == "Place"
    assert view.imports == ("Place",)
    assert "DoResult" not in one({"type": "object"}, outputSchema=result).source


def test_a_schema_in_disorder_is_a_finding_and_nothing_is_made() -> None:
    found = one({"type": "object", "properties": {"a": {"$ref": "https://example.com/x"}}})
    (finding,) = found.findings
    assert (found.source, found.tools) == ("", ())
    assert finding.code.slug == "schema-reference-remote"
    assert str(finding.place) == "contract.json#/tools/0/inputSchema/properties/a/$ref"
    assert "'do'" in finding.message


def test_a_default_that_its_property_refuses_is_a_note() -> None:
    found = one(
        {"type": "object", "properties": {"a": {"type": "string", "default": None}, "b": {"default": None}}}
    )
    assert [(finding.code.slug, finding.severity, str(finding.place)) for finding in found.findings] == [
        ("schema-default-refused", "note", "contract.json#/tools/0/inputSchema/properties/a/default")
    ]
    assert found.source


def test_names_of_tools_that_differ_in_spelling_only() -> None:
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("get-x", "get_x", "getX")]
    views = contract_models(tools).tools
    for names in zip(*[(view.module, view.function, view.arguments) for view in views], strict=True):
        assert len(set(names)) == 3


HOSTILE = '"""\nprint("ran")\n""" \\N{BULLET} \u202e \'\'\' {{x}} \\'


def test_text_never_becomes_code(capsys: pytest.CaptureFixture[str]) -> None:
    schema = {
        "type": "object",
        "description": HOSTILE,
        "properties": {HOSTILE: {"enum": [HOSTILE, "b"], "description": HOSTILE, "default": HOSTILE}},
        "not": {"required": [f"{HOSTILE}x"]},
    }
    source = one(schema).source
    module = loaded(source)
    assert capsys.readouterr().out == ""
    (field,) = module.DoArguments.model_fields.values()
    assert module.DoArguments.__doc__ == HOSTILE
    assert (field.alias, field.description, field.default) == (HOSTILE, HOSTILE, HOSTILE)
    assert "\u202e" not in source


@pytest.mark.parametrize(
    "text",
    ["one", "two\nlines", "two\n\n  indented", " edge ", "tab\tthere", 'end"', "back\\", "\n", "x\r\ny"],
)
def test_the_text_of_a_class_is_the_description_exactly(text: str) -> None:
    module = loaded(one({"type": "object", "description": text}).source)
    assert module.DoArguments.__doc__ == text


def test_a_tab_stands_in_no_docstring_for_newer_pythons_expand_it() -> None:
    assert "__doc__ = 'tab\\tthere'" in one({"type": "object", "description": "tab\tthere"}).source


def test_fields_keep_wire_names_where_pydantic_takes_them() -> None:
    wires = [
        "from",
        "class",
        "_meta",
        "meta",
        "__top",
        "copy",
        "json",
        "list",
        "str",
        "type",
        "a b",
        "a-b",
        "a_b",
        "1st",
        "",
        "ñandú",
    ]
    source = one({"type": "object", "properties": {wire: {"type": "string"} for wire in wires}}).source
    module = loaded(source)
    fields: dict[str, Any] = module.DoArguments.model_fields
    kept = [name for name, field in fields.items() if field.alias is None]
    assert sorted(kept) == sorted(["a_b", "list", "meta", "str", "type", "ñandú"])
    assert {name if field.alias is None else field.alias for name, field in fields.items()} == set(wires)
    values = {wire: wire for wire in wires}
    made = module.DoArguments.model_validate(values)
    assert made.model_dump(exclude_unset=True) == values


def test_a_field_called_list_leaves_lists_to_the_others() -> None:
    text = {"type": "array", "items": {"type": "string"}}
    module = loaded(
        one({"type": "object", "properties": {"list": text, "dict": {"type": "object"}, "more": text}}).source
    )
    made = module.DoArguments.model_validate({"list": ["a"], "dict": {}, "more": ["b"]})
    assert made.more == ["b"]


def test_an_unknown_property_spelled_like_a_field() -> None:
    module = loaded(one({"type": "object", "properties": {"from": {"type": "integer", "default": 1}}}).source)
    made = module.DoArguments.model_validate({"from_": "x"})
    assert made.model_dump(by_alias=True, exclude_unset=True) == {"from_": "x"}


def test_recursive_schemas_work() -> None:
    schema = {
        "type": "object",
        "properties": {"tree": {"$ref": "#"}, "value": {"$ref": "#/$defs/Value"}},
        "$defs": {
            "Value": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Value"}}]}
        },
    }
    module = loaded(one(schema).source)
    made = module.DoArguments.model_validate({"tree": {"tree": {}}, "value": ["a", [["b"]]]})
    assert made.tree.tree.model_dump() == {}
    with pytest.raises(ValidationError):
        module.DoArguments.model_validate({"value": [1]})


def test_constructors_know_rules_too() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"x": {"type": "integer"}}},
            "b": {"type": "integer"},
        },
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    module = loaded(one(schema).source)
    assert module.DoArguments(a=module.A(x=1)).a.x == 1
    with pytest.raises(ValidationError, match="does not fulfil"):
        module.DoArguments()


def test_defaults_are_instances_of_their_own() -> None:
    point = {"type": "object", "properties": {"x": {"type": "number"}}}
    schema = {
        "type": "object",
        "properties": {"at": {"type": "array", "items": point, "default": [{"x": 1}]}},
    }
    module = loaded(one(schema).source)
    a, b = module.DoArguments(), module.DoArguments()
    assert a.at[0].x == 1
    assert a.at is not b.at
    assert a.model_dump(exclude_unset=True) == {}


def test_the_same_contract_gives_the_same_bytes() -> None:
    again = json.loads(json.dumps(FORECAST, sort_keys=True))
    assert contract_models([FORECAST]).source == contract_models([again]).source


def test_no_model_is_built_before_it_is_used() -> None:
    source = contract_models([FORECAST]).source
    assert "model_rebuild" not in source
    assert "RootModel" not in source
    names = [node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    assert "Judge" not in names
    module: ModuleType = loaded(source)
    assert module.GetForecastArguments.__pydantic_complete__ is False
    assert sorted(module.__all__) == ["Forecast", "GetForecastArguments", "Point", "Units"]


def test_results_take_what_their_schema_takes() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(loaded(contract_models([FORECAST]).source).Forecast)
    assert adapter.dump_python(adapter.validate_python({"text": "a", "b": 1})) == {"text": "a", "b": 1}

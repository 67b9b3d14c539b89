"""Names that a template may use: what each maker makes of odd text."""

from __future__ import annotations

import builtins
import json
import sys
import typing
from itertools import permutations
from pathlib import Path

import pytest

from mcp_lockstep.naming import (
    BUILTIN_NAMES,
    MODEL_ATTRIBUTES,
    TYPING_NAMES,
    ClassName,
    DistributionName,
    Identifier,
    ModuleName,
    class_name,
    distinct,
    distribution_name,
    field_name,
    field_names,
    function_name,
    identifier,
    module_name,
    package_name,
)


@pytest.mark.parametrize(
    "text", ["", "a-b", "1a", "class", "None", "a b", "a\n", "\ufb01le", "x;import os", "a\u202eb", "a.b"]
)
def test_what_is_no_identifier_cannot_be_one(text: str) -> None:
    with pytest.raises(ValueError, match="is not a Python identifier"):
        Identifier(text)


@pytest.mark.parametrize("text", ["List", "ValueError", "BaseModel", "MISSING", "_Hidden", "a b", "True", ""])
def test_class_names_hide_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"class|identifier"):
        ClassName(text)


@pytest.mark.parametrize(
    "text",
    [
        "Weather",
        "con",
        "nul",
        "COM1",
        "com1",
        "typing",
        "pydantic",
        "list",
        "match",
        "type",
        "_x",
        "é",
        "a.b",
        "../x",
    ],
)
def test_module_names_are_safe_files(text: str) -> None:
    with pytest.raises(ValueError, match="cannot name a generated module"):
        ModuleName(text)


@pytest.mark.parametrize("text", ["", "-a", "a-", "a b", "é", "a\n", "../a"])
def test_distribution_names_are_those_of_indexes(text: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a distribution"):
        DistributionName(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("city", "city"),
        ("getForecast", "getForecast"),
        ("ñandú", "ñandú"),
        ("list", "list"),
        ("type", "type"),
        ("from", "from_"),
        ("None", "None_"),
        ("cik-A", "cik_A"),
        ("a.b/c d", "a_b_c_d"),
        ("a -- b", "a_b"),
        ("a__b", "a__b"),
        ("(x)", "x"),
        ("$ref", "ref"),
        ("1st", "n_1st"),
        ("\u0301a", "n_\u0301a"),
        ("_meta", "meta_"),
        ("__top", "top"),
        ("__init__", "init__"),
        ("_1", "n_1_"),
        ("_class", "class_"),
        ("", "empty"),
        ("_", "underscore"),
        ("__", "underscore"),
        ("$", "dollar_sign"),
        ("../", "full_stop"),
        ("\n", "u000a"),
        ("\ud800", "ud800"),
        ("\ufb01le", "file"),
        ("a\u202eb", "a_b"),
        ('x"; import os; "', "x_import_os"),
        ("{{ cookiecutter }}", "cookiecutter"),
    ],
)
def test_identifier(text: str, name: str) -> None:
    made = identifier(text)
    assert made == name
    assert type(made) is Identifier


@pytest.mark.parametrize(
    ("text", "name"),
    [("list", "list_"), ("print", "print_"), ("Field", "Field_"), ("get-forecast", "get_forecast")],
)
def test_functions_hide_nothing_that_their_module_uses(text: str, name: str) -> None:
    assert function_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("get-forecast", "GetForecast"),
        ("getForecast", "GetForecast"),
        ("HTTPServer", "HTTPServer"),
        ("forecast result", "ForecastResult"),
        ("list", "List_"),
        ("none", "None_"),
        ("value error", "ValueError_"),
        ("base_model", "BaseModel_"),
        ("3d-model", "N3dModel"),
        ("_meta", "Meta"),
        ("ähnlich", "Ähnlich"),
        ("日本", "日本"),
        ("", "Empty"),
        ("../../etc/passwd", "EtcPasswd"),
    ],
)
def test_class_name(text: str, name: str) -> None:
    made = class_name(text)
    assert made == name
    assert type(made) is ClassName


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("get-forecast", "get_forecast"),
        ("getURLList", "get_url_list"),
        ("GetForecast", "get_forecast"),
        ("a__b", "a__b"),
        ("../../etc/passwd", "etc_passwd"),
        ("..\\x", "x"),
        ("con", "con_"),
        ("NUL", "nul_"),
        ("lpt9", "lpt9_"),
        ("Straße", "strasse"),
        ("Łódź Ærø", "lodz_aero"),
        ("日本", "u65e5_u672c"),
        ("q日", "q_u65e5"),
        ("2fa", "n_2fa"),
        ("class", "class_"),
        ("list", "list_"),
        ("match", "match_"),
        ("conftest", "conftest_"),
        ("__init__", "init"),
        ("", "empty"),
        ("_", "underscore"),
        ("\u202e", "right_to_left_override"),
    ],
)
def test_module_name(text: str, name: str) -> None:
    made = module_name(text)
    assert made == name
    assert type(made) is ModuleName


def test_long_module_names_are_cut_and_stay_apart() -> None:
    one, other = module_name("x" * 300 + "a"), module_name("x" * 300 + "b")
    assert len(one) == len(other) == 80
    assert one != other


@pytest.mark.parametrize(
    ("text", "name"),
    [("json", "json_server"), ("mcp", "mcp_server"), ("con", "con_server"), ("weather-mcp", "weather_mcp")],
)
def test_package_name(text: str, name: str) -> None:
    assert package_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Weather Server", "weather-server"),
        ("io.github.acme/weather", "io-github-acme-weather"),
        ("snake_case", "snake-case"),
        ("Größe", "grosse"),
        ("$", "dollar-sign"),
        ("", "empty"),
    ],
)
def test_distribution_name(text: str, name: str) -> None:
    made = distribution_name(text)
    assert made == name
    assert type(made) is DistributionName


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("json", "json_"),
        ("schema", "schema_"),
        ("model_config", "model_config_"),
        ("model_dump", "field_model_dump_"),
        ("model_validate_later", "field_model_validate_later"),
        ("model_name", "model_name"),
        ("_copy", "copy_"),
        ("city", "city"),
    ],
)
def test_fields_hide_no_attribute_of_a_model(wire: str, name: str) -> None:
    assert field_name(wire) == name


def test_fields_avoid_taken_names() -> None:
    assert field_name("date", {"date"}) == "date_"
    assert field_name("date", {"date", "date_"}).startswith("date_")
    assert field_name("date", {"date", "date_"}) not in {"date", "date_"}


def test_keyword_and_odd_names_case(shared: Path) -> None:
    schema = json.loads((shared / "cases/49-keyword-and-odd-names/input.json").read_text(encoding="utf-8"))
    names = field_names(schema["properties"])
    assert len(set(names.values())) == 10
    assert {wire: names[wire] for wire in ("from", "class", "ñandú", "a_b", "None", "")} == {
        "from": "from_",
        "class": "class_",
        "ñandú": "ñandú",
        "a_b": "a_b",
        "None": "None_",
        "": "empty",
    }


def test_leading_underscore_case(shared: Path) -> None:
    schema = json.loads((shared / "cases/50-leading-underscore-meta/input.json").read_text(encoding="utf-8"))
    assert field_names(schema["properties"]) == {"_meta": "meta_", "__top": "top", "meta": "meta"}


def test_distinct_names_do_not_depend_on_the_order() -> None:
    expected = {"a b": "a_b_c868", "a-b": "a_b_d443", "a_b": "a_b"}
    for names in permutations(expected):
        assert distinct(names, identifier) == expected
        assert list(distinct(names, identifier)) == list(names)


def test_a_further_name_renames_no_other() -> None:
    assert distinct(["a-b", "a_b"], identifier)["a-b"] == distinct(["a b", "a-b", "a_b"], identifier)["a-b"]


def test_a_suffix_that_is_a_name_already_gives_way() -> None:
    names = distinct(["a_b", "a-b", "a_b_d443"], identifier)
    assert names["a_b_d443"] == "a_b_d443"
    assert names["a-b"].startswith("a_b_")
    assert len(set(names.values())) == 3


def test_modules_are_distinct_without_regard_to_case() -> None:
    names = distinct(["Forecast", "forecast", "FORECAST"], module_name)
    assert len({name.lower() for name in names.values()}) == 3
    assert names["forecast"] == "forecast"


def test_a_maker_that_cannot_tell_names_apart_is_refused() -> None:
    with pytest.raises(ValueError, match="no distinct names for 'b'"):
        distinct(["a", "b"], lambda _: Identifier("same"))


def test_lists_of_names_are_complete() -> None:
    pydantic = pytest.importorskip("pydantic")
    public = {name for name in dir(pydantic.BaseModel) if not name.startswith("_")}
    assert public <= MODEL_ATTRIBUTES
    assert {n for n in dir(builtins) if not n.startswith("_")} - {"True", "False", "None"} <= BUILTIN_NAMES
    # The annotation is missing from the stubs of the standard library.
    names: list[str] = vars(typing)["__all__"]
    assert {name for name in names if name[0].isupper()} <= TYPING_NAMES
    for name in sys.stdlib_module_names:
        assert name.startswith("_") or package_name(name) != name, name

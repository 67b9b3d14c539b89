"""What a maintainer overrides of a module is done, or refused at its key."""

from __future__ import annotations

import sys
from datetime import date, datetime
from types import ModuleType
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from mcp_lockstep.config.overrides import Overrides
from mcp_lockstep.config.styles import Style
from mcp_lockstep.models import ModelOptions, ModelSource, generate_models

SCHEMA: dict[str, Any] = {
    "title": "Order",
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "format": "uuid"},
        "when": {"type": "string", "format": "date-time", "default": "2020-01-01T00:00:00Z"},
        "date": {"type": ["string", "null"], "format": "date"},
        "item": {"type": "object", "properties": {"sku": {"type": "string"}}},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
        "state": {"enum": ["open", "closed"]},
    },
    "$defs": {
        "Line": {"type": "object", "additionalProperties": False, "properties": {"n": {"type": "integer"}}},
        "Note": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


def made(overrides: Overrides, style: Style | None = None) -> ModelSource:
    return generate_models(SCHEMA, ModelOptions(overrides=overrides, style=style or Style()))


def module(overrides: Overrides, style: Style | None = None) -> Any:
    source = made(overrides, style)
    assert source.troubles == ()
    found = ModuleType("wished")
    sys.modules["wished"] = found
    exec(compile(source.source, "wished.py", "exec", dont_inherit=True), found.__dict__)
    return found


def test_names_of_classes_and_fields() -> None:
    names = {
        "/properties/item": "Thing",
        "#/$defs/Line": "OrderLine",
        "State": "OrderState",
        "Line.n": "count",
    }
    with pytest.raises(AssertionError, match=r"there is no class Line"):
        module(Overrides(names=names))
    found = module(
        Overrides(names={**{k: v for k, v in names.items() if k != "Line.n"}, "OrderLine.n": "count"})
    )
    assert found.__all__ == ["Note", "Order", "OrderLine", "OrderState", "Thing"]
    line = found.OrderLine.model_validate({"n": 3})
    assert (line.count, line.model_dump()) == (3, {"n": 3})
    assert made(Overrides(names={"Line": "OrderLine"})).names["Line"] == "OrderLine"


def test_two_names_can_be_exchanged() -> None:
    found = module(Overrides(names={"Line": "Item", "Item": "Line"}))
    assert ([*found.Line.model_fields], [*found.Item.model_fields]) == (["sku"], ["n"])


def test_extra() -> None:
    found = module(Overrides(extra={"*": "ignore", "Item": "forbid", "Line": "allow"}))
    assert found.Order.model_validate({"id": "a", "x": 1}).model_dump(exclude_unset=True) == {"id": "a"}
    assert found.Line.model_validate({"x": 1}).model_dump(exclude_unset=True) == {"x": 1}
    with pytest.raises(ValidationError):
        found.Item.model_validate({"x": 1})


def test_a_policy_for_all_opens_no_closed_class_and_closes_none_that_the_schema_opens() -> None:
    found = module(Overrides(extra={"*": "ignore"}))
    with pytest.raises(ValidationError):
        found.Line.model_validate({"x": 1})


@pytest.mark.parametrize("profile", ["exact", "ergonomic"])
def test_types(profile: Any) -> None:
    types = {"uuid": "uuid.UUID", "/properties/when": "datetime.datetime", "Order.date": "datetime.date"}
    found = module(Overrides(types=types), Style(profile))
    text = "12345678-1234-5678-1234-567812345678"
    order = found.Order.model_validate({"id": text, "date": "2020-02-03"})
    assert order.id == UUID(text)
    assert order.date == date(2020, 2, 3)
    assert order.when == datetime.fromisoformat("2020-01-01T00:00:00+00:00")
    assert found.Order.model_validate({"id": text, "date": None}).date is None
    assert order.model_dump(mode="json", exclude_unset=True) == {"id": text, "date": "2020-02-03"}


def test_a_type_in_place_of_a_definition() -> None:
    found = module(Overrides(types={"/$defs/Note": "collections.OrderedDict"}))
    assert "Note" in found.__all__
    assert found.OrderedDict.__module__ == "collections"


def test_a_base_class() -> None:
    found = module(Overrides(base_class="pydantic.root_model.BaseModel"))
    assert found.Order.__mro__[1].__name__ == "Struct"
    assert "class Struct(root_model_BaseModel):" in made(Overrides("pydantic.root_model.BaseModel")).source


def test_aliases_and_a_file_at_the_end() -> None:
    text = (
        'import json\n\n\ndef loads(text: str) -> "Order":\n    return Order.model_validate(json.loads(text))\n'
        "\n\n_SECRET = 1\n"
    )
    found = module(
        Overrides(append=("Part = Line | Item", "Parts = list[Part]"), append_file="a.py", appended=text)
    )
    assert found.__all__ == ["Item", "Line", "Note", "Order", "Part", "Parts", "State", "loads"]
    assert found.loads('{"id": "a"}').id == "a"
    assert made(Overrides(append=("Part=Line|Item",))).source.endswith("\n\n\nPart = Line | Item\n")


@pytest.mark.parametrize(
    ("overrides", "key", "message", "hint"),
    [
        (Overrides(base_class="Base"), "base-class", "dotted path", ""),
        (Overrides(base_class="a.class"), "base-class", "dotted path", ""),
        (Overrides(base_class="os.system('x')"), "base-class", "dotted path", ""),
        (Overrides(extra={"Order": "closed"}), "extra.Order", "allow, forbid, ignore", ""),
        (Overrides(extra={"Ordr": "allow"}), "extra.Ordr", "there is no class Ordr", "did you mean Order?"),
        (Overrides(types={"date-tim": "a.b"}), "types.date-tim", "nothing in the schema", "did you mean date-time?"),
        (Overrides(types={"date": "datetime"}), "types.date", "dotted path", ""),
        (Overrides(types={"Order.whn": "a.b"}), "types.Order.whn", "no field whn", "did you mean when?"),
        (Overrides(types={"/properties/nope": "a.b"}), "types./properties/nope", "nothing stands at", ""),
        (Overrides(names={"Lin": "Row"}), "names.Lin", "there is no class Lin", "did you mean Line?"),
        (Overrides(names={"Line": "Order"}), "names.Line", "the class of Order already", ""),
        (Overrides(names={"Line": "dict"}), "names.Line", "hides no builtin", ""),
        (Overrides(names={"Line": "class"}), "names.Line", "hides no builtin", ""),
        (Overrides(names={"Line": "Struct"}), "names.Line", "used by every module", ""),
        (Overrides(names={"Line": "a b"}), "names.Line", "class name", ""),
        (Overrides(names={"Line.n": "class"}), "names.Line.n", "no keyword", ""),
        (Overrides(names={"Line.m": "k"}), "names.Line.m", "Line has no field m", ""),
        (Overrides(names={"Order.id": "when"}), "names.Order.id", "has another field when", ""),
        (Overrides(names={"Order.id": "model_dump"}), "names.Order.id", "would hide", ""),
        (Overrides(names={"/properties/id": "Key"}), "names./properties/id", "became no class", ""),
        (Overrides(append=("import os",)), "append.0", "an alias such as", ""),
        (Overrides(append=("A = __import__('os')",)), "append.0", "an alias such as", ""),
        (Overrides(append=("A = Lin",)), "append.0", "there is no class Lin", "did you mean Line?"),
        (Overrides(append=("Line = Item",)), "append.0", "stands in the module already", ""),
        (Overrides(append_file="a.py", appended="print(1)"), "append", "line 1 of the file", ""),
        (Overrides(append_file="a.py", appended="def"), "append", "no Python", ""),
        (Overrides(append_file="a.py", appended="from __future__ import annotations"), "append", "line 1", ""),
        (Overrides(append_file="a.py", appended="class Order: ..."), "append", "stands in the module already", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_done(overrides: Overrides, key: str, message: str, hint: str) -> None:
    found = made(overrides)
    assert found.source == ""
    first = found.troubles[0]
    assert ".".join(first.key) == key
    assert message in first.message
    assert hint in first.hint


def test_other_kinds_have_no_base_class() -> None:
    from mcp_lockstep.models.overrides import unsupported

    overrides = Overrides("a.B", {"*": "allow"}, names={"Line": "Row"})
    assert [trouble.key for trouble in unsupported(overrides, Style(kind="dataclass"))] == [
        ("base-class",),
        ("extra",),
    ]
    assert [*unsupported(overrides, Style())] == []

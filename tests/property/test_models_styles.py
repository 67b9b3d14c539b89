"""Any property names, in every style: the module runs, and nothing of a value is lost."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from generated_modules import loaded
from mcp_lockstep.config.styles import Style
from mcp_lockstep.models import ModelOptions, generate_models

WORDS = st.sampled_from(
    "a A aB a_b AB _a __a a_ list str self cls None class type model_config schema copy x-y 1 field json dict".split()
)
NAMES = st.lists(st.one_of(WORDS, st.text(max_size=4)), min_size=1, max_size=6, unique=True)
NODES: tuple[dict[str, Any], ...] = (
    {"type": "string"},
    {"type": "array", "items": {"$ref": "#"}},
    {"type": "integer"},
)
VALUES: tuple[Any, ...] = ("a", [], 1)


def source(names: list[str], style: Style) -> str:
    properties = {name: NODES[place % 3] for place, name in enumerate(names)}
    schema = {"title": "Thing", "type": "object", "properties": properties, "required": names[:2]}
    return generate_models(schema, ModelOptions(style=style)).source


@settings(max_examples=25)
@given(names=NAMES)
def test_ergonomic_models_give_back_what_they_got(names: list[str]) -> None:
    thing = loaded(source(names, Style("ergonomic"))).Thing
    value = {name: VALUES[place % 3] for place, name in enumerate(names)}
    made = thing.model_validate(value)
    assert made.model_dump(exclude_unset=True) == value
    assert thing(**{name: getattr(made, name) for name in thing.model_fields}) == made


@settings(max_examples=25)
@given(names=NAMES)
def test_dataclasses_have_a_field_for_each_property(names: list[str]) -> None:
    for profile in ("exact", "ergonomic"):
        module = loaded(source(names, Style(profile, "dataclass")))
        wire = getattr(module, "WIRE_NAMES", {}).get("Thing", {})
        fields = [field.name for field in dataclasses.fields(module.Thing)]
        assert sorted(wire.get(name, name) for name in fields) == sorted(names)
        module.Thing(**dict.fromkeys(fields))


@settings(max_examples=25)
@given(names=NAMES)
def test_typed_dicts_have_the_names_on_the_wire(names: list[str]) -> None:
    for python in ("3.10", "3.11"):
        thing = loaded(source(names, Style(kind="typeddict", python=python))).Thing
        assert thing.__required_keys__ | thing.__optional_keys__ == {*names}
        assert thing.__required_keys__ == {*names[:2]}

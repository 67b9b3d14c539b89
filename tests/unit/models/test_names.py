"""The classes of every schema are called what a person would call them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

from mcp_lockstep.bundled import catalog
from mcp_lockstep.models.plan import ModulePlan, plan
from mcp_lockstep.models.single import generate_models
from mcp_lockstep.models.support import RESERVED
from mcp_lockstep.naming import class_name
from mcp_lockstep.schema.bundle import Part, bundle
from mcp_lockstep.schema.definition_names import LONGEST
from mcp_lockstep.schema.pipeline import normalised
from mcp_lockstep.schema.values import Node

SHARED = Path(__file__).parents[3].parent / "shared"
PUBLISHED = [
    path
    for folder in ("upstream", "seeds")
    for path in sorted((SHARED / folder).rglob("*schema*.json"))
    if "examples" not in path.parts
]


def planned(schema: Any) -> ModulePlan:
    part = Part("Whole", "", cast("Node", schema))
    return plan(normalised(bundle([part], reserved=RESERVED, keep="all")))


def judge(schema: Any) -> None:
    pool = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    given = {str(class_name(key)) for key in pool}
    module = planned(schema)
    names = [cls.name for cls in module.classes] + [alias.name for alias in module.aliases]
    assert len(names) == len({*names})
    assert [name for name in names if re.search(r"\d$", name) or re.search(r"Other(I+)", name)] == []
    assert [name for name in names if len(name) > LONGEST and name not in given] == []
    assert [name for name in names if name in {"Model", "Params1", "RootModel", "Type", "Root_"}] == []
    assert [name for name in names if re.search(r"([A-Z][a-z]+)\1$", name)] == []


@pytest.mark.parametrize("entry", catalog.entries(), ids=lambda entry: entry.label)
def test_bundled(entry: catalog.Entry) -> None:
    judge(catalog.schema(entry.name, entry.revision))


@pytest.mark.skipif(not PUBLISHED, reason="../shared with the published documents is not here")
@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_published(path: Path) -> None:
    judge(json.loads(path.read_text(encoding="utf-8")))


def test_no_class_is_an_enumeration_and_none_of_one_value() -> None:
    schema: Any = {
        "title": "Order",
        "properties": {
            "kind": {"enum": ["order"]},
            "state": {"enum": ["open", "closed"]},
            "version": {"const": 1},
        },
    }
    source = generate_models(schema).source
    assert "Enum" not in source
    assert re.findall(r"^(\w+) = TypeAliasType", source, re.M) == ["State", "Order"]


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        (
            [{"mode": {"const": "form"}}, {"mode": {"const": "url"}}, {"text": {}}],
            ["FormPart", "OtherPart", "UrlPart"],
        ),
        ([{"a": {}}, {"b": {}}], ["APart", "BPart"]),
    ],
)
def test_alternatives(parts: list[Any], names: list[str]) -> None:
    branches = [{"type": "object", "properties": part, "required": [*part]} for part in parts]
    schema: Any = {"type": "object", "properties": {"part": {"anyOf": branches}}}
    assert [cls.name for cls in planned(schema).classes if cls.name != "Whole"] == names


def test_the_same_word_is_not_said_twice() -> None:
    error = {"type": "object", "properties": {"data": {"type": "object", "properties": {"a": {}}}}}
    parse = {"type": "object", "properties": {"error": error}}
    schema: Any = {"$defs": {"ParseError": parse, "Error": {"type": "object", "properties": {"code": {}}}}}
    names = {cls.name for cls in planned(schema).classes}
    assert names >= {"ParseError", "Error", "ParseErrorBody", "Data"}

"""The contract of the example, changed in one place at a time."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_lockstep.compare.contracts import compare_contracts
from mcp_lockstep.compare.difference import Difference
from mcp_lockstep.contract.model import Contract

Data = dict[str, Any]


@pytest.fixture
def weather(root: Path) -> Data:
    """The contract of the example."""
    found: Data = json.loads((root / "examples/weather/contract.json").read_text(encoding="utf-8"))
    return found


def contract(data: Data) -> Contract:
    """A contract from what `contract.json` holds."""
    return Contract(*(tuple(data[kind]) for kind in ("tools", "resources", "resourceTemplates", "prompts")))


def changed(data: Data, change: Callable[[Data], object]) -> list[Difference]:
    """What is different once `change` was made."""
    new = copy.deepcopy(data)
    change(new)
    return compare_contracts(contract(data), contract(new))


def tool(data: Data, name: str) -> Data:
    """One tool of a contract."""
    found: Data = next(each for each in data["tools"] if each["name"] == name)
    return found


Change = Callable[[Data], object]

CASES: dict[str, tuple[Change, str, str, tuple[str, ...]]] = {
    "tool-gone": (lambda d: d["tools"].pop(0), "item-removed", "breaking", ("writers",)),
    "tool-new": (
        lambda d: d["tools"].append({"name": "n", "inputSchema": {}}),
        "item-added",
        "compatible",
        (),
    ),
    "resource-gone": (lambda d: d["resources"].clear(), "item-removed", "breaking", ("readers",)),
    "template-gone": (lambda d: d["resourceTemplates"].clear(), "item-removed", "breaking", ("readers",)),
    "prompt-gone": (lambda d: d["prompts"].clear(), "item-removed", "breaking", ("writers",)),
    "description": (
        lambda d: tool(d, "delete-alert").update(description="x"),
        "item-text-changed",
        "cosmetic",
        (),
    ),
    "narrower-input": (
        lambda d: tool(d, "delete-alert")["inputSchema"]["properties"]["id"].update(minLength=9),
        "bound-changed",
        "breaking",
        ("writers",),
    ),
    "wider-input": (
        lambda d: tool(d, "delete-alert")["inputSchema"]["properties"]["id"].pop("minLength"),
        "bound-changed",
        "compatible",
        (),
    ),
    "wider-output": (
        lambda d: tool(d, "get-forecast")["outputSchema"]["properties"].update(place={}),
        "type-changed",
        "breaking",
        ("readers",),
    ),
    "narrower-output": (
        lambda d: tool(d, "get-forecast")["outputSchema"]["required"].append("warnings"),
        "required-added",
        "compatible",
        (),
    ),
    "no-output": (
        lambda d: tool(d, "get-forecast").pop("outputSchema"),
        "output-schema-removed",
        "breaking",
        ("readers",),
    ),
    "an-output": (
        lambda d: tool(d, "delete-alert").update(outputSchema={"type": "object"}),
        "output-schema-added",
        "compatible",
        (),
    ),
    "less-harmless": (
        lambda d: tool(d, "compare-days")["annotations"].update(readOnlyHint=False),
        "tool-hint-changed",
        "may-break",
        ("readers",),
    ),
    "more-harmless": (
        lambda d: tool(d, "delete-alert")["annotations"].update(destructiveHint=False),
        "tool-hint-changed",
        "compatible",
        (),
    ),
    "the-default-hint": (
        lambda d: tool(d, "delete-alert")["annotations"].update(openWorldHint=True),
        "tool-hint-changed",
        "cosmetic",
        (),
    ),
    "task-support": (
        lambda d: tool(d, "delete-alert").update(execution={"taskSupport": "required"}),
        "item-key-changed",
        "may-break",
        ("writers",),
    ),
    "media-type": (
        lambda d: d["resources"][0].update(mimeType="text/html"),
        "item-key-changed",
        "may-break",
        ("readers",),
    ),
    "argument-gone": (
        lambda d: d["prompts"][0]["arguments"].pop(),
        "prompt-argument-removed",
        "breaking",
        ("writers",),
    ),
    "argument-needed": (
        lambda d: d["prompts"][0]["arguments"].append({"name": "who", "required": True}),
        "prompt-argument-added",
        "breaking",
        ("writers",),
    ),
    "argument-offered": (
        lambda d: d["prompts"][0]["arguments"].append({"name": "who"}),
        "prompt-argument-added",
        "compatible",
        (),
    ),
    "argument-became-needed": (
        lambda d: d["prompts"][0]["arguments"][1].update(required=True),
        "prompt-argument-requirement",
        "breaking",
        ("writers",),
    ),
    "argument-became-optional": (
        lambda d: d["prompts"][0]["arguments"][0].pop("required"),
        "prompt-argument-requirement",
        "compatible",
        (),
    ),
}


@pytest.mark.parametrize(("change", "slug", "grade", "breaks"), CASES.values(), ids=CASES.keys())
def test_a_change_is_what_it_is(
    weather: Data, change: Change, slug: str, grade: str, breaks: tuple[str, ...]
) -> None:
    (found,) = changed(weather, change)
    assert (found.code.slug, found.grade, found.breaks) == (slug, grade, breaks)


def test_a_contract_is_not_different_from_itself_in_another_order(weather: Data) -> None:
    assert changed(weather, lambda data: data["tools"].reverse()) == []


def test_another_name_is_a_hint(weather: Data) -> None:
    gone, come = changed(weather, lambda data: tool(data, "delete-alert").update(name="stop-alert"))
    assert gone.hint == 'tool "stop-alert" looks like the same under another name'
    assert (gone.old, come.new) == ('tool "delete-alert"', 'tool "stop-alert"')


def test_pointers_are_those_of_the_contract(weather: Data) -> None:
    index = [each["name"] for each in weather["tools"]].index("delete-alert")
    (found,) = changed(weather, CASES["narrower-input"][0])
    assert found.new_at == f"/tools/{index}/inputSchema/properties/id/minLength"


@pytest.mark.parametrize("schema", [None, "text", [], True])
def test_an_input_schema_that_is_none_stops_nothing(weather: Data, schema: object) -> None:
    changed(weather, lambda data: tool(data, "delete-alert").update(inputSchema=schema))
    changed(weather, lambda data: data["tools"].append({"name": 3}))
    changed(weather, lambda data: data["prompts"][0].update(arguments=3))

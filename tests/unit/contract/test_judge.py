"""What is wrong with a contract, and where."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.contract.sources import read_contract
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.findings import Finding
from mcp_lockstep.tree import Memory, Tree

OPEN: JsonObject = {"type": "object"}


def judged(value: object) -> tuple[Finding, ...]:
    return read_contract(Tree(Memory({"c.json": json.dumps(value).encode()})), "c.json").findings


def found(value: object) -> list[tuple[str, str]]:
    return [(finding.code.slug, finding.place.address) for finding in judged(value)]


def tool(**keys: object) -> JsonObject:
    return {"name": "a", "inputSchema": OPEN, **keys}


def named(name: object) -> JsonObject:
    return {"tools": [{"name": name, "inputSchema": OPEN}]}


UNREADABLE: list[tuple[JsonObject, str, str]] = [
    ({"tools": [{"inputSchema": OPEN}]}, "contract-key-missing", "/tools/0/name"),
    ({"tools": [{"name": "a"}]}, "contract-key-missing", "/tools/0/inputSchema"),
    (named(5), "contract-wrong-type", "/tools/0/name"),
    (named(None), "contract-wrong-type", "/tools/0/name"),
    ({"tools": [tool(inputSchema=[])]}, "contract-wrong-type", "/tools/0/inputSchema"),
    ({"tools": [tool(inputSchema=None)]}, "contract-wrong-type", "/tools/0/inputSchema"),
    ({"tools": [tool(inputSchema=True)]}, "contract-wrong-type", "/tools/0/inputSchema"),
    ({"tools": [tool(outputSchema="x")]}, "contract-wrong-type", "/tools/0/outputSchema"),
    ({"tools": [tool(description=5)]}, "contract-wrong-type", "/tools/0/description"),
    (
        {"tools": [tool(annotations={"readOnlyHint": "yes"})]},
        "contract-wrong-type",
        "/tools/0/annotations/readOnlyHint",
    ),
    ({"tools": [tool(icons=[{"theme": "dark"}])]}, "contract-key-missing", "/tools/0/icons/0/src"),
    (
        {"tools": [tool(inputSchema={"type": "object", "required": [1]})]},
        "contract-wrong-type",
        "/tools/0/inputSchema/required/0",
    ),
    ({"resources": [{"name": "a"}]}, "contract-key-missing", "/resources/0/uri"),
    ({"resourceTemplates": [{"name": "a"}]}, "contract-key-missing", "/resourceTemplates/0/uriTemplate"),
    ({"prompts": [{"arguments": []}]}, "contract-key-missing", "/prompts/0/name"),
    (
        {"prompts": [{"name": "p", "arguments": [{"required": True}]}]},
        "contract-key-missing",
        "/prompts/0/arguments/0/name",
    ),
    (
        {"resources": [{"name": "a", "uri": "x:y", "annotations": {"priority": 2}}]},
        "contract-wrong-type",
        "/resources/0/annotations/priority",
    ),
]


@pytest.mark.parametrize(("contract", "slug", "pointer"), UNREADABLE)
def test_items_that_no_client_can_read(contract: object, slug: str, pointer: str) -> None:
    findings = judged(contract)
    assert [(finding.code.slug, finding.place.address) for finding in findings] == [(slug, pointer)]
    assert findings[0].code.exit == 2


@pytest.mark.parametrize(
    "extra",
    [
        {"title": None, "outputSchema": None, "annotations": None},
        {"x-private": 1, "_meta": {"a": None}, "execution": {"taskSupport": "forbidden"}},
        {"inputSchema": {}},
        {"inputSchema": {"type": ["object", "null"], "properties": {"a": True}, "x": None}},
        {"outputSchema": {"type": "array", "items": True}},
        {"icons": [{"src": "i", "sizes": ["48x48"], "theme": "light"}]},
    ],
)
def test_unknown_and_null_keys_and_open_roots_are_no_error(extra: JsonObject) -> None:
    assert judged({"tools": [tool(**extra)]}) == ()


def test_the_message_names_place_tool_and_what_is_wanted() -> None:
    finding = judged({"tools": [{"name": "get\nx"[:3]}]})[0]
    assert finding.message == 'c.json#/tools/0/inputSchema is missing; the tool "get" needs an object there'
    assert finding.want == "an object"
    assert finding.position.line == 1


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "../x",
        "a/../b",
        "..",
        "a\\..\\b",
        "a\nb",
        "a\x00",
        "a\x7f",
        "a\u202eb",
        "a\u2028b",
        "\ufeffa",
        "a\U000e0041",
    ],
)
def test_unsafe_names_are_errors(name: str) -> None:
    findings = judged(named(name))
    assert [(finding.code.slug, finding.place.address) for finding in findings] == [
        ("contract-name-unsafe", "/tools/0/name")
    ]
    assert findings[0].code.exit == 2
    assert findings[0].message.isprintable()


@pytest.mark.parametrize("name", ["a b", "é", "ok/name", "x" * 129, "a..b/c", "class:method", "日本"])
def test_unusual_names_are_warnings(name: str) -> None:
    findings = judged(named(name))
    assert [(finding.code.slug, finding.severity) for finding in findings] == [
        ("contract-name-unusual", "warning")
    ]


@pytest.mark.parametrize("name", ["a", "get-forecast", "A.b_c-1", "x" * 128, "..."])
def test_ordinary_names_are_silent(name: str) -> None:
    assert judged(named(name)) == ()


def test_prompt_and_resource_names_may_be_sentences_but_not_paths() -> None:
    assert judged({"prompts": [{"name": "Write a brief"}]}) == ()
    assert found({"prompts": [{"name": "../x"}], "resources": [{"name": "a\x1b", "uri": "x:y"}]}) == [
        ("contract-name-unsafe", "/resources/0/name"),
        ("contract-name-unsafe", "/prompts/0/name"),
    ]


def test_two_tools_of_one_name_name_both_places() -> None:
    findings = judged({"tools": [tool(), tool(name="b"), tool(), tool()]})
    assert [(finding.code.slug, finding.place.address) for finding in findings] == [
        ("contract-name-twice", "/tools/2/name"),
        ("contract-name-twice", "/tools/3/name"),
    ]
    assert "c.json#/tools/0/name" in findings[0].message


def test_resources_are_told_apart_by_address() -> None:
    one, other = {"name": "a", "uri": "x:1"}, {"name": "a", "uri": "x:2"}
    assert judged({"resources": [one, other]}) == ()
    assert found({"resources": [one, one]}) == [("contract-name-twice", "/resources/1/uri")]


@pytest.mark.parametrize(("one", "other"), [("getCity", "getcity"), ("get-city", "get_city"), ("a.b", "ab")])
def test_names_that_look_alike_are_a_warning(one: str, other: str) -> None:
    findings = judged({"tools": [tool(name=one), tool(name=other)]})
    assert [(finding.code.slug, finding.place.address) for finding in findings] == [
        ("contract-names-alike", "/tools/1/name")
    ]
    assert findings[0].severity == "warning"


def test_findings_come_in_the_order_of_the_contract() -> None:
    contract = {"tools": [{"name": "../a"}, tool(name="../b")]}
    assert found(contract) == [
        ("contract-key-missing", "/tools/0/inputSchema"),
        ("contract-name-unsafe", "/tools/0/name"),
        ("contract-name-unsafe", "/tools/1/name"),
    ]

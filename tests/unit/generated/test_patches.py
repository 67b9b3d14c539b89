"""Patches of a schema: what is carried out, and what stops them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_lockstep.documents import JsonDocument, TomlDocument
from mcp_lockstep.findings import Finding, Refused
from mcp_lockstep.generated.patches import patched

SCHEMA = {
    "type": "object",
    "properties": {"a/b": {"type": "number", "minimum": 1}, "c": {"enum": ["x", "y"]}},
    "required": ["a/b"],
}


def document(*patches: object) -> JsonDocument:
    return JsonDocument("patches.json", json.dumps({"patches": patches}, indent=1).encode())


def patch(pointer: str, **values: object) -> dict[str, object]:
    return {"pointer": pointer, "reason": "why", **values}


def after(*patches: object) -> Any:
    return patched(SCHEMA, document(*patches))


def refused(*patches: object) -> tuple[Finding, ...]:
    with pytest.raises(Refused) as caught:
        after(*patches)
    return caught.value.findings


def test_replace_add_and_remove() -> None:
    before = json.dumps(SCHEMA)
    found = after(
        patch("/properties/a~1b/type", old="number", new="integer"),
        patch("/properties/a~1b/minimum", old=1.0),
        patch("/properties/d", new={"type": "null"}),
        patch("/properties/c/enum/1", old="y", new="z"),
        patch("/properties/c/enum/-", new="w"),
        patch("/required/0", old="a/b"),
        patch("/properties/d/description", new="Nothing."),
    )
    assert found == {
        "type": "object",
        "properties": {
            "a/b": {"type": "integer"},
            "c": {"enum": ["x", "z", "w"]},
            "d": {"type": "null", "description": "Nothing."},
        },
        "required": [],
    }
    assert json.dumps(SCHEMA) == before


def test_toml() -> None:
    text = (
        '[[patches]]\npointer = "/properties/c/enum"\nold = ["x", "y"]\nnew = ["x"]\nreason = "y is gone"\n'
    )
    found: Any = patched(SCHEMA, TomlDocument("patches.toml", text.encode()))
    assert found["properties"]["c"] == {"enum": ["x"]}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (patch("/properties/c/enum/0", old="z", new="w"), '/properties/c/enum/0 is "x"; "z" is expected'),
        (
            patch("/properties/a~1b/minimum", old=True, new=2),
            "/properties/a~1b/minimum is 1; true is expected",
        ),
        (patch("/properties/x/type", old="a", new="b"), "leads nowhere: /properties/x is not there"),
        (patch("/properties/c/const", old="a"), '/properties/c/const is not there; "a" is expected'),
        (patch("/type", new="a"), 'is to be added and is there already: "object"'),
        (patch("/required/5", new="a"), "is no item of an array of 1"),
        (patch("/type/x", new="a"), "leads into a value that holds no others"),
    ],
)
def test_a_patch_that_does_not_fit(wrong: object, said: str) -> None:
    good = patch("/title", new="T")
    (finding,) = refused(good, wrong)
    assert finding.code.slug == "patch-unfit"
    assert (finding.place.path, finding.place.address) == ("patches.json", "/patches/1")
    assert finding.position.line > 5
    assert said in finding.message


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("text", "is no table"),
        ({"pointer": "/type", "old": "object", "reason": "why", "nwe": 1}, "has the key 'nwe'"),
        ({"pointer": "type", "old": "object", "reason": "why"}, "no `pointer` that begins with a slash"),
        ({"pointer": "", "old": "object", "reason": "why"}, "no `pointer` that begins with a slash"),
        ({"old": "object", "reason": "why"}, "no `pointer` that begins with a slash"),
        ({"pointer": "/type", "old": "object"}, "gives no `reason`"),
        ({"pointer": "/type", "old": "object", "reason": " "}, "gives no `reason`"),
        ({"pointer": "/type", "reason": "why"}, "has neither `old` nor `new`"),
    ],
)
def test_a_patch_that_is_none(wrong: object, said: str) -> None:
    (finding,) = refused(wrong)
    assert finding.code.slug == "patch-malformed"
    assert said in finding.message


@pytest.mark.parametrize("raw", [b"[]", b"{}", b'{"patches": {}}', b"1"])
def test_a_file_without_patches(raw: bytes) -> None:
    with pytest.raises(Refused) as caught:
        patched(SCHEMA, JsonDocument("p.json", raw))
    assert caught.value.findings[0].code.slug == "patch-malformed"


@pytest.mark.parametrize("value", ["2026-07-28", "[{a = 12:00:00}]", "inf", "{a = nan}"])
@pytest.mark.parametrize("key", ["old", "new"])
def test_a_value_of_toml_that_is_none_of_json(key: str, value: str) -> None:
    text = f'[[patches]]\npointer = "/type"\nreason = "why"\n{key} = {value}\n'
    with pytest.raises(Refused) as caught:
        patched(SCHEMA, TomlDocument("patches.toml", text.encode()))
    (finding,) = caught.value.findings
    assert (finding.code.slug, finding.place.address) == ("patch-malformed", "patches.0")
    assert "holds a value that JSON does not have" in finding.message


def test_what_else_a_file_of_patches_holds_is_its_authors() -> None:
    text = 'made = 2026-07-28\n[[patches]]\npointer = "/title"\nnew = "T"\nreason = "why"\n'
    found: Any = patched(SCHEMA, TomlDocument("patches.toml", text.encode()))
    assert found["title"] == "T"

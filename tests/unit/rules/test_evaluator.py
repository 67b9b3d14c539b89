from __future__ import annotations

import pytest

from mcp_lockstep.bundled import catalog
from mcp_lockstep.rules.evaluator import Evaluator, UnsupportedKeywordError, ecma, same


def told(schema: dict[str, object], value: object) -> list[tuple[str, str]]:
    return [(violation.pointer, violation.keyword) for violation in Evaluator(schema).violations(value)]


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("string", ["", "a"], [1, None, [], {}, True]),
        ("integer", [0, -3, 1.0, 10**40], [True, 1.5, "1", None, float("inf")]),
        ("number", [0, 1.5], [False, "1", None]),
        ("boolean", [True, False], [0, 1, "true", None]),
        ("object", [{}], [[], None, "{}"]),
        ("array", [[]], [{}, "[]"]),
        ("null", [None], [0, False, "", []]),
    ],
)
def test_types_are_those_of_json(kind: str, right: list[object], wrong: list[object]) -> None:
    assert [value for value in right if told({"type": kind}, value)] == []
    assert [value for value in wrong if not told({"type": kind}, value)] == []


def test_several_types_are_alternatives() -> None:
    assert told({"type": ["string", "null"]}, None) == []
    assert told({"type": ["string", "null"]}, 1) == [("", "type")]


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (True, True, True),
        ([1, [2.0]], [1.0, [2]], True),
        ([1], [1, 2], False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, True),
        ({"a": 1}, {"a": True}, False),
        ("a", "a", True),
        (None, False, False),
        ([], {}, False),
    ],
)
def test_equality_is_that_of_json(left: object, right: object, equal: bool) -> None:
    assert same(left, right) is equal
    assert (told({"const": left}, right) == []) is equal
    assert (told({"enum": [left]}, right) == []) is equal


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"^\d+$", "12", True),
        (r"^\d+$", "12\n", False),
        (r"^\d+$", "\u0661", False),
        (r"^[^\s]+$", "a\u00a0b", True),
        (r"^[$]\$$", "$$", True),
        (r"^[$]\$$", "$$\n", False),
        (r"a|b$", "ab\n", True),
        (r"\\$", "\\", True),
    ],
)
def test_patterns_are_those_of_ecma_in_ascii(pattern: str, text: str, matches: bool) -> None:
    assert (ecma(pattern).search(text) is not None) is matches


def test_lengths_are_code_points() -> None:
    assert told({"maxLength": 2}, "\U0001f600\U0001f600") == []
    assert told({"maxLength": 2}, "e\u0301e") == [("", "maxLength")]
    assert told({"minLength": 1, "minItems": 1, "maxItems": 1}, "") == [("", "minLength")]
    assert told({"minItems": 1, "minLength": 9}, []) == [("", "minItems")]
    assert told({"maxItems": 1}, [1, 2]) == [("", "maxItems")]


def test_all_violations_are_told_with_pointers() -> None:
    schema: dict[str, object] = {
        "type": "object",
        "required": ["a", "b"],
        "properties": {"c/d": {"items": {"type": "string"}}},
        "additionalProperties": False,
    }
    assert told(schema, {"c/d": ["x", 1, 2], "~e": 1}) == [
        ("", "required"),
        ("", "required"),
        ("/c~1d/1", "type"),
        ("/c~1d/2", "type"),
        ("/~0e", "additionalProperties"),
    ]


def test_the_same_violation_is_told_once() -> None:
    schema: dict[str, object] = {"allOf": [{"type": "string"}, {"type": "string"}]}
    assert told(schema, 1) == [("", "type")]


def test_keywords_beside_a_reference_do_not_count() -> None:
    schema: dict[str, object] = {
        "$ref": "#/definitions/a~1b",
        "maxLength": 1,
        "definitions": {"a/b": {"type": "string"}},
    }
    assert told(schema, "long") == []
    assert told(schema, 1) == [("", "type")]


def test_a_schema_may_be_true_or_false() -> None:
    schema: dict[str, object] = {"properties": {"yes": True, "no": False}}
    assert told(schema, {"yes": 1, "no": 1}) == [("/no", "false")]


def test_not_forbids_what_matches() -> None:
    schema: dict[str, object] = {"not": {"const": "latest"}}
    assert told(schema, "latest") == [("", "not")]
    assert told(schema, "Latest") == []


TRANSPORT: dict[str, object] = {
    "anyOf": [
        {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"type": "string", "enum": ["stdio"]}},
        },
        {
            "type": "object",
            "required": ["type", "url"],
            "properties": {"type": {"type": "string", "const": "sse"}, "url": {"type": "string"}},
        },
    ]
}


@pytest.mark.parametrize(
    ("value", "wrong", "limit"),
    [
        ({"type": "stdio"}, ("", ""), ()),
        ({"type": "sse"}, ("", "required"), "url"),
        ({"type": "sse", "url": 1}, ("/url", "type"), ("string",)),
        ({"type": "http"}, ("/type", "enum"), ("stdio", "sse")),
        ({"type": 1}, ("/type", "enum"), ("stdio", "sse")),
        ({"type": []}, ("/type", "enum"), ("stdio", "sse")),
        ({}, ("", "required"), "type"),
        (1, ("", "type"), ("object",)),
    ],
)
def test_an_alternative_is_chosen_by_its_tag(value: object, wrong: tuple[str, str], limit: object) -> None:
    found = Evaluator(TRANSPORT).violations(value)
    expected = [] if wrong == ("", "") else [(*wrong, limit)]
    assert [(v.pointer, v.keyword, v.limit) for v in found] == expected


def test_alternatives_without_a_tag_become_one_line() -> None:
    kinds: dict[str, object] = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    assert [(v.keyword, v.limit) for v in Evaluator(kinds).violations(1)] == [("type", ("string", "array"))]
    assert told(kinds, ["a", 1]) == [("/1", "type")]
    names: dict[str, object] = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert [(v.keyword, v.limit) for v in Evaluator(names).violations({})] == [("anyOf", ("a", "b"))]


def test_a_tag_that_may_be_absent_is_none() -> None:
    branch = {"type": "object", "properties": {"type": {"type": "string", "const": "x"}}}
    other = {"type": "object", "required": ["a"], "properties": {"type": {"type": "string", "const": "y"}}}
    assert told({"anyOf": [branch, other]}, {}) == []


def test_a_tag_that_two_alternatives_share_is_none() -> None:
    branch = {
        "type": "object",
        "required": ["type", "a"],
        "properties": {"type": {"type": "string", "const": "x"}},
    }
    other = {**branch, "required": ["type"]}
    assert told({"anyOf": [branch, other]}, {"type": "x"}) == []


@pytest.mark.parametrize("keyword", ["oneOf", "patternProperties", "if", "minimum", "propertyNames"])
def test_an_unknown_keyword_is_refused(keyword: str) -> None:
    with pytest.raises(UnsupportedKeywordError, match=keyword):
        Evaluator({"properties": {"a": {keyword: 1}}})


@pytest.mark.parametrize("name", ["server", "mcpb", "registry-list"])
def test_every_bundled_manifest_schema_compiles_whole(name: str) -> None:
    for revision in catalog.revisions(name):
        schema = catalog.schema(name, revision)
        evaluator = Evaluator(schema)
        for definition in schema.get("definitions", {}):  # type: ignore[attr-defined] # an object in these schemas
            evaluator.compile({"$ref": f"#/definitions/{definition}"}).whole({}, None, [])

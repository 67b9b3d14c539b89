"""Changes as text, and the way back to where a value stood before them."""

from __future__ import annotations

import pytest

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.migrate.moves import Add, Change, Drop, Quote, Rename, Write
from mcp_lockstep.migrate.rewrite import Rewriting


def rewritten(text: str, *changes: Change) -> str:
    rewriting = Rewriting(JsonDocument("server.json", text.encode()))
    rewriting.carry_out(changes)
    return rewriting.document.text


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ('{"a":1, "b" : 2}', [Rename("/b", "c")], '{"a":1, "c" : 2}'),
        ('{"a":1, "b" : 2}', [Drop("/a"), Drop("/b")], "{}"),
        ('{"a":1,"b" : 2,"c":3}', [Drop("/b"), Drop("/c")], '{"a":1}'),
        ('{"a":1, "b" : 2}', [Rename("/a", "x"), Drop("/b")], '{"x":1}'),
        ('{"a":1.50, "b": true}', [Quote("/a"), Quote("/b")], '{"a":"1.50", "b": "true"}'),
        ('{"a": {"v": "1"}}', [Rename("/a", "v"), Write("/a", "1")], '{"v": "1"}'),
        ('{"a": {}}', [Add("/a/x", 1), Add("/a/y", 2), Add("/b", 3)], '{"a": {"x": 1, "y": 2}, "b": 3}'),
        ('{\n  "a": 1\n}', [Add("/b", "x", first=True)], '{\n  "b": "x",\n  "a": 1\n}'),
        ("{}", [Add("/b", 1, first=True)], '{\n  "b": 1\n}'),
        ('{"a": [{"x": 1, "y": 2}, {"x": 3}]}', [Drop("/a/0/x"), Drop("/a/1/x")], '{"a": [{"y": 2}, {}]}'),
    ],
)
def test_changes_of_one_step(text: str, changes: list[Change], expected: str) -> None:
    assert rewritten(text, *changes) == expected


def test_a_value_is_found_where_it_stood_before_several_steps() -> None:
    document = JsonDocument("server.json", b'{"gone": [1, 2], "old": {"deep": "x"}, "b": 1}')
    rewriting = Rewriting(document)
    rewriting.carry_out([Rename("/old", "new_name"), Drop("/gone")])
    rewriting.carry_out([Rename("/new_name/deep", "deeper"), Add("/first", {"a": 1}, first=True)])
    assert rewriting.origin("/new_name/deeper") == "/old/deep"
    assert rewriting.origin("/new_name") == "/old"
    assert rewriting.origin("/b") == "/b"
    assert rewriting.origin("") == ""
    assert rewriting.origin("/first") == "/first"


def test_a_value_that_replaced_another_is_found_where_that_one_stood() -> None:
    document = JsonDocument("server.json", b'{"a": {"v": "1", "w": 2}, "b": 1}')
    rewriting = Rewriting(document)
    rewriting.carry_out([Rename("/a", "v", "/a/v"), Write("/a", "1")])
    assert rewriting.origin("/v") == "/a/v"
    assert rewriting.origin("/b") == "/b"


def test_a_value_that_moved_is_found_where_it_came_from() -> None:
    rewriting = Rewriting(JsonDocument("server.json", b'{"x-y": {"a~b": [{"c": 1}]}, "m": {"n": {"o": 1}}}'))
    rewriting.carry_out([Drop("/x-y"), Add("/m/k~1l", {"a~b": [{"c": 1}]}, source="/x-y")])
    rewriting.carry_out([Rename("/m/n", "N"), Rename("/m/n/o", "O"), Rename("/m/k~1l", "K/L")])
    assert rewriting.document.data == {"m": {"N": {"O": 1}, "K/L": {"a~b": [{"c": 1}]}}}
    assert rewriting.origin("/m/K~1L/a~0b/0/c") == "/x-y/a~0b/0/c"
    assert rewriting.origin("/m/N/O") == "/m/n/o"
    assert rewriting.origin("/m/N/new") == "/m/n/new"

"""The step `input_values`."""

from __future__ import annotations

import pytest

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.migrate.rewrite import Rewriting
from mcp_lockstep.migrate.steps.input_values import input_values
from stepped import in_package, said, stepped


@pytest.mark.parametrize(("value", "text"), [(8000, "8000"), (True, "true"), (False, "false"), (0.5, "0.5")])
@pytest.mark.parametrize("key", ["default", "value"])
def test_numbers_and_switches_become_texts(key: str, value: object, text: str) -> None:
    after, moves = stepped(input_values, in_package(environmentVariables=[{key: value}]))
    assert after == in_package(environmentVariables=[{key: text}])
    assert said(moves) == [("note", "converted", f"/packages/0/environmentVariables/0/{key}")]


def test_the_digits_of_a_number_stay_as_they_are_written() -> None:
    raw = b'{"packages": [{"packageArguments": [{"default": 1.10, "choices": [1e2, "x", null]}]}]}'
    rewriting = Rewriting(JsonDocument("server.json", raw))
    data = in_package(packageArguments=[{"default": 1.1, "choices": [100.0, "x", None]}])
    rewriting.carry_out([change for move in input_values(data, "") for change in move.changes])
    assert rewriting.document.raw == (
        b'{"packages": [{"packageArguments": [{"default": "1.10", "choices": ["1e2", "x", null]}]}]}'
    )


def test_null_goes_and_the_format_of_paths_gets_its_name() -> None:
    data = in_package(environment_variables=[{"name": "A", "default": None, "format": "file_path"}])
    after, moves = stepped(input_values, data)
    assert after == in_package(environment_variables=[{"name": "A", "format": "filepath"}])
    assert [(level, kind) for level, kind, _ in said(moves)] == [("note", "converted"), ("note", "dropped")]


@pytest.mark.parametrize("value", [[1], {"a": 1}, "text", ""])
def test_anything_else_stays_for_the_rules(value: object) -> None:
    data = in_package(environmentVariables=[{"default": value, "isRequired": 1}])
    assert stepped(input_values, data) == (data, ())

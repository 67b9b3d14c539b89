"""The step `input_keys`."""

from __future__ import annotations

from mcp_lockstep.migrate.steps.input_keys import input_keys
from stepped import JsonObject, in_package, said, stepped


def test_keys_change_and_the_names_of_variables_do_not() -> None:
    inner: JsonObject = {"is_required": {"is_secret": True}, "value_hint": {"default": "is_repeated"}}
    data = in_package(
        runtimeArguments=[{"value_hint": "is_secret", "is_repeated": False, "variables": inner}]
    )
    after, moves = stepped(input_keys, data)
    new: JsonObject = {"is_required": {"isSecret": True}, "value_hint": {"default": "is_repeated"}}
    assert after == in_package(
        runtimeArguments=[{"valueHint": "is_secret", "isRepeated": False, "variables": new}]
    )
    assert [pointer for _, _, pointer in said(moves)] == [
        "/packages/0/runtimeArguments/0/value_hint",
        "/packages/0/runtimeArguments/0/is_repeated",
        "/packages/0/runtimeArguments/0/variables/is_required/is_secret",
    ]


def test_every_kind_of_input_is_found() -> None:
    each: JsonObject = {"is_required": True}
    data: JsonObject = {
        "packages": [
            {
                "packageArguments": [each],
                "environmentVariables": [each],
                "transport": {"headers": [each], "is_required": 1},
                "is_required": 1,
            }
        ],
        "remotes": [{"headers": [each], "variables": {"is_required": each}, "is_required": 1}],
        "_meta": {"is_required": each},
        "is_required": 1,
    }
    after, moves = stepped(input_keys, data)
    new: JsonObject = {"isRequired": True}
    assert after == {
        "packages": [
            {
                "packageArguments": [new],
                "environmentVariables": [new],
                "transport": {"headers": [new], "is_required": 1},
                "is_required": 1,
            }
        ],
        "remotes": [{"headers": [new], "variables": {"is_required": new}, "is_required": 1}],
        "_meta": {"is_required": each},
        "is_required": 1,
    }
    assert len(moves) == 5

"""Inputs of server.json as a program reads them."""

from __future__ import annotations

import pytest

from mcp_lockstep.contract.model import Argument, Variable
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.interface.inputs import argument_of, variable_of


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        (
            {"name": "KEY", "description": "Key.", "isRequired": True, "isSecret": True},
            Variable("KEY", "Key.", required=True, secret=True),
        ),
        (
            {"name": "UNITS", "default": "mm", "choices": ["mm", "inch"]},
            Variable("UNITS", default="mm", choices=("mm", "inch")),
        ),
        ({"name": "MODE", "value": "http"}, Variable("MODE", value="http")),
        ({"name": "N", "default": 5, "format": "number"}, Variable("N", default="5", format="number")),
        (
            {"name": "URL", "value": "https://{host}/{path}", "variables": {"host": {"default": "a"}}},
            Variable("URL", default="https://a/{path}"),
        ),
        ({"name": "URL", "value": "{host}", "variables": {"host": {}}}, Variable("URL")),
        (
            {"name": "URL", "value": "{host}", "variables": {"host": {"isRequired": True}}},
            Variable("URL", required=True),
        ),
        ({"name": 5, "default": None, "choices": "x", "isRequired": "yes"}, Variable("")),
    ],
)
def test_variables(item: JsonObject, wanted: Variable) -> None:
    assert variable_of(item) == wanted._replace(source=item)


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        (
            {"type": "positional", "valueHint": "folder", "isRepeated": True},
            Argument(hint="folder", repeated=True),
        ),
        ({"type": "positional", "name": "x", "value": "mcp"}, Argument(value="mcp")),
        (
            {"type": "named", "name": "--port", "default": "80", "format": "number"},
            Argument("--port", default="80", format="number"),
        ),
        (
            {"type": "named", "name": "--loud", "format": "boolean"},
            Argument("--loud", format="boolean", switch=True),
        ),
        (
            {"type": "named", "name": "--as", "value": "{who}", "variables": {"who": {"isRequired": True}}},
            Argument("--as", required=True),
        ),
    ],
)
def test_arguments(item: JsonObject, wanted: Argument) -> None:
    assert argument_of(item) == wanted._replace(source=item)

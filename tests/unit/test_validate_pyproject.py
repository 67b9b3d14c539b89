"""validate-pyproject takes our schema and judges our table by it."""

from __future__ import annotations

from importlib import import_module

import pytest

from mcp_lockstep.validate_pyproject import tool_schema

PROJECT = {"name": "weather", "version": "1.2.0"}


def test_the_schema_is_the_published_one() -> None:
    schema = tool_schema("mcp-lockstep")
    assert schema["$id"] == "urn:mcp-lockstep:config"
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ({}, ""),
        (
            {
                "name": "io.github.acme/weather",
                "ignore": {"LS2001": "known"},
                "places": [{"fact": "version", "place": "V"}],
            },
            "",
        ),
        ({"nmae": "x"}, "nmae"),
        ({"sdk": "mcp3"}, "sdk"),
        ({"models": [{"schema": "mcp@2026-07-28"}]}, "models[0]"),
        ({"contract": "../contract.json"}, "contract"),
    ],
)
def test_the_real_validator_judges_the_table(table: dict[str, object], fault: str) -> None:
    api = pytest.importorskip("validate_pyproject.api")
    plugins = import_module("validate_pyproject.plugins")
    errors = import_module("validate_pyproject.errors")
    wrapped = plugins.PluginWrapper("mcp-lockstep", tool_schema)
    validator = api.Validator(plugins=[wrapped])
    data = {"project": PROJECT, "tool": {"mcp-lockstep": table}}
    if not fault:
        validator(data)
        return
    with pytest.raises(errors.ValidationError, match="mcp-lockstep") as caught:
        validator(data)
    assert fault in str(caught.value)

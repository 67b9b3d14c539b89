"""What scaffolds leave in the place of texts, names and values, and what only looks like it."""

from __future__ import annotations

import pytest

from mcp_lockstep.rules import judge_data
from mcp_lockstep.rules.samples import is_placeholder, is_sample_name, is_sample_value, placeholders

LEFT = [
    "An MCP server that provides [describe what your server does]",
    "An MCP server that [insert description here].",
    "MCP server for [Your Company Name]",
    "MCP server for <your API>",
    "<description>",
    "TODO",
    "TODO: describe",
    "TODO describe the server",
    "Your MCP server description",
    "Your server title",
    "A brief description of your amazing MCP server.",
    "A clear description of what your MCP server does",
    "Description of my MCP server",
    "Short description here",
    "Brief description",
    "Lorem ipsum dolor sit amet",
]
WRITTEN = [
    "Weather [beta] for your project",
    "Search [optional]",
    "Todo lists for teams",
    "TODO list manager",
    "Todoist for your assistant",
    "Your project board",
    "Your server logs, searched",
    "Notes [your data, your rules]",
    "See [your dashboard](https://acme.example)",
    "Files <b>in</b> your home",
    "Tasks: [add|list|done]",
    "Describe images [add captions]",
    "Alt text and description of your images",
    "A description generator for products",
    "{tenant} data",
    "[Beta] Search your company's docs [read-only]",
    "[Acme] Tools [beta]",
    "[Official] Acme MCP server [v2]",
    "<Acme> for teams <beta>",
]


@pytest.mark.parametrize("text", LEFT)
def test_a_text_that_nobody_wrote(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize("text", WRITTEN)
def test_a_text_that_somebody_wrote(text: str) -> None:
    assert not is_placeholder(text)


@pytest.mark.parametrize(("key", "told"), [("title", []), ("description", ["LS2023"])])
def test_a_server_for_lists_of_things_to_do_may_be_called_so(key: str, told: list[str]) -> None:
    assert [finding.code.id for finding in judge_data({key: "Todo"}, (placeholders,))] == told
    assert [finding.code.id for finding in judge_data({key: "TODO: write it"}, (placeholders,))] == ["LS2023"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"default": "YOUR_API_KEY"}, ["default"]),
        ({"value": "changeme"}, ["value"]),
        ({"description": "TODO: describe"}, ["description"]),
        (
            {"placeholder": "YOUR_API_KEY", "default": "metric", "description": "Todo lists are kept here."},
            [],
        ),
    ],
)
def test_what_an_input_gives_and_says(said: dict[str, str], told: list[str]) -> None:
    package = {"registryType": "pypi", "environmentVariables": [{"name": "WEATHER_KEY", **said}]}
    found = judge_data({"packages": [package]}, (placeholders,))
    assert [fault.pointer for fault in found] == [f"/packages/0/environmentVariables/0/{key}" for key in told]


@pytest.mark.parametrize(
    "name",
    [
        "your-package",
        "your_mcp_server",
        "@your-username/your-package",
        "@yourorg/weather",
        "docker.io/your-username/your-server:1.0.0",
        "YourUsername.MyMcpServer",
        "<your.package.id>",
        "https://github.com/YOUR_GITHUB_USERNAME/YOUR_REPO_NAME",
        "https://github.com/[your-username]/weather",
        "https://github.com/<owner>/<repo>",
        "https://github.com/owner/repo",
        "https://github.com/username/repo.git",
        "@owner/repo",
        "https://your-server.example.com/mcp",
        "https://api.yourcompany.com/mcp",
        "https://acme.example/mcp?key=YOUR_API_KEY",
        "io.github.YOUR_HANDLE/weather",
        "com.yourcompany/weather",
    ],
)
def test_a_name_that_nobody_chose(name: str) -> None:
    assert is_sample_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "know-your-customer",
        "your-own-mcp",
        "yourself-mcp",
        "io.github.acme/your-data-mcp",
        "weather[http]",
        "https://{your-tenant}.acme.example/mcp",
        "https://github.com/${YOUR_ORG}/weather",
        "https://github.com/__YOUR_ORG__/weather",
        "https://github.com/@YOUR_ORG@/weather",
        "https://github.com/acme/repo",
        "https://acme.example/org/reports",
    ],
)
def test_a_name_that_somebody_chose(name: str) -> None:
    assert not is_sample_name(name)


@pytest.mark.parametrize(
    "value",
    [
        "your-api-key-here",
        "YOUR_API_KEY",
        "<API_KEY>",
        "Bearer <token>",
        "Bearer YOUR_TOKEN",
        "insert-key-here",
        "changeme",
        "REPLACE_ME",
        "https://your-instance.atlassian.net",
    ],
)
def test_a_value_that_everybody_has_to_replace(value: str) -> None:
    assert is_sample_value(value)


@pytest.mark.parametrize(
    "value",
    ["Hello <name>", "{your_token}", "Bearer {token}", "$YOUR_KEY", "resume", "there", "<b>x</b>", "me"],
)
def test_a_value_that_can_be_used(value: str) -> None:
    assert not is_sample_value(value)


@pytest.mark.parametrize("text", ["[add your " * 20_000, "<your " * 20_000, "your-server-" * 20_000])
def test_hostile_texts_take_no_time(text: str) -> None:
    assert not is_placeholder(text)
    is_sample_name(text)
    is_sample_value(text)

"""Credentials in addresses: what is one, what a client or a release job fills in, and that none is printed."""

from __future__ import annotations

import pytest

from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.rules import judge_data
from mcp_lockstep.rules.secrets import KEY_GIVEN, secret_in
from mcp_lockstep.secrecy import masked_text

TOKEN = "ghp_0123456789abcdefABCDEF0123456789abcd"
HEX = "0123456789abcdef0123456789abcdef"

HELD = [
    (f"https://{TOKEN}@acme.example/mcp", TOKEN, "a key in the place of a user"),
    (f"https://{HEX}@acme.example/1", HEX, "a key in the place of a user"),
    ("https://me:hunter2@acme.example/mcp/{{VERSION}}", "hunter2", "a password"),
    ("https://me:hunter2@{tenant}.acme.example/mcp", "hunter2", "a password"),
    ("https://me:hunter$@acme.example", "hunter$", "a password"),
    ("https://acme.example/mcp?api_key=abc123&v=$VERSION", "abc123", 'a value for "api_key"'),
    ("https://acme.example/mcp?a=1&apiKey=abc123", "abc123", 'a value for "apiKey"'),
    ("https://acme.example/mcp?x;access_token=abc123", "abc123", 'a value for "access_token"'),
    ("https://acme.example/mcp#accessToken=abc123", "abc123", 'a value for "accessToken"'),
    ("https://acme.example/?client_secret=abc123", "abc123", 'a value for "client_secret"'),
    ("https://acme.example/?subscription-key=abc123", "abc123", 'a value for "subscription-key"'),
    ("https://acme.example/?pwd=abc123", "abc123", 'a value for "pwd"'),
    ("https://acme.example/?key=AIza0123456789abcd", "AIza0123456789abcd", 'a value for "key"'),
    ("https://acme.example/?key=hunter-2Zq9-abcdef", "hunter-2Zq9-abcdef", 'a value for "key"'),
    ("https://acme.example/?code=ab12-cd34-ef56-7890", "ab12-cd34-ef56-7890", 'a value for "code"'),
    ("https://acme.example/?token=required2025", "required2025", 'a value for "token"'),
    ("https://acme.example/?sig=0123456789abcdef", "0123456789abcdef", 'a value for "sig"'),
    (f"https://acme.example/s/{TOKEN}/mcp", TOKEN, "a key"),
]


@pytest.mark.parametrize(("address", "secret", "said"), HELD)
def test_what_an_address_holds(address: str, secret: str, said: str) -> None:
    assert secret_in(address) == said
    assert secret not in masked_text(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://me@acme.example/mcp",
        "https://{user}:{password}@acme.example",
        "https://$USER:$PASSWORD@acme.example",
        "https://{{USER}}:{{PASSWORD}}@acme.example",
        "https://acme.example/?token={token}&api_key={{KEY}}&secret=$SECRET&pwd=",
        "https://acme.example/?api_key=YOUR_API_KEY&token=<token>&secret=%7Bsecret%7D",
        "https://acme.example/?key=weather&auth=oauth2&maxtoken=500&use_token=true&monkey=1",
        "https://acme.example/?key=getting-started-2025&code=mcp-server-2025-edition&token=required",
        "https://acme.example/?sort_key=created_2024_01_01&public_key=abc123",
        "https://acme.example/?email=me:you@acme.example",
        "https://github.com/acme/weather/releases/download/v1.2.0/weather-mcp-1.2.0.mcpb",
        f"ghcr.io/acme/weather@sha256:{HEX}{HEX}",
        "@acme/weather",
        "weather",
    ],
)
def test_what_is_no_secret(address: str) -> None:
    assert secret_in(address) == ""


def given(kind: str, entry: JsonObject) -> list[tuple[str, str]]:
    """Pointer and message of what is said about a key in an input of that kind."""
    package: JsonObject = {"registryType": "pypi", "transport": {"type": "stdio"}, kind: [entry]}
    faults = judge_data({"packages": [package]})
    return [(fault.pointer, fault.message) for fault in faults if fault.code is KEY_GIVEN]


@pytest.mark.parametrize("key", ["value", "default"])
@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("environmentVariables", {"name": "X"}),
        ("environmentVariables", {"name": "X", "isSecret": True}),
        ("packageArguments", {"type": "named", "name": "--token"}),
        ("runtimeArguments", {"type": "positional"}),
    ],
)
@pytest.mark.parametrize("value", [TOKEN, f"Bearer {TOKEN}", "sk-live-abcdef0123456789abcdef"])
def test_a_key_in_an_input_is_told_and_not_shown(value: str, kind: str, entry: JsonObject, key: str) -> None:
    ((pointer, message),) = given(kind, {**entry, key: value})
    assert pointer == f"/packages/0/{kind}/0/{key}"
    assert message == f"`packages[0].{kind}[0].{key}` is a key; it would be published."


def test_a_value_that_is_said_to_be_secret_need_not_tell_whose_it_is() -> None:
    long = "aB3dE5gH7jK9mN1pQ3sT5vX7"
    assert len(given("environmentVariables", {"name": "X", "default": long, "isSecret": True})) == 1
    assert given("environmentVariables", {"name": "X", "default": long}) == []


@pytest.mark.parametrize(
    "value",
    [
        "sk-your-api-key-goes-here",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
        "{token}",
        "Bearer {token}",
        "${GITHUB_TOKEN}",
        "{{TOKEN_OF_2025_AND_LATER}}",
        "gpt-5-mini-2025-08-07",
        "postgres://me:hunter2@localhost:5432/notes",
        "text-embedding-3-large",
    ],
)
def test_what_is_no_key_in_an_input(value: str) -> None:
    assert given("environmentVariables", {"name": "X", "default": value, "isSecret": True}) == []

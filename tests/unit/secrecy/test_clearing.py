"""What is written elsewhere of a server.json repeats no secret, and everything else."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.secrecy import masked_text
from mcp_lockstep.secrecy.clearing import cleared, without_credentials

TOKEN = "ghp_0123456789abcdefABCDEF0123456789abcd"


@pytest.mark.parametrize(
    ("data", "after", "taken"),
    [
        ({"isSecret": True, "default": "x", "x": 1}, {"isSecret": True, "x": 1}, ["/default"]),
        ({"name": "A", "isSecret": True, "choices": ["x", "y"]}, {"name": "A", "isSecret": True}, ["/choices/0"]),
        ({"name": "API_TOKEN", "value": "x"}, {"name": "API_TOKEN"}, ["/value"]),
        ({"name": "A", "default": TOKEN}, {"name": "A"}, ["/default"]),
        ({"isSecret": True, "value": {"deep": ["x"]}}, {"isSecret": True, "value": {}}, ["/value/deep/0"]),
        ({"description": f"Use {TOKEN}."}, {"description": "Use ***."}, ["/description"]),
        ({"url": "https://me:pw@a.example/x"}, {"url": "https://a.example/x"}, ["/url"]),
        ({"headers": [{"name": "X", "value": "Kx7hunter2zz"}]}, {"headers": [{"name": "X"}]}, ["/headers/0/value"]),
        ({"name": "API_TOKEN", "value": "{user}-Kx7hunter2zz"}, {"name": "API_TOKEN"}, ["/value"]),
        ({"headers": [{"value": "a", "isSecret": True}]}, {"headers": [{"isSecret": True}]}, ["/headers/0/value"]),
    ],
)  # fmt: skip
def test_secrets_are_taken_out(data: JsonObject, after: JsonObject, taken: list[str]) -> None:
    before = copy.deepcopy(data)
    assert cleared(data) == (after, tuple(taken))
    assert data == before
    assert cleared(after).taken == ()


@pytest.mark.parametrize(
    "data",
    [
        {"name": "A", "isSecret": True, "default": ""},
        {"name": "A", "isSecret": True, "value": "{token}"},
        {"headers": [{"name": "Authorization", "value": "Bearer {token}"}]},
        {"headers": [{"name": "Accept", "value": "application/json"}]},
        {"name": "DATABASE_PASSWORD", "value": "postgres://{user}:{password}@db/weather"},
        {"url": "https://{user}:{password}@a.example/?api_key={key}&unit=c"},
        {"name": "TOKENS_PER_MINUTE", "default": "100"},
        {"url": "https://a.example/?city=Oban"},
    ],
)
def test_what_is_none_or_only_asks_stays(data: JsonObject) -> None:
    assert cleared(data) == (data, ())


@pytest.mark.parametrize(
    ("address", "bare"),
    [
        ("https://me@a.example", "https://a.example"),
        ("https://a.example/?api_key=x", "https://a.example/"),
        ("https://a.example/?api_key=x#top", "https://a.example/#top"),
        ("https://a.example/?api_key=x&b=2", "https://a.example/?b=2"),
        ("https://a.example/?b=2&my-token=x", "https://a.example/?b=2"),
        ("https://a.example/?secret=x&token=y&password=z", "https://a.example/"),
        ("https://a.example/?b=1&secret=x&c=2", "https://a.example/?b=1&c=2"),
        ("https://a.example/?token={token}&key=x", "https://a.example/?token={token}"),
        ("https://a.example/?pwd=hunter2&b=2", "https://a.example/?b=2"),
        ("https://a.example/?b=2;credentials=x", "https://a.example/?b=2"),
        ("https://a.example/?a.token=x;b=2", "https://a.example/?b=2"),
        ("https://a.example/#token=x", "https://a.example/"),
        ("https://a.example/#token=x&b=2", "https://a.example/#b=2"),
        ("https://a.example/?code=abcd1234efgh5678&key=x", "https://a.example/"),
        ("https://a.example/?code=de", "https://a.example/?code=de"),
        ("https://a.example/?key=getting-started-2025", "https://a.example/?key=getting-started-2025"),
        (
            "https://a.example/?code=mcp-server-2025-edition",
            "https://a.example/?code=mcp-server-2025-edition",
        ),
        ("https://a.example/?token=required", "https://a.example/?token=required"),
        ("https://a.example/?token=getting-started-2025", "https://a.example/"),
        (f"https://a.example/{TOKEN}/mcp", "https://a.example/***/mcp"),
    ],
)
def test_an_address_loses_what_opens_doors(address: str, bare: str) -> None:
    assert without_credentials(address) == bare


@pytest.mark.parametrize(
    "query", ["?pwd=hunter2", "?credential=hunter2", "?a=1;token=hunter2", "#token=hunter2"]
)
def test_what_no_finding_shows_is_not_written_elsewhere(query: str) -> None:
    address = f"https://a.example/mcp{query}"
    assert "hunter2" not in masked_text(address)
    found = cleared({"remotes": [{"type": "sse", "url": address}]})
    assert (found.taken, "hunter2" in str(found.data)) == (("/remotes/0/url",), False)


def test_published_files_lose_nothing(shared: Path) -> None:
    seeds = shared / "seeds"
    for path in (*(seeds / "server-json-examples").glob("*.json"), seeds / "registry-list.example.json"):
        data = json.loads(path.read_bytes())
        assert cleared(data) == (data, ()), path.name

"""What is masked before anything is printed, and what is not."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.findings import Finding
from mcp_lockstep.rules.samples import PLACEHOLDER_TEXT
from mcp_lockstep.secrecy import looks_like_key, masked, masked_text, secret_pointers, without_secrets


@pytest.mark.parametrize(
    ("value", "pointers"),
    [
        ({"name": "A", "isSecret": True, "value": "x", "description": "d"}, ["/value"]),
        ({"name": "A", "is_secret": True, "choices": ["x", "y"]}, ["/choices/0", "/choices/1"]),
        ({"name": "GH_TOKEN", "default": "x"}, ["/default"]),
        ({"name": "TOKENS_PER_MINUTE", "default": "100"}, []),
        ({"name": "SECRETARY", "default": "x"}, []),
        ({"name": "A", "isSecret": False, "default": "x"}, []),
        ({"variables": {"api_key": {"value": "x"}, "city": {"value": "y"}}}, ["/variables/api_key/value"]),
        (
            {"apiKey": "x", "api-key": "y", "password": "z", "keyword": "k"},
            ["/apiKey", "/api-key", "/password"],
        ),
        ({"url": "https://user:pw@acme.example"}, ["/url"]),
        ({"name": "--stripe-key", "value": "swordfish"}, ["/value"]),
        ({"name": "STRIPE_KEY", "default": "swordfish", "description": "The key."}, ["/default"]),
        ({"name": "STRIPE_KEY", "placeholder": "your-key", "description": "As STRIPE_KEY=your-key."}, []),
        ({"name": "--sort-key", "value": "name"}, []),
        ({"name": "PARTITION_KEY", "default": "city"}, []),
        ({"name": "JIRA_PROJECT_KEY", "default": "WEATHER"}, []),
        ({"name": "MONKEY", "default": "banana"}, []),
        ({"name": "--key-column", "default": "id"}, []),
        ({"a/b": {"name": "X_SECRET", "value": 7}}, ["/a~1b/value"]),
        ({"headers": [{"name": "X", "value": "a"}]}, ["/headers/0/value"]),
        ({"headers": [{"name": "X", "default": "a", "choices": ["a", "b"]}]}, []),
        ({"headers": [{"name": "X", "value": "a", "isSecret": False}]}, []),
        ({"isSecret": True, "value": {"deep": ["x"]}}, ["/value/deep/0"]),
    ],
)
def test_secrets_are_found_by_flag_name_and_form(value: object, pointers: list[str]) -> None:
    assert list(secret_pointers(value)) == pointers
    assert list(secret_pointers(masked(value))) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://user:pw@a.example/x", "https://***@a.example/x"),
        ("https://a.example/?api_key=x&b=2#c", "https://a.example/?api_key=***&b=2#c"),
        ("https://a.example/?b=2&access_token=x", "https://a.example/?b=2&access_token=***"),
        ("write to a@b.example", "write to a@b.example"),
        ("ghcr.io/acme/weather@sha256:aa", "ghcr.io/acme/weather@sha256:aa"),
    ],
)
def test_addresses_lose_their_credentials(text: str, shown: str) -> None:
    assert masked_text(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("MY_API_KEY=x", "MY_API_KEY=***"),
        ("--token=x", "--token=***"),
        ("_secret=x", "_secret=***"),
        ("mytoken=x", "mytoken=x"),
        ("--api-key=hunter2", "--api-key=***"),
        ("--stripe-key=hunter2Zq9", "--stripe-key=***"),
        ("--stripe-key=swordfish", "--stripe-key=***"),
        ("--stripe-key=required", "--stripe-key=required"),
        ("STRIPE_KEY=sword-fish_two.x --port=1", "STRIPE_KEY=*** --port=1"),
        ("--db-pass=none", "--db-pass=none"),
        ("--db-pass=nonesuch", "--db-pass=***"),
        ("--cache-key=Aa1", "--cache-key=Aa1"),
        ("--translation-key=x.y", "--translation-key=x.y"),
        ("--subtranslation-key=x.y", "--subtranslation-key=x.y"),
        ("monkey=banana", "monkey=banana"),
        ("run --db-pass=hunter2 --port=1", "run --db-pass=*** --port=1"),
        ("DB_PWD=hunter2", "DB_PWD=***"),
        ("--sort-key=Name2", "--sort-key=Name2"),
        ("--index-key=city_name", "--index-key=city_name"),
        ("--two-pass=true", "--two-pass=true"),
        ("--bypass=x", "--bypass=x"),
        ("--api-key=<key>", "--api-key=<key>"),
        (f"{'a_' * 100}token=x", f"{'a_' * 100}token=***"),
        (
            "pypi-mirror-of-our-company-for-uploads-token=x",
            "pypi-mirror-of-our-company-for-uploads-token=***",
        ),
        (f"eyJ{'a' * 1000}.{'b' * 5000}.c", "***"),
    ],
)
def test_values_with_a_name_and_tokens_are_masked(text: str, shown: str) -> None:
    assert masked_text(text) == shown


def test_a_short_secret_is_masked_as_a_whole_value_only() -> None:
    document = JsonDocument("server.json", b'{"inputs": [{"isSecret": true, "value": "al"}]}')
    place = document.place("/inputs/0/name")
    finding = Finding(PLACEHOLDER_TEXT, place, 'a final "al" is always meant', have="al", want="all")
    (found,) = without_secrets(document, (finding,))
    assert (found.message, found.have, found.want) == ('a final "***" is always meant', "***", "all")


@pytest.mark.parametrize("value", ["YOUR_KEY", "${X}", "{x}", "<key>", "changeme"])
def test_a_sample_of_a_secret_is_told_with_the_way_to_mend_it(value: str) -> None:
    raw = json.dumps({"inputs": [{"name": "STRIPE_KEY", "isSecret": True, "default": value}]}).encode()
    document = JsonDocument("server.json", raw)
    finding = Finding(
        PLACEHOLDER_TEXT, document.place("/inputs/0/default"), f'"{value}"', have=value, hint="Mend."
    )
    assert without_secrets(document, (finding,)) == (finding,)


@pytest.mark.parametrize(
    "begin",
    "gho_ ghp_ ghs_ ghu_ ghr_ github_pat_ glpat- sk- xoxb- AKIA AIza pypi- npm_ hf_".split(),
)
def test_a_key_that_tells_whose_it_is_is_masked_without_a_name(begin: str) -> None:
    key = begin + "A1B2" * 4 if begin == "AKIA" else begin + "A1B2" * 9
    assert masked_text(f"It is {key}, so far.") == "It is ***, so far."


@pytest.mark.parametrize("part", ["a-", "a_", "eyJ-abc-", "?a", "//a", "bearer "])
def test_a_long_text_with_many_beginnings_of_a_secret_is_read_at_once(part: str) -> None:
    # With a search from each of them to the end of the text this would take hours.
    text = part * 50_000 + " ="
    assert masked_text(text) == text


SAMPLES = [
    "postgresql://user:password@localhost:5432/db",
    "redis://:password@localhost",
    "YOUR_KEY",
    "Bearer YOUR_API_KEY",
    "https://acme.example/?api_key=your-key",
    "API_KEY=xxxx",
]


@pytest.mark.parametrize("key", ["placeholder", "description"])
@pytest.mark.parametrize("secret", [True, False])
@pytest.mark.parametrize("text", SAMPLES)
def test_a_sample_that_a_user_is_told_is_no_secret(key: str, secret: bool, text: str) -> None:
    assert list(secret_pointers({"name": "X", "isSecret": secret, key: text})) == []


@pytest.mark.parametrize("key", ["placeholder", "description"])
@pytest.mark.parametrize(
    "text", ["postgresql://user:hunter2@localhost/db", "redis://:s3cr3tZ@localhost", f"sk-{'aB3' * 12}"]
)
def test_a_secret_that_a_user_is_told_is_one(key: str, text: str) -> None:
    assert list(secret_pointers({"name": "X", key: text})) == [f"/{key}"]
    beside = {"name": "X", key: f"As redis://:password@localhost, or {text}"}
    shown = masked(beside)
    assert isinstance(shown, dict)
    assert "redis://:password@localhost" in shown[key] and text not in shown[key]


def test_a_placeholder_of_a_secret_that_is_no_sample_is_one() -> None:
    assert list(secret_pointers({"isSecret": True, "placeholder": "hunter2Zq9"})) == ["/placeholder"]


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("sentence-transformers/all-MiniLM-L6-v2", False),
        ("meta-llama/Meta-Llama-3-8B-Instruct", False),
        ("http://user@localhost:8000", False),
        ("http://user:hunter2@localhost:8000", True),
        ("http://4f9a8b7c6d5e4f3a2b1c@localhost", True),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", True),
        ("aB3dE5fG7hJ9kL1mN3pQ5rS7", True),
        ("aB3dE5fG-7hJ9kL1m-N3pQ5rS7t", True),
    ],
)
def test_names_of_readable_words_and_users_are_no_keys(value: str, key: bool) -> None:
    assert looks_like_key(value) is key
    assert list(secret_pointers({"name": "X", "default": value})) == (["/default"] if key else [])

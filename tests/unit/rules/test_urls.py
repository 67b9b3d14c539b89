from __future__ import annotations

import pytest

from mcp_lockstep.rules.image import parse_reference
from mcp_lockstep.rules.manifest import escaped, field, is_template, shown
from mcp_lockstep.rules.transport import substituted
from mcp_lockstep.rules.urls import parse_url


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("https://acme.example/a/b?c#d", ("https", "", "acme.example", "/a/b")),
        ("HTTP://me:pw@Acme.example:8080", ("http", "me:pw", "Acme.example", "")),
        ("https://[::1]:80/x", ("https", "", "[::1]", "/x")),
        ("https://[::1]", ("https", "", "[::1]", "")),
        ("https://acme.example:/", ("https", "", "acme.example", "/")),
        ("mailto:me@acme.example", ("mailto", "", "", "me@acme.example")),
        ("/docs:x", ("", "", "", "/docs:x")),
        ("docs", ("", "", "", "docs")),
        ("//host/x", ("", "", "host", "/x")),
        ("http:///mcp", ("http", "", "", "/mcp")),
        ("https://m\u00fcnchen.example/", ("https", "", "m\u00fcnchen.example", "/")),
        ("", ("", "", "", "")),
    ],
)
def test_the_parts_of_an_address(address: str, parts: tuple[str, str, str, str]) -> None:
    assert parse_url(address) == parts


@pytest.mark.parametrize(
    "address",
    [
        "https://a b/",
        "https://a:port/",
        "https://a\n/",
        "https://a/%zz",
        "https://a/%",
        "https://a:\u0661/",
        "https://a{b}/",
    ],
)
def test_what_no_reader_takes(address: str) -> None:
    assert parse_url(address) is None


@pytest.mark.parametrize(
    ("url", "filled"),
    [
        ("https://acme.example/mcp", "https://acme.example/mcp"),
        ("{scheme}://{host}:{port}/{path}", "http://example.com:8080/api"),
        ("https://{tenant}.acme.example:{--port}/x", "https://placeholder.acme.example:8080/x"),
        ("https://acme.example:{p}", "https://acme.example:8080"),
        ("{baseUrl}/mcp", "placeholder/mcp"),
    ],
)
def test_variables_are_filled_in_as_the_registry_does(url: str, filled: str) -> None:
    assert substituted(url) == filled


@pytest.mark.parametrize(
    "text", ["{{VERSION}}", "v{{ version }}", "$VERSION", "${VERSION}", "a-${X}-b", "@VERSION@"]
)
def test_what_a_release_job_fills_in(text: str) -> None:
    assert is_template(text)


@pytest.mark.parametrize("text", ["", "{x}", "1.0.0", "a$", "$5", "@acme/weather", "me@acme.example", "{{"])
def test_what_nobody_fills_in(text: str) -> None:
    assert not is_template(text)


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("acme/weather", ("", "acme/weather", "", "")),
        ("weather:1.0", ("", "weather", "1.0", "")),
        ("ghcr.io/acme/weather:1.0", ("ghcr.io", "acme/weather", "1.0", "")),
        ("localhost/weather", ("localhost", "weather", "", "")),
        ("host:5000/a/b:t@sha256:" + "a" * 64, ("host:5000", "a/b", "t", "sha256:" + "a" * 64)),
    ],
)
def test_the_parts_of_an_image_reference(identifier: str, parts: tuple[str, str, str, str]) -> None:
    assert parse_reference(identifier) == parts


@pytest.mark.parametrize(
    "identifier", ["", "Acme/weather", "a//b", "a:", "a@sha256:1", "https://ghcr.io/a", "a b"]
)
def test_what_is_no_image_reference(identifier: str) -> None:
    assert parse_reference(identifier) is None


def test_pointers_are_shown_as_people_write_them() -> None:
    assert field("") == "the file"
    assert field("/packages/0/transport/type") == "`packages[0].transport.type`"
    assert field("/_meta/a~1b~0c") == "`_meta.a/b~c`"
    assert field("/0") == "`0`"


def test_values_are_shown_on_one_short_printable_line() -> None:
    assert shown("a\nb") == '"a\\nb"'
    assert shown("\u202e") == '"\\u202e"'
    assert shown({"a": 1}) == "an object"
    assert shown([]) == "a list"
    assert shown(None) == "null"
    assert shown("https://u:p@h/") == '"https://***@h/"'
    assert len(shown("x" * 1000)) == 80
    assert escaped("\x7f\u2028") == "\\x7f\\u2028"


def test_variables_are_looked_for_in_addresses_that_a_person_could_write() -> None:
    """The end of each variable of a longer one would be looked for in all of the rest."""
    assert substituted("https://{host}:{port}/{a}") == "https://example.com:8080/placeholder"
    hostile = "https://h/" + ":{" * 400_000
    assert substituted(hostile) == hostile

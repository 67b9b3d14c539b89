"""The server.json that is made, and the keys that an existing server.json lacks."""

from __future__ import annotations

from mcp_lockstep.adopt.known import Known
from mcp_lockstep.adopt.manifest import additions, made, missing
from mcp_lockstep.facts.distribution import Distribution
from mcp_lockstep.facts.static import Stated
from mcp_lockstep.findings import Place

AT = Place("pyproject.toml", ":", "project")
URL = "https://static.modelcontextprotocol.io/schemas/{}/server.schema.json"


def known(version: str | None = "1.2.0") -> Known:
    distribution = Distribution(Stated(AT, "weather-mcp"), Stated(AT, version))
    return Known(distribution=distribution, on_pypi=True)


def test_made_for_a_distribution() -> None:
    assert made(known(), "io.github.acme/weather", "Forecasts.", "") == {
        "$schema": URL.format("2025-12-11"),
        "name": "io.github.acme/weather",
        "description": "Forecasts.",
        "version": "1.2.0",
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "weather-mcp",
                "version": "1.2.0",
                "transport": {"type": "stdio"},
            }
        ],
    }


def test_the_configured_revision_is_kept_to() -> None:
    assert made(known(), "a.b/c", "D.", "server@2025-10-17")["$schema"] == URL.format("2025-10-17")


def test_a_version_that_a_build_makes_is_a_placeholder() -> None:
    assert made(known(None), "a.b/c", "D.", "")["version"] == "{{VERSION}}"


def test_what_nobody_says_is_missing() -> None:
    nothing = Known(distribution=Distribution())
    assert list(missing(made(nothing, "", "", ""))) == ["name", "description", "version", "packages"]


def test_only_what_is_absent_is_added() -> None:
    data: dict[str, object] = {
        "name": "a.b/c",
        "description": "",
        "packages": [
            {"registryType": "pypi", "identifier": "Weather_MCP"},
            {"registryType": "pypi", "identifier": "other"},
            {"registryType": "oci", "identifier": "ghcr.io/a/b:1"},
            "no package",
        ],
    }
    assert additions(data, known(), "x.y/z", "D.", "") == {
        "/$schema": URL.format("2025-12-11"),
        "/version": "1.2.0",
        "/packages/0/version": "1.2.0",
    }

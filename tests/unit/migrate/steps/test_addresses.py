"""The step `addresses`."""

from __future__ import annotations

import pytest

from mcp_lockstep.bundled import catalog
from mcp_lockstep.migrate.steps.addresses import addresses
from stepped import in_package, said, stepped


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("nuget", "https://api.nuget.org"),
        ("nuget", "https://api.nuget.org/v3/index.json/"),
        ("pypi", "https://pypi.org/"),
        ("npm", "https://registry.npmjs.org/"),
        ("npm", "https://registry.npmjs.org"),
        ("pypi", "https://pypi.org"),
    ],
)
def test_the_usual_address_goes_in_any_spelling(kind: str, url: str) -> None:
    after, moves = stepped(addresses, in_package(registryType=kind, registryBaseUrl=url))
    assert after == in_package(registryType=kind)
    assert said(moves) == [("note", "dropped", "/packages/0/registryBaseUrl")]


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("pypi", "https://test.pypi.org"),
        ("npm", "https://api.nuget.org"),
        ("oci", "https://ghcr.io"),
    ],
)
def test_foreign_addresses_stay(kind: str, url: str) -> None:
    data = in_package(registryType=kind, registryBaseUrl=url)
    assert stepped(addresses, data) == (data, ())


def test_the_usual_address_stays_in_a_file_of_the_target() -> None:
    data = in_package(registryType="pypi", registryBaseUrl="https://pypi.org")
    data["$schema"] = catalog.server_url("2025-12-11")
    assert stepped(addresses, data) == (data, ())


def test_a_bundle_has_a_hash_and_no_registry_and_others_the_reverse() -> None:
    data: dict[str, object] = {
        "packages": [
            {"registryType": "mcpb", "registryBaseUrl": "https://github.com", "fileSha256": "0"},
            {"registryType": "pypi", "registryBaseUrl": "https://pypi.org", "fileSha256": "0"},
        ]
    }
    after, moves = stepped(addresses, data)
    assert after == {
        "packages": [
            {"registryType": "mcpb", "fileSha256": "0"},
            {"registryType": "pypi"},
        ]
    }
    assert said(moves) == [
        ("warning", "dropped", "/packages/0/registryBaseUrl"),
        ("warning", "dropped", "/packages/1/fileSha256"),
        ("note", "dropped", "/packages/1/registryBaseUrl"),
    ]

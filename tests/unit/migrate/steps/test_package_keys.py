"""The step `package_keys`."""

from __future__ import annotations

from mcp_lockstep.migrate.steps.package_keys import package_keys
from stepped import in_package, said, stepped


def test_the_eight_keys_lose_their_underscores_and_keep_their_order() -> None:
    old = ("registry_type", "registry_base_url", "file_sha256", "runtime_hint")
    lists = ("runtime_arguments", "package_arguments", "environment_variables")
    data = {"website_url": "https://a", **in_package(**{key: key for key in (*old, *lists)})}
    after, moves = stepped(package_keys, data)
    assert isinstance(after, dict)
    assert [*after] == ["websiteUrl", "packages"]
    assert [*after["packages"][0].items()] == [
        ("registryType", "registry_type"),
        ("registryBaseUrl", "registry_base_url"),
        ("fileSha256", "file_sha256"),
        ("runtimeHint", "runtime_hint"),
        ("runtimeArguments", "runtime_arguments"),
        ("packageArguments", "package_arguments"),
        ("environmentVariables", "environment_variables"),
    ]
    assert {kind for _, kind, _ in said(moves)} == {"moved"}


def test_where_both_stand_the_newer_stays() -> None:
    after, moves = stepped(package_keys, in_package(runtime_hint="a", runtimeHint="b", x=1))
    assert after == in_package(runtimeHint="b", x=1)
    assert said(moves) == [("warning", "dropped", "/packages/0/runtime_hint")]

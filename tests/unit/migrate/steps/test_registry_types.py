"""The step `registry_types`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.registry_types import registry_types
from stepped import in_package, said, stepped


@pytest.mark.parametrize("key", ["registry_type", "registryType"])
@pytest.mark.parametrize("old", ["docker", "docker-hub"])
def test_an_image_is_oci(key: str, old: str) -> None:
    after, moves = stepped(registry_types, in_package(**{key: old}))
    assert after == in_package(**{key: "oci"})
    assert said(moves) == [("note", "converted", f"/packages/0/{key}")]


@pytest.mark.parametrize("kind", ["homebrew", "pypi", "Docker", 7, None])
def test_any_other_kind_stays_for_the_rules(kind: object) -> None:
    assert stepped(registry_types, in_package(registryType=kind)) == (in_package(registryType=kind), ())

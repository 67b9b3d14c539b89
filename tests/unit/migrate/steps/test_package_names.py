"""The step `package_names`."""

from __future__ import annotations

from mcp_lockstep.migrate.steps.package_names import package_names
from stepped import in_package, said, stepped


def test_former_names_become_those_of_the_first_revision() -> None:
    after, moves = stepped(package_names, in_package(registry_name="pypi", name="weather", version="1"))
    assert after == in_package(registry_type="pypi", identifier="weather", version="1")
    assert said(moves) == [
        ("note", "moved", "/packages/0/registry_name"),
        ("note", "moved", "/packages/0/name"),
    ]


def test_the_newer_of_two_names_stays() -> None:
    data = in_package(registry_name="npm", registryType="pypi", name="weather", identifier="weather")
    after, moves = stepped(package_names, data)
    assert after == in_package(registryType="pypi", identifier="weather")
    assert said(moves) == [
        ("warning", "dropped", "/packages/0/registry_name"),
        ("note", "dropped", "/packages/0/name"),
    ]

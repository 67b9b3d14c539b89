"""Normal forms of identifiers and versions."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from mcp_lockstep.facts.normal import is_later, normal_identifier, normal_version, stage, version_key


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("1.2.0", "1.2.0"),
        ("1.2.0-rc.1", "1.2.0rc1"),
        ("1.2.0rc1", "1.2.0rc1"),
        ("1.2.0-alpha.1", "1.2.0a1"),
        ("1.2.0-beta", "1.2.0b0"),
        ("1.2.0-preview.2", "1.2.0rc2"),
        ("1.2.0.c3", "1.2.0rc3"),
        ("v1.2.0", "1.2.0"),
        ("V2", "2"),
        (" 1.02.0\n", "1.2.0"),
        ("1.3.0.dev5", "1.3.0.dev5"),
        ("1.3.0-dev.5", "1.3.0.dev5"),
        ("1.0-1", "1.0.post1"),
        ("1.0.REV2", "1.0.post2"),
        ("1.0.post", "1.0.post0"),
        ("0!1.0", "1.0"),
        ("1!1.0", "1!1.0"),
        ("10!1.0", "10!1.0"),
        ("1.2.0+Build.007", "1.2.0+build.7"),
        ("1.2.0-rc.1+sha.5114f85", "1.2.0rc1+sha.5114f85"),
        ("1.0a1.post2.dev3+x_y-z", "1.0a1.post2.dev3+x.y.z"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_version_in_normal_form(text: str, normal: str) -> None:
    assert normal_version(text) == normal
    assert normal_version(normal) == normal


@pytest.mark.parametrize(
    "text", ["", "latest", "1.2.0-rc.1.2", "^1.2", "1.2.*", "{{VERSION}}", "1.0.po\u017ft1", "\u0661.0"]
)
def test_what_is_no_version_stays(text: str) -> None:
    assert normal_version(text) == text
    assert version_key(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [("1.2", "1.2.0"), ("v1", "1.0.0"), ("1.0rc1", "1.0.0-rc.1"), ("0.0", "0"), ("1.0+a", "1+A")],
)
def test_one_release_has_one_key(one: str, other: str) -> None:
    assert version_key(one) == version_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("1.2", "1.20"), ("1.0", "1.0.post0"), ("1.0+0", "1.0"), ("10", "1")]
)
def test_two_releases_have_two_keys(one: str, other: str) -> None:
    assert version_key(one) != version_key(other)


def test_identifier_in_normal_form() -> None:
    assert normal_identifier("My_Widget..MCP-_server") == "my-widget-mcp-server"


def test_version_spelling_case(shared: Path) -> None:
    folder = shared / "cases" / "16-version-spelling"
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    server = json.loads((folder / "server.json").read_text(encoding="utf-8"))
    assert {normal_version(project), normal_version(server["version"])} == {"1.2.0rc1"}


IN_ORDER = """1.0.dev1 1.0a1.dev1 1.0a1 1.0a2 1.0b1 1.0rc1.dev1 1.0rc1 1.0 1.0+abc 1.0.post1.dev1 1.0.post1 1.0.1.dev1
1.0.1 1.2 1.10 1.99999999999999999999 2.0.0.dev0 2 1!0.1""".split()


def test_versions_come_in_the_order_of_pep_440() -> None:
    for index, later in enumerate(IN_ORDER):
        assert [one for one in IN_ORDER if is_later(later, one)] == IN_ORDER[:index]


@pytest.mark.parametrize(
    ("one", "other"),
    [("1.0", "1"), ("v1.0", "1.0.0"), ("1.0-rc.1", "1.0rc1"), ("1.0+a", "1.0+b"), ("2", "next")],
)
def test_neither_is_later(one: str, other: str) -> None:
    assert not is_later(one, other)
    assert not is_later(other, one)


@pytest.mark.parametrize(
    ("version", "wanted"),
    [
        ("1.0", 0),
        ("1.0.post1", 0),
        ("next", 0),
        ("1.0-rc.1", 1),
        ("1.0a1", 1),
        ("1.0a1.dev1", 2),
        ("1.0+abc", 2),
    ],
)
def test_how_far_a_version_is_from_a_release(version: str, wanted: int) -> None:
    assert stage(version) == wanted

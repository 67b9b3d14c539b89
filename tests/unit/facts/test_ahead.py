"""A project on the way to its next version, beside a server.json that publishes the last one."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.facts.ahead import published_before
from mcp_lockstep.facts.table import FACTS, Home, Reading
from mcp_lockstep.findings import parse_place
from mcp_lockstep.judge import Accept, judge
from mcp_lockstep.lock import Lock
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

OWNER = "pyproject.toml:project.version"
FIRST, SECOND = "server.json#/version", "server.json#/packages/0/version"


def reading(place: str, value: str, home: Home = "manifest") -> Reading:
    return Reading("version", home, parse_place(place), value)


@pytest.mark.parametrize(
    ("project", "published", "ahead"),
    [
        ("1.3.0.dev5", "1.2.0", True),
        ("1.3.0.dev5", "1.2.0.post1", True),
        ("1.2.0.post1.dev1", "1.2.0", True),
        ("1.2.0+abc", "1.2.0", True),
        ("1.3.0rc1", "1.2.0", True),
        ("1.3.0rc2.dev1", "1.3.0-rc.1", True),
        # released, older, or of a kind that is published
        ("1.3.0", "1.2.0", False),
        ("1.3.0.post1", "1.2.0", False),
        ("1.2.0.dev5", "1.2.0", False),
        ("1.2.0rc1", "1.2.0", False),
        ("1.3.0rc2", "1.3.0-rc.1", False),
        ("1.3.0.dev6", "1.3.0.dev5", False),
        ("1.3.0.dev5", "latest", False),
        ("1.3.0.dev5", "2025-12-11", False),
    ],
)
def test_ahead_is_later_and_less_released(project: str, published: str, ahead: bool) -> None:
    readings = [reading(SECOND, "0.1"), reading(FIRST, published)]
    found = published_before(FACTS["version"], readings, reading(OWNER, project, "pyproject"))
    assert found == (readings[1] if ahead else None)


def test_server_json_is_not_ahead_of_itself() -> None:
    readings = [reading(FIRST, "1.2.0")]
    assert published_before(FACTS["version"], readings, reading(SECOND, "1.3.0.dev5")) is None
    assert published_before(FACTS["version"], readings, None) is None


def project(version: str, first: str, second: str) -> Project:
    package = {"registryType": "pypi", "identifier": "w", "version": second, "transport": {"type": "stdio"}}
    data = {"name": "io.github.acme/weather", "version": first, "packages": [package]}
    files = {
        "pyproject.toml": f'[project]\nname = "w"\nversion = "{version}"\n'.encode(),
        "server.json": json.dumps(data).encode(),
        "w/__init__.py": b'__version__ = "1.2.0"\n',
    }
    return Project(Tree(Memory(files)))


NEVER = Lock()


def told(
    found: Project, base: Lock = NEVER, accept: Accept | None = None
) -> list[tuple[str, str, str, bool]]:
    judgement = judge(found, base, accept, "version")
    return [(f.code.slug, str(f.place), f.want or "", f.fixable) for f in judgement.findings]


IN_CODE = ("version-drift", "w/__init__.py::__version__", "1.3.0.dev5", True)


def test_it_is_told_once_and_the_rest_of_the_project_follows() -> None:
    found = project("1.3.0.dev5", "1.2.0", "1.2.0")
    assert told(found) == [IN_CODE, ("dev-ahead", FIRST, "1.3.0.dev5", False)]
    judgement = judge(found, Lock(), None, "version")
    assert [edit.path for edit in judgement.edits] == ["w/__init__.py"]
    assert judgement.lock.facts == {"version": "1.2.0"}


def test_server_json_still_agrees_with_itself() -> None:
    found = project("1.3.0.dev5", "1.2.0", "1.1.0")
    assert told(found)[1:] == [
        ("version-drift", SECOND, "1.2.0", True),
        ("dev-ahead", FIRST, "1.3.0.dev5", False),
    ]


def test_what_server_json_names_somewhere_is_meant() -> None:
    found = project("1.3.0.dev5", "1.2.0", "1.3.0.dev5")
    assert told(found) == [("version-drift", FIRST, "1.3.0.dev5", True), IN_CODE]


def test_who_asks_for_it_gets_it() -> None:
    accept = Accept(parse_place(OWNER))
    found = project("1.3.0.dev5", "1.2.0", "1.2.0")
    assert told(found, accept=accept) == [
        ("version-drift", FIRST, "1.3.0.dev5", True),
        ("version-drift", SECOND, "1.3.0.dev5", True),
        IN_CODE,
    ]
    assert judge(found, Lock(), accept, "version").lock.facts == {"version": "1.3.0.dev5"}


@pytest.mark.parametrize("version", ["1.2.0.dev5", "1.1.0+abc"])
def test_what_is_no_release_is_not_written_over_one(version: str) -> None:
    found = project(version, "1.2.0", "1.2.0")
    assert [one for one in told(found) if one[1] in (FIRST, SECOND)] == [
        ("version-drift", FIRST, version, False),
        ("version-drift", SECOND, version, False),
    ]
    assert {
        finding.hint for finding in judge(found, Lock(), None, "version").findings if not finding.fixable
    } == {
        f"write the version that is released; `mcp-lockstep sync --accept {OWNER}` writes {version} all the same"
    }


def test_the_release_is_drift_again() -> None:
    found = project("1.3.0", "1.2.0", "1.2.0")
    assert [slug for slug, *_ in told(found, Lock({"version": "1.2.0"}))] == ["version-behind"] * 3

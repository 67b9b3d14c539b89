"""SARIF: what the standard asks for is there, and what it forbids is not."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import cast

import pytest

from mcp_lockstep import __version__
from mcp_lockstep.cli.sarif import write_sarif
from mcp_lockstep.findings import Code, Finding, Place, Position

ERROR = Code("LS0901", "an-error", "error", "A thing.", "Mend it.")
NOTE = Code("LS0903", "a-note", "note", "Another.", "Leave it.")
FINDINGS = (
    Finding(ERROR, Place("a b/ö:1.json", "#", "/a~1b/0"), 'x "\u202e', Position(7, 3, 8, 1), hint="do it"),
    Finding(NOTE, Place("pyproject.toml", ":", "project.version"), "y"),
    Finding(NOTE._replace(severity="note"), Place(""), "z", level="error"),
)

REQUIRED: dict[str, dict[str, type]] = {
    "log": {"version": str, "runs": list},
    "run": {"tool": dict, "results": list},
    "tool": {"driver": dict},
    "driver": {"name": str, "rules": list},
    "rule": {"id": str},
    "result": {"message": dict, "ruleId": str, "level": str, "locations": list},
    "message": {"text": str},
    "location": {"physicalLocation": dict},
    "physicalLocation": {"artifactLocation": dict, "region": dict},
    "artifactLocation": {"uri": str},
    "region": {"startLine": int, "startColumn": int, "endLine": int, "endColumn": int},
}
"""What this tool promises of each object; a superset of what the standard requires."""


def log_of(*findings: Finding) -> dict[str, object]:
    out = io.StringIO()
    write_sarif(findings, out)
    return cast("dict[str, object]", json.loads(out.getvalue()))


def lacking(log: dict[str, object]) -> Iterator[str]:
    """Everything that is missing or of another type."""
    yield from _lacking("log", log)
    for run in _objects(log["runs"]):
        yield from _lacking("run", run)
        driver = _object(_object(run["tool"])["driver"])
        yield from (*_lacking("tool", run["tool"]), *_lacking("driver", driver))
        for rule in _objects(driver["rules"]):
            yield from _lacking("rule", rule)
        for result in _objects(run["results"]):
            yield from (*_lacking("result", result), *_lacking("message", result["message"]))
            for location in _objects(result["locations"]):
                physical = _object(location["physicalLocation"])
                yield from _lacking("location", location)
                yield from _lacking("physicalLocation", physical)
                yield from _lacking("artifactLocation", physical["artifactLocation"])
                yield from _lacking("region", physical["region"])


def _lacking(kind: str, value: object) -> Iterator[str]:
    for key, wanted in REQUIRED[kind].items():
        if type(_object(value).get(key)) is not wanted:
            yield f"{kind}.{key}"


def _object(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return cast("dict[str, object]", value)


def _objects(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return [_object(item) for item in cast("list[object]", value)]


def test_every_object_has_what_the_standard_asks_for() -> None:
    log = log_of(*FINDINGS)
    assert list(lacking(log)) == []
    assert log["version"] == "2.1.0"
    assert log["$schema"] == "https://json.schemastore.org/sarif-2.1.0.json"
    (run,) = _objects(log["runs"])
    results = _objects(run["results"])
    assert {result["level"] for result in results} <= {"none", "note", "warning", "error"}
    rules = _objects(_object(_object(run["tool"])["driver"])["rules"])
    assert [rule["id"] for rule in rules] == sorted({str(result["ruleId"]) for result in results})


def test_a_result_says_what_and_where() -> None:
    (run,) = _objects(log_of(*FINDINGS)["runs"])
    first, second, third = _objects(run["results"])
    assert first == {
        "ruleId": "LS0901",
        "level": "error",
        "message": {"text": 'x "\\u202e\ndo it'},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a%20b/%C3%B6%3A1.json"},
                    "region": {"startLine": 7, "startColumn": 3, "endLine": 8, "endColumn": 1},
                },
                "logicalLocations": [{"fullyQualifiedName": "/a~1b/0"}],
            }
        ],
    }
    assert _objects(second["locations"])[0]["logicalLocations"] == [
        {"fullyQualifiedName": "/project/version"}
    ]
    assert third["level"] == "error"
    (location,) = _objects(third["locations"])
    assert _object(location["physicalLocation"])["artifactLocation"] == {"uri": "pyproject.toml"}


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/srv/a b/server.json", "file:///srv/a%20b/server.json"),
        ("servers/a/server.json", "servers/a/server.json"),
        ("dist/a.whl!a.dist-info/METADATA", "dist/a.whl%21a.dist-info/METADATA"),
        (".", "pyproject.toml"),
        ("", "pyproject.toml"),
    ],
)
def test_every_place_is_a_file_as_a_uri(path: str, uri: str) -> None:
    (run,) = _objects(log_of(FINDINGS[0]._replace(place=Place(path)))["runs"])
    (result,) = _objects(run["results"])
    physical = _object(_objects(result["locations"])[0]["physicalLocation"])
    assert physical["artifactLocation"] == {"uri": uri}


def test_a_rule_says_what_explain_says() -> None:
    (run,) = _objects(log_of(FINDINGS[0])["runs"])
    driver = _object(_object(run["tool"])["driver"])
    assert (driver["name"], driver["version"]) == ("mcp-lockstep", __version__)
    assert driver["rules"] == [
        {
            "id": "LS0901",
            "name": "AnError",
            "shortDescription": {"text": "A thing."},
            "fullDescription": {"text": "A thing."},
            "help": {"text": "Mend it."},
            "defaultConfiguration": {"level": "error"},
        }
    ]


def test_no_findings_are_a_log_too() -> None:
    log = log_of()
    assert list(lacking(log)) == []
    assert _objects(_objects(log["runs"])[0]["results"]) == []

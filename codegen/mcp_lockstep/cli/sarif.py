"""Findings as SARIF 2.1.0, the form in which code scanning services take them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NotRequired, TextIO, TypedDict

from mcp_lockstep import __version__
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.findings import Code, Finding, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Message(TypedDict):
    """A text."""

    text: str


class ArtifactLocation(TypedDict):
    """A file, as a URI: relative to the working folder, or absolute where the user named it so."""

    uri: str


class Region(TypedDict):
    """Lines and columns, from 1; columns are code points, the end is exclusive."""

    startLine: int
    startColumn: int
    endLine: int
    endColumn: int


class PhysicalLocation(TypedDict):
    """A part of a file."""

    artifactLocation: ArtifactLocation
    region: Region


class LogicalLocation(TypedDict):
    """The value, by its JSON pointer."""

    fullyQualifiedName: str


class Location(TypedDict):
    """Where a result is: always a file, and a value in it where there is one."""

    physicalLocation: PhysicalLocation
    logicalLocations: NotRequired[list[LogicalLocation]]


class Result(TypedDict):
    """One finding."""

    ruleId: str
    level: Severity
    message: Message
    locations: list[Location]


class Configuration(TypedDict):
    """How grave a rule is unless a result says otherwise."""

    level: Severity


class ReportingDescriptor(TypedDict):
    """One code."""

    id: str
    name: str
    shortDescription: Message
    fullDescription: Message
    help: Message
    defaultConfiguration: Configuration


def write_sarif(findings: Iterable[Finding], out: TextIO) -> None:
    """Write one run; results go out one by one, and the rules that they name follow."""
    codes: dict[str, Code] = {}
    head = {"$schema": SCHEMA, "version": "2.1.0"}
    out.write(f'{json.dumps(head)[:-1]}, "runs": [{{"columnKind": "unicodeCodePoints", "results": [')
    separator = "\n"
    for finding in findings:
        codes[finding.code.id] = finding.code
        out.write(separator + json.dumps(as_result(finding), ensure_ascii=False))
        separator = ",\n"
    rules = [_rule(codes[key]) for key in sorted(codes)]
    driver = {"name": "mcp-lockstep", "version": __version__, "rules": rules}
    out.write(f'\n], "tool": {{"driver": {json.dumps(driver, ensure_ascii=False)}}}}}]}}\n')


def as_result(finding: Finding) -> Result:
    """The finding as a SARIF result."""
    text = "\n".join(map(printable, filter(None, (finding.message, finding.hint))))
    return {
        "ruleId": finding.code.id,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [_location(finding)],
    }


def _location(finding: Finding) -> Location:
    line, column, end_line, end_column = finding.position
    location: Location = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(finding.place.path)},
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        }
    }
    if pointer := place_pointer(finding.place):
        location["logicalLocations"] = [{"fullyQualifiedName": pointer}]
    return location


def _uri(path: str) -> str:
    from os.path import isabs
    from urllib.parse import quote

    # Code scanning refuses a whole report for one result without a file.
    path = PYPROJECT if path in ("", ".") else path
    # A colon in the first segment would make a scheme of it.
    uri = quote(path.replace("\\", "/"), safe="/", errors="surrogateescape")
    # To Python 3.13 on Windows a path without a drive is none, and to a URI it is one all the same.
    return f"file:///{uri.lstrip('/')}" if uri.startswith("/") or isabs(path) else uri


def _rule(code: Code) -> ReportingDescriptor:
    return {
        "id": code.id,
        "name": "".join(word.capitalize() for word in code.slug.split("-")),
        "shortDescription": {"text": code.summary},
        "fullDescription": {"text": code.summary},
        "help": {"text": code.explain},
        "defaultConfiguration": {"level": code.severity},
    }

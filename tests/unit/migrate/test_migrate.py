"""A whole file moved: its style, what is said about it, and what is refused."""

from __future__ import annotations

import json

import pytest

from manifests import sound_manifest
from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.findings import Refused
from mcp_lockstep.migrate import migrate

URL = "https://static.modelcontextprotocol.io/schemas/{}/server.schema.json"
OLD = (
    "{\r\n"
    '\t"$schema": "https://static.modelcontextprotocol.io/schemas/2025-07-09/server.schema.json",\r\n'
    '\t"name" : "io.github.acme/weather",   "description": "F\\u00f6recasts.",\r\n'
    '\t"status": "deprecated",  "version": "1.2.0",\r\n'
    '\t"packages": [ { "registry_type":"pypi", "identifier":"weather", "version":"1.2.0",\r\n'
    '\t\t"transport": {"type": "stdio"}, "environment_variables": [\r\n'
    '\t\t\t{ "name": "CITY", "is_required" : true }\r\n'
    "\t\t] } ]\r\n"
    "}"
)
NEW = (
    "{\r\n"
    '\t"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",\r\n'
    '\t"name" : "io.github.acme/weather",   "description": "F\\u00f6recasts.",\r\n'
    '\t"version": "1.2.0",\r\n'
    '\t"packages": [ { "registryType":"pypi", "identifier":"weather", "version":"1.2.0",\r\n'
    '\t\t"transport": {"type": "stdio"}, "environmentVariables": [\r\n'
    '\t\t\t{ "name": "CITY", "isRequired" : true }\r\n'
    "\t\t] } ]\r\n"
    "}"
)


def document(data: object) -> JsonDocument:
    return JsonDocument("server.json", json.dumps(data, indent=2).encode())


def old_one(**keys: object) -> JsonDocument:
    base = {"name": "io.github.acme/weather", "description": "Forecasts.", "version": "1.2.0"}
    return document({"$schema": URL.format("2025-07-09"), **base, **keys})


def test_every_other_byte_stays() -> None:
    migrated = migrate(JsonDocument("server.json", b"\xef\xbb\xbf" + OLD.encode()))
    assert migrated.after.raw == b"\xef\xbb\xbf" + NEW.encode()
    assert [finding.code.slug for finding in migrated.left] == ["byte-order-mark"]


def test_a_file_of_today_is_left_alone() -> None:
    migrated = migrate(document(sound_manifest()))
    assert (migrated.changed, migrated.said, migrated.left) == (False, (), ())


def test_what_is_dropped_is_told_with_its_place_and_value() -> None:
    (dropped,) = [
        f for f in migrate(JsonDocument("server.json", OLD.encode())).said if f.severity == "warning"
    ]
    assert str(dropped.place) == "server.json#/status"
    assert dropped.position == (4, 12, 4, 24)
    assert dropped.have == '"deprecated"'
    assert dropped.message == '`status` is no part of the file since 2025-09-29; it was "deprecated".'


def test_places_are_those_of_the_file_before_whatever_was_renamed_around_them() -> None:
    made = old_one(
        packages=[{"registry_type": "docker", "name": "acme/w", "version": "1", "file_sha256": "0"}]
    )
    pointers = {place_pointer(finding.place): finding for finding in migrate(made).said}
    assert set(pointers) == {
        "/$schema",
        "/packages/0/registry_type",
        "/packages/0/name",
        "/packages/0/version",
        "/packages/0/file_sha256",
        "/packages/0/transport",
    }
    assert pointers["/packages/0/file_sha256"].position == made.where("/packages/0/file_sha256")


def test_a_step_runs_on_the_way_to_its_revision_and_beyond() -> None:
    made = old_one(status="active", website_url="https://acme.example")
    revisions = {}
    for revision in catalog.revisions("server"):
        after = migrate(made, revision).after.data
        assert isinstance(after, dict)
        revisions[revision] = sorted({"status", "website_url", "websiteUrl"}.intersection(after))
    assert revisions == {
        "2025-07-09": ["status", "website_url"],
        "2025-09-16": ["status", "websiteUrl"],
        **{late: ["websiteUrl"] for late in ("2025-09-29", "2025-10-11", "2025-10-17", "2025-12-11")},
    }


def test_what_a_person_must_decide_is_left_as_findings_on_the_file_after() -> None:
    made = old_one(packages=[{"registry_name": "homebrew", "name": "weather", "version": "1.2.0"}])
    migrated = migrate(made)
    assert [(f.code.slug, str(f.place)) for f in migrated.left] == [
        ("registry-type-unsupported", "server.json#/packages/0/registryType")
    ]
    assert migrated.left[0].position == migrated.after.where("/packages/0/registryType")


@pytest.mark.parametrize(
    "keys",
    [
        {"environment_variables": [{"name": "A", "is_secret": True, "default": None, "value": "s3cr3t"}]},
        {"environment_variables": [{"name": "A_TOKEN", "default": "s3cr3t", "choices": ["x"]}]},
        {"package_arguments": [{"type": "named", "name": "--api-key", "value": "--api-key=s3cr3t"}]},
        {"registry_base_url": "https://user:s3cr3t@ghcr.io", "registry_type": "mcpb"},
        {"registry_base_url": "https://ghcr.io/?token=s3cr3t", "registry_type": "oci"},
    ],
)
def test_no_secret_is_told(keys: dict[str, object]) -> None:
    package = {
        "registry_type": "pypi",
        "identifier": "acme/w",
        "version": "1",
        "transport": {"type": "stdio"},
    }
    migrated = migrate(old_one(packages=[{**package, **keys}]))
    told = [text for f in (*migrated.said, *migrated.left) for text in (f.message, f.have, f.want, f.hint)]
    assert told
    assert not [text for text in told if text and "s3cr3t" in text]


def test_a_dropped_object_is_told_whole_and_without_secrets() -> None:
    official = {"io.modelcontextprotocol.registry/official": {"id": "7", "token": "s3cr3t", "at": [1, None]}}
    (dropped,) = [f for f in migrate(old_one(_meta=official)).said if f.code.slug == "migrate-dropped"]
    assert dropped.have == json.dumps(
        {"io.modelcontextprotocol.registry/official": {"id": "7", "token": "***", "at": [1, None]}}
    )


@pytest.mark.parametrize(
    ("data", "to", "slug"),
    [
        ([], "", "other-kind-of-file"),
        ("text", "", "other-kind-of-file"),
        ({"servers": []}, "", "other-kind-of-file"),
        ({"manifest_version": "0.4"}, "", "other-kind-of-file"),
        ({"$schema": URL.format("2025-12-11")}, "2025-10-17", "migrate-newer-already"),
        ({"websiteUrl": "https://a"}, "2025-07-09", "migrate-newer-already"),
        ({"icons": []}, "2025-09-29", "migrate-newer-already"),
        ({}, "2025-10-12", "schema-not-bundled"),
    ],
)
def test_what_cannot_be_moved_is_refused(data: object, to: str, slug: str) -> None:
    with pytest.raises(Refused) as refused:
        migrate(document(data), to)
    assert [finding.code.slug for finding in refused.value.findings] == [slug]


@pytest.mark.parametrize(
    "keys",
    [
        {"packages": {"pypi": {}}},
        {"packages": [None, 7, "text", []]},
        {"remotes": {"streamable-http": {"url": "https://a"}}},
        {"remotes": [{"headers": 7, "variables": [1]}]},
        {"packages": [{"environment_variables": {"A": 1}, "transport": "stdio"}]},
        {"_meta": [], "version_detail": 7, "status": {}},
        {"ключ": "\u202e", "": {"": [[]]}, "a/b~c": 1},
    ],
)
def test_odd_shapes_are_no_reason_to_stop(keys: dict[str, object]) -> None:
    migrated = migrate(old_one(**keys))
    assert not migrate(JsonDocument("server.json", migrated.after.raw)).said

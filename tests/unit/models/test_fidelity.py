"""Every definition of every bundled schema: the models accept what the schema accepts, and give it back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from pydantic import ValidationError

from fidelity import ERGONOMIC, RIGHT, Models, counted, size, verdicts
from mcp_lockstep.bundled import catalog
from mcp_lockstep.config.styles import PROFILES, Profile, Style
from mcp_lockstep.schema.values import Json

LABELS = [entry.label for entry in catalog.entries()]


@pytest.mark.parametrize("label", LABELS)
def test_every_definition_is_judged_alike(label: str) -> None:
    schema = cast("Json", catalog.documented(*label.split("@")))
    counts = counted(Models(schema), schema, *size(1, 2), "our transcriptions")
    assert counts.keys() == RIGHT, counts


@pytest.mark.parametrize("label", LABELS)
def test_ergonomic_models_take_nulls_and_nothing_else_besides(label: str) -> None:
    schema = cast("Json", catalog.documented(*label.split("@")))
    models = Models(schema, Style("ergonomic"))
    counts = counted(models, schema, *size(1, 2), "our transcriptions, profile ergonomic")
    assert counts.keys() <= ERGONOMIC, counts
    assert counts["kept"] and counts["refused"]


def test_a_property_spelled_like_a_field_is_taken_for_it() -> None:
    schema: Json = {"type": "object", "title": "T", "properties": {"someText": {"type": "string"}}}
    models = Models(schema, Style("ergonomic"))
    assert models.back("", {"some_text": "a"}) == {"someText": "a"}
    assert models.back("", {"some_text": 5, "someText": "a"}) == {"some_text": 5, "someText": "a"}
    assert models.verdict("", {"some_text": 5}, valid=True) == "rejected"
    assert models.has_namesake([{"x": {"some_text": 5}}])
    assert not models.has_namesake({"someText": {"x": 5}})


def test_a_model_that_is_wrong_is_seen() -> None:
    strict: Json = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    lax: Json = {"type": "object", "properties": {"a": {"type": ["integer", "string"]}}}
    assert "accepted" in {verdict for verdict, _, _ in verdicts(Models(lax), strict, 4, 8)}
    assert "rejected" in {verdict for verdict, _, _ in verdicts(Models(strict), lax, 8, 8)}


@pytest.fixture(scope="module")
def server() -> Models:
    return Models(cast("Json", catalog.documented("server", "2025-12-11")))


def test_the_examples_of_server_json_come_back(shared: Path, server: Models) -> None:
    files = sorted((shared / "seeds/server-json-examples").glob("*.json"))
    assert len(files) == 12
    for file in files:
        value = cast("Json", json.loads(file.read_text(encoding="utf-8")))
        assert server.back("", value) == value, file.name


def test_the_version_latest_is_refused(server: Models) -> None:
    package: dict[str, Json] = {
        "registryType": "npm",
        "identifier": "@acme/weather",
        "version": "1.0.0",
        "transport": {"type": "stdio"},
    }
    assert server.back("Package", package) == package
    with pytest.raises(ValidationError):
        server.back("Package", package | {"version": "latest"})


@pytest.mark.parametrize("profile", PROFILES)
def test_the_official_examples_come_back(shared: Path, profile: Profile) -> None:
    models = Models(cast("Json", catalog.documented("mcp", "2026-07-28")), Style(profile))
    files = sorted((shared / "upstream/mcp/2026-07-28/examples").glob("*/*.json"))
    if not files:
        pytest.skip("the official examples are not there")
    assert len(files) == 129
    for file in files:
        value = cast("Json", json.loads(file.read_text(encoding="utf-8")))
        assert models.back(file.parent.name, value) == value, file.name

"""Every definition of every bundled schema: the models accept what the schema accepts, and give it back."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import TypeAdapter, ValidationError

from generated_modules import loaded
from mcp_lockstep import catalog
from mcp_lockstep.models import generate_models
from mcp_lockstep.models.examples import definitions
from mcp_lockstep.schema.instances import Schemas, broken_instances, valid_instances
from mcp_lockstep.schema.values import Json, same

LABELS = [entry.label for entry in catalog.entries()]
VALID, BROKEN = (int(n) for n in os.environ.get("MCP_LOCKSTEP_FIDELITY", "1,2").split(","))
"""How many instances of each definition; `MCP_LOCKSTEP_FIDELITY=12,40` is the full measure, and takes minutes."""


class Models:
    """The models of one schema, by definition."""

    def __init__(self, schema: Json) -> None:
        made = generate_models(schema)
        assert [finding for finding in made.findings if finding.severity == "error"] == []
        self._module, self._names = loaded(made.source), made.names
        self._adapters: dict[str, TypeAdapter[Any]] = {}

    def adapter(self, definition: str) -> TypeAdapter[Any]:
        """What reads and writes values of a definition (`""`: the root)."""
        if definition not in self._adapters:
            self._adapters[definition] = TypeAdapter(getattr(self._module, self._names[definition]))
        return self._adapters[definition]

    def back(self, definition: str, value: Json) -> Json:
        """`value` as the model gives it back. Raises ValidationError where the model refuses it."""
        adapter = self.adapter(definition)
        found = adapter.validate_json(json.dumps(value), by_alias=True, by_name=False)
        return cast("Json", json.loads(adapter.dump_json(found, by_alias=True, exclude_unset=True)))


def verdicts(models: Models, schema: Json, valid: int, broken: int) -> Iterator[str]:
    """A word for every instance: `kept` and `refused` are right, `changed`, `rejected` and `accepted` are not."""
    prepared = Schemas(schema)
    for name, pointer in definitions(schema):
        part: Json = {"$ref": f"#{pointer}"} if pointer else prepared.root
        definition = name if pointer else ""
        for instance in valid_instances(part, prepared, valid):
            try:
                yield "kept" if same(models.back(definition, instance.value), instance.value) else "changed"
            except ValidationError:
                yield "rejected"
        for wrong in broken_instances(part, prepared, broken):
            try:
                models.back(definition, wrong.value)
            except ValidationError:
                yield "refused"
            else:
                yield "accepted"


@pytest.mark.parametrize("label", LABELS)
def test_every_definition_is_judged_alike(label: str) -> None:
    schema = cast("Json", catalog.documented(*label.split("@")))
    counts = Counter(verdicts(Models(schema), schema, VALID, BROKEN))
    print(f"{label}: {dict(counts)}")
    assert counts["kept"] and counts["refused"]
    assert counts.keys() == {"kept", "refused"}


def test_a_model_that_is_wrong_is_seen() -> None:
    strict: Json = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    lax: Json = {"type": "object", "properties": {"a": {"type": ["integer", "string"]}}}
    assert Counter(verdicts(Models(lax), strict, 4, 8))["accepted"] > 0
    assert Counter(verdicts(Models(strict), lax, 8, 8))["rejected"] > 0


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


def test_the_official_examples_come_back(shared: Path) -> None:
    models = Models(cast("Json", catalog.documented("mcp", "2026-07-28")))
    files = sorted((shared / "upstream/mcp/2026-07-28/examples").glob("*/*.json"))
    if not files:
        pytest.skip("the official examples are not there")
    assert len(files) == 129
    for file in files:
        value = cast("Json", json.loads(file.read_text(encoding="utf-8")))
        assert models.back(file.parent.name, value) == value, file.name

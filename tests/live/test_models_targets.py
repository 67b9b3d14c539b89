"""Models for an older pydantic, on that pydantic: they say of every value what they say on the newest one."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from pydantic import TypeAdapter

import old_pydantic
from mcp_lockstep.bundled import catalog
from mcp_lockstep.config.styles import PROFILES, Profile, Style
from mcp_lockstep.models import ModelOptions, generate_models
from mcp_lockstep.models.examples import definitions
from mcp_lockstep.schema.instances import Schemas, broken_instances, valid_instances
from mcp_lockstep.schema.values import Json


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("label", ["mcp@2026-07-28", "server@2025-12-11", "rmcp-server@current"])
def test_the_verdicts_are_the_same(
    old_pydantic_python: str, tmp_path: Path, label: str, profile: Profile
) -> None:
    schema = cast("Json", catalog.documented(*label.split("@")))
    made = generate_models(schema, ModelOptions(style=Style(profile, python="3.10", pydantic="2.12")))
    path = tmp_path / "models.py"
    path.write_text(made.source, encoding="utf-8")
    given = [*cases(schema, made.names)]
    done = subprocess.run(
        [old_pydantic_python, "-I", str(Path(old_pydantic.__file__))],
        input=json.dumps({"module": str(path), "cases": given}),
        stdout=subprocess.PIPE, encoding="utf-8", check=True,
    )  # fmt: skip
    version, answers = json.loads(done.stdout)
    assert version.startswith("2.12.")
    newest = generate_models(schema, ModelOptions(style=Style(profile)))
    path.write_text(newest.source, encoding="utf-8")
    module = old_pydantic.module_at(str(path))
    adapters = {name: TypeAdapter(getattr(module, name)) for name, _ in given}
    assert answers == [old_pydantic.back(adapters[name], value) for name, value in given]


def cases(schema: Json, names: dict[str, str]) -> Iterator[tuple[str, Json]]:
    """A valid value and three broken ones for each definition, with its class."""
    prepared = Schemas(schema)
    for name, pointer in definitions(schema):
        part: Json = {"$ref": f"#{pointer}"} if pointer else prepared.root
        found = names[name if pointer else ""]
        yield from ((found, instance.value) for instance in valid_instances(part, prepared, 1))
        yield from ((found, broken.value) for broken in broken_instances(part, prepared, 3))

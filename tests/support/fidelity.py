"""Models against the schema they are made of: a word for every instance, and counts for the end of the run."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from generated_modules import loaded
from mcp_lockstep.config.styles import USUAL, Style
from mcp_lockstep.documents import make_pointer
from mcp_lockstep.documents.pointer import value_at
from mcp_lockstep.models import ModelOptions, generate_models
from mcp_lockstep.models.examples import definitions
from mcp_lockstep.schema.instances import Schemas, broken_instances, valid_instances
from mcp_lockstep.schema.values import Json, same
from tally import TALLY

RIGHT = {"kept", "refused"}
"""What `verdicts` says where models and schema agree."""
ERGONOMIC = RIGHT | {"null taken", "namesake taken"}
"""What it says of models of the profile `ergonomic`."""


def size(valid: int, broken: int) -> tuple[int, int]:
    """How many valid and broken instances of each definition: these, or what `MCP_LOCKSTEP_FIDELITY` says.

    `MCP_LOCKSTEP_FIDELITY=12,40` is the full measure, and takes minutes.
    """
    asked = os.environ.get("MCP_LOCKSTEP_FIDELITY", f"{valid},{broken}").split(",")
    return int(asked[0]), int(asked[1])


class Models:
    """The models of one schema, by definition."""

    def __init__(self, schema: Json, style: Style = USUAL) -> None:
        made = generate_models(schema, ModelOptions(style=style))
        self._by_name = style.profile == "ergonomic"
        assert [finding for finding in made.findings if finding.severity == "error"] == []
        self.source, self._names = made.source, made.names
        self._module = loaded(made.source)
        self._second_names = {
            name
            for cls in vars(self._module).values()
            if isinstance(cls, type) and issubclass(cls, BaseModel)
            for name, field in cls.model_fields.items()
            if field.alias not in (None, name)
        }
        self._adapters: dict[str, TypeAdapter[Any]] = {}

    def has_namesake(self, value: Json) -> bool:
        """Whether some object in `value` has a property spelled like a field that has another name on the wire."""
        if not self._by_name or not isinstance(value, dict | list):
            return False
        inner = value if isinstance(value, list) else [*value.values()]
        own = not self._second_names.isdisjoint(value) if isinstance(value, dict) else False
        return own or any(map(self.has_namesake, inner))

    def adapter(self, definition: str) -> TypeAdapter[Any]:
        """What reads and writes values of a definition (`""`: the root)."""
        if definition not in self._adapters:
            self._adapters[definition] = TypeAdapter(getattr(self._module, self._names[definition]))
        return self._adapters[definition]

    def back(self, definition: str, value: Json) -> Json:
        """`value` as the model gives it back. Raises ValidationError where the model refuses it."""
        adapter = self.adapter(definition)
        found = adapter.validate_json(json.dumps(value), by_alias=True, by_name=self._by_name)
        return cast("Json", json.loads(adapter.dump_json(found, by_alias=True, exclude_unset=True)))

    def verdict(self, definition: str, value: Json, *, valid: bool) -> str:
        """`kept` and `refused` are right; `changed`, `rejected` and `accepted` are not."""
        try:
            back = self.back(definition, value)
        except ValidationError:
            return "rejected" if valid else "refused"
        if not valid:
            return "accepted"
        return "kept" if same(back, value) else "changed"


def verdicts(models: Models, schema: Json, valid: int, broken: int) -> Iterator[tuple[str, str, Json]]:
    """The verdict on every instance, with the definition and the value.

    An accepted null where none may be, and an unknown property that is taken for a field, are verdicts of their own.
    """
    prepared = Schemas(schema)
    for name, pointer in definitions(schema):
        part: Json = {"$ref": f"#{pointer}"} if pointer else prepared.root
        definition = name if pointer else ""
        for instance in valid_instances(part, prepared, valid):
            verdict = models.verdict(definition, instance.value, valid=True)
            namesake = verdict != "kept" and models.has_namesake(instance.value)
            yield "namesake taken" if namesake else verdict, name, instance.value
        for wrong in broken_instances(part, prepared, broken):
            verdict = models.verdict(definition, wrong.value, valid=False)
            fault = value_at(wrong.value, make_pointer(wrong.instance_path))
            null = verdict == "accepted" and has_null(fault)
            yield "null taken" if null else verdict, name, wrong.value


def has_null(value: object) -> bool:
    """Whether `value` is null, or holds one: a union is at fault as a whole."""
    if isinstance(value, dict | list):
        return any(map(has_null, value if isinstance(value, list) else value.values()))
    return value is None


def counted(models: Models, schema: Json, valid: int, broken: int, kind: str) -> Counter[str]:
    """How often each verdict was given; tallied under `kind`, and the wrong ones are printed."""
    counts: Counter[str] = Counter()
    for verdict, name, value in verdicts(models, schema, valid, broken):
        counts[verdict] += 1
        if verdict not in ERGONOMIC:
            print(f"{verdict}: {name}: {json.dumps(value)[:400]}")
    TALLY[f"fidelity, {kind}: schemas"] += 1
    TALLY[f"fidelity, {kind}: definitions"] += len([*definitions(schema)])
    for verdict in ("kept", "refused", "changed", "rejected", "accepted", "null taken", "namesake taken"):
        TALLY[f"fidelity, {kind}: instances {verdict}"] += counts[verdict]
    return counts

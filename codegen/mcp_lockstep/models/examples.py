"""Example instances of every definition of a schema as files, with their verdicts, to test other implementations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from mcp_lockstep.documents import make_pointer
from mcp_lockstep.documents.data import as_object
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.generated.modules import Task
from mcp_lockstep.generated.recipe import recipe, seal_json
from mcp_lockstep.models.file import AGAIN, SOURCE, effective_schema
from mcp_lockstep.naming import ModuleName, distinct, module_name
from mcp_lockstep.plan import Generated
from mcp_lockstep.schema.codes import MALFORMED
from mcp_lockstep.schema.instances import Schemas, SchemaUnusable, broken_instances, valid_instances
from mcp_lockstep.schema.values import LISTS, MAPS, POOLS, SINGLE, Json, encoded
from mcp_lockstep.tree import join

MOST_VALID, MOST_BROKEN = 12, 40
"""So many examples of each definition at most: all keywords of a whole protocol take minutes."""
_ROOT = "#"
_ASSERTING = (
    SINGLE | LISTS | MAPS | {"$ref", "$dynamicRef", "const", "enum", "pattern", "required", "type"}
) - {*POOLS}
"""Keywords of which a root has at least one that is more than a list of definitions."""


def example_files(task: Task, folder: str) -> tuple[Generated, ...]:
    """A file in `folder` for the root of the schema and for each definition. Refused for no schema.

    Each holds `schema` (the JSON pointer of the definition), `valid` (values) and `invalid` (objects: `value`,
    `breaks`, the pointer of the keyword that refuses it, and `at`, the pointer of the part at fault).
    """
    # Which values are tried first depends on the order of keys, which means nothing in a schema.
    schema = cast("object", json.loads(encoded(cast("Json", effective_schema(task)))))
    try:
        prepared = Schemas(cast("Json", schema))
    except SchemaUnusable as unusable:
        raise Refused(Finding(MALFORMED, Place(task.schema.path), str(unusable))) from None
    found = dict(definitions(schema))
    names = distinct(found, _file_name)
    return tuple(
        _file(task, join(folder, f"{names[name]}.json"), pointer, prepared) for name, pointer in found.items()
    )


def definitions(schema: object) -> Iterator[tuple[str, str]]:
    """The parts of `schema` that have a name, each with its JSON pointer; `#` is the root, if it asserts anything."""
    table = as_object(schema)
    if table is None or table.keys() & _ASSERTING:
        yield _ROOT, ""
    for pool in POOLS:
        for name in as_object((table or {}).get(pool)) or {}:
            yield name, make_pointer((pool, name))


def _file_name(name: str) -> ModuleName:
    return module_name("document" if name == _ROOT else name)


def _file(task: Task, path: str, pointer: str, prepared: Schemas) -> Generated:
    made_of = recipe("instances", task.recipe, pointer)

    def make() -> str:
        return seal_json(made_of, SOURCE, _examples(task, pointer, prepared), AGAIN)

    return Generated(path, made_of, make)


def _examples(task: Task, pointer: str, prepared: Schemas) -> dict[str, object]:
    part: Json = {"$ref": f"#{pointer}"} if pointer else prepared.root
    return {
        "document": task.schema.label,
        "schema": f"#{pointer}",
        "valid": [instance.value for instance in valid_instances(part, prepared, MOST_VALID)],
        "invalid": [
            {
                "value": broken.value,
                "breaks": f"#{broken.position.pointer}",
                "at": make_pointer(broken.instance_path),
            }
            for broken in broken_instances(part, prepared, MOST_BROKEN)
        ],
    }

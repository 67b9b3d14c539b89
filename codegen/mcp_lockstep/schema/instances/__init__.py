"""One maker of instances for any schema: valid ones, and ones in which a single keyword is broken.

Deterministic and bounded in time and size; every instance is confirmed by a validator of the dialect that the
document names, with formats as annotations. Needs the `gen` extra.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.schema.instances.document import Schemas, SchemaUnusable
from mcp_lockstep.schema.instances.maker import Coverage, Maker
from mcp_lockstep.schema.instances.values import Broken, Instance, Path, Position
from mcp_lockstep.schema.values import Json

__all__ = [
    "Broken",
    "Coverage",
    "Instance",
    "Maker",
    "Path",
    "Position",
    "SchemaUnusable",
    "Schemas",
    "broken_instances",
    "valid_instances",
]

GRAFT = "x-mcp-lockstep-schema"


def _maker(schema: Json, root: Json | Schemas, seed: int, coverage: Coverage | None) -> Maker:
    if isinstance(root, Schemas):
        schemas, document = root, root.root
    else:
        schemas, document = None, root if isinstance(root, dict) else schema
    if schema is document:
        return Maker(schemas or Schemas(document), "", seed, coverage)
    reference = schema.get("$ref") if isinstance(schema, dict) and len(schema) == 1 else None
    if isinstance(reference, str):
        prepared = schemas or Schemas(document)
        pointer = prepared.resolve("", reference)
        if pointer is not None:
            return Maker(prepared, pointer, seed, coverage)
    grafted: dict[str, Json] = {**(document if isinstance(document, dict) else {}), GRAFT: schema}
    return Maker(Schemas(grafted), f"/{GRAFT}", seed, coverage)


def valid_instances(
    schema: Json,
    root: Json | Schemas = None,
    count: int | None = None,
    seed: int = 0,
    coverage: Coverage | None = None,
) -> Iterator[Instance]:
    """Different valid instances of `schema`, at most `count`, or as many as cover every keyword once.

    `root` is the document that its references mean (None: the schema itself); a schema `{"$ref": ...}` names a
    part of it. Fewer than `count` where the schema has fewer values or none are found. `coverage`, if given,
    is filled. Raises SchemaUnusable.
    """
    return _maker(schema, root, seed, coverage).valid(count)


def broken_instances(
    schema: Json,
    root: Json | Schemas = None,
    count: int | None = None,
    seed: int = 0,
    coverage: Coverage | None = None,
) -> Iterator[Broken]:
    """Different instances of `schema` in which one keyword is broken, at most `count`, or one per keyword.

    Arguments as for `valid_instances`; what could not be broken is in `coverage.unbroken` with its reason.
    """
    return _maker(schema, root, seed, coverage).broken(count)

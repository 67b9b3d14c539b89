"""A module of models as a file: the schema with its patches, what it was made from, the models, the seal."""

from __future__ import annotations

import json
from typing import cast

from mcp_lockstep.documents.data import as_object
from mcp_lockstep.documents.pointer import value_at
from mcp_lockstep.findings import Finding, Position
from mcp_lockstep.generated.modules import Task, relative_import
from mcp_lockstep.generated.patches import patched, read_patches
from mcp_lockstep.generated.recipe import seal_python
from mcp_lockstep.models.options import ModelOptions, Shares
from mcp_lockstep.models.single import generate_models
from mcp_lockstep.naming import class_name
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.prose import tidied
from mcp_lockstep.schema.values import Json

AGAIN = "`mcp-lockstep sync` or `mcp-lockstep models`"
SOURCE = "the schema below"
_ROOTS = {"mcp": "Message", "mcpb": "BundleManifest", "registry-list": "RegistryList", "server": "ServerJson"}
"""What the root of a bundled schema is called that has no title."""
_LONGEST = 160


class ModuleFile(NamedTuple):
    """The sealed text of a module (empty where an error stopped it), the schema it is of, names, what is wrong.

    `names` maps each definition of the schema, and `""` for its root, to the class or alias it became.
    """

    text: str
    schema: object
    names: dict[str, str]
    findings: tuple[Finding, ...]


def module_file(task: Task) -> ModuleFile:
    """The module that `task` asks for. Refused where a patch does not fit."""
    schema = effective_schema(task)
    options = ModelOptions(
        _root_name(task, schema), task.schema.path, task.job.style, task.job.overrides, _shares(task)
    )
    made = generate_models(schema, options)
    findings = (*map(task.impossible, made.troubles), *(_located(task, finding) for finding in made.findings))
    if not made.source:
        return ModuleFile("", schema, {}, findings)
    body = f"{_header(task, schema)}\n{made.source.rstrip()}\n"
    return ModuleFile(seal_python(task.recipe, SOURCE, body, AGAIN), schema, made.names, findings)


def _shares(task: Task) -> Shares | None:
    """The module from which `task` imports what is equal there."""
    other = task.shares
    if other is None:
        return None
    schema = effective_schema(other)
    return Shares(relative_import(task.job.output, other.job.output), _root_name(other, schema), schema)


def effective_schema(task: Task) -> object:
    """The schema that models are made from: patched, and its published prose made readable."""
    schema = task.schema.data()
    if task.patches is not None:
        schema = patched(schema, task.patches)
    return tidied(cast("Json", schema)) if task.schema.kind == "pulled" else schema


def _root_name(task: Task, schema: object) -> str:
    """The class of the root: its title, else what the schema or its file is called."""
    if (as_object(schema) or {}).get("title"):
        return ""
    name = task.schema.label.partition("@")[0]
    if task.schema.kind == "own":
        return class_name(
            task.schema.label.rpartition("/")[2].rpartition(":")[2].partition(".")[0] or "Document"
        )
    return _ROOTS.get(name, class_name(name))


def _header(task: Task, schema: object) -> str:
    """What the module was made from, one line each; nothing in a text of others can end its line."""
    schema_id = (as_object(schema) or {}).get("$id")
    origin = "canonical JSON" if task.schema.kind == "own" else "published document"
    rows = (
        ("schema", _plain(task.schema.label)),
        ("$id", _plain(schema_id) if isinstance(schema_id, str) else ""),
        ("revision", _plain(task.schema.revision)),
        ("sha256", f"{task.schema.sha256} ({origin})"),
        ("profile", f"{task.job.profile}, {task.job.kind}"),
        ("runs on", ", ".join(task.job.style.targets)),
        ("other than the schema", ", ".join(task.job.overrides.changes)),
        ("patches", "" if task.patches is None else str(len(read_patches(task.patches)))),
    )
    return "".join(f"# {name}: {value}\n" for name, value in rows if value)


def _plain(text: str) -> str:
    """`text` in printable ASCII on one line, cut where it is long."""
    shown = json.dumps(text)[1:-1].replace("\x7f", "\\u007f")
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."


def _located(task: Task, finding: Finding) -> Finding:
    """The finding with its position in the document, unless a patch put there what it is about."""
    document = task.schema.document
    if document is None or finding.position != Position():
        return finding
    try:
        value_at(document.data, finding.place.address)
    except (KeyError, ValueError):
        return finding
    return finding._replace(position=document.where(finding.place.address))

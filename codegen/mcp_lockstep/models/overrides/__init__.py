"""What a maintainer wants otherwise in a module of models, done to document and plan before anything is printed."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.config.overrides import Overrides, OverrideTrouble, misspelt
from mcp_lockstep.config.styles import Style
from mcp_lockstep.models.overrides.appending import appended
from mcp_lockstep.models.overrides.bases import based
from mcp_lockstep.models.overrides.fields import fields_renamed
from mcp_lockstep.models.overrides.names import classes_renamed
from mcp_lockstep.models.overrides.places import Places
from mcp_lockstep.models.overrides.policies import policed
from mcp_lockstep.models.overrides.types import typed
from mcp_lockstep.models.plan import FieldNames, ModulePlan, plan
from mcp_lockstep.schema.values import Node


def planned(
    document: Node, places: Places, naming: FieldNames, overrides: Overrides, troubles: list[OverrideTrouble]
) -> ModulePlan:
    """The plan for a document that all passes went over, with the overrides. What cannot be done goes to `troubles`."""
    troubles += misspelt(overrides)
    if troubles:
        return plan(document, naming)
    document = classes_renamed(document, places, overrides, troubles)
    judged = plan(document, naming)
    found = judged
    if overrides.types:
        document, imported = typed(document, places, overrides, troubles)
        # What `$ref` in rules means stays what the schema says.
        found = plan(document, naming)._replace(definitions=judged.definitions)
        found = found._replace(custom=found.custom._replace(imports=imported))
    found = fields_renamed(found, overrides, troubles)
    found = policed(found, overrides, troubles)
    found = based(found, overrides)
    return appended(found, overrides, troubles)


def unsupported(overrides: Overrides, style: Style) -> Iterator[OverrideTrouble]:
    """The overrides that models of another kind than pydantic's cannot fulfil."""
    for key in overrides.changes if style.kind != "pydantic" else ():
        message = f"`{key}` is for models of the kind 'pydantic', and these are of the kind {style.kind!r}"
        yield OverrideTrouble((key,), message, style.kind, "pydantic")

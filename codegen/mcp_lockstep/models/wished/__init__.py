"""What a maintainer wished of a module of models, done to its document and its plan before anything is printed."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.models.plan import FieldNames, ModulePlan, plan
from mcp_lockstep.models.wished.appending import appended
from mcp_lockstep.models.wished.bases import based
from mcp_lockstep.models.wished.fields import fields_renamed
from mcp_lockstep.models.wished.names import classes_renamed
from mcp_lockstep.models.wished.places import Places
from mcp_lockstep.models.wished.policies import policed
from mcp_lockstep.models.wished.types import typed
from mcp_lockstep.schema.values import Node
from mcp_lockstep.styles import Style
from mcp_lockstep.wishes import Wishes, WishTrouble, misspelt


def planned(
    document: Node, places: Places, naming: FieldNames, wishes: Wishes, troubles: list[WishTrouble]
) -> ModulePlan:
    """The plan for a document that all passes went over, as wished. What cannot be done goes to `troubles`."""
    troubles += misspelt(wishes)
    if troubles:
        return plan(document, naming)
    document = classes_renamed(document, places, wishes, troubles)
    judged = plan(document, naming)
    found = judged
    if wishes.types:
        document, imported = typed(document, places, wishes, troubles)
        # What `$ref` in rules means stays what the schema says.
        found = plan(document, naming)._replace(definitions=judged.definitions)
        found = found._replace(custom=found.custom._replace(imports=imported))
    found = fields_renamed(found, wishes, troubles)
    found = policed(found, wishes, troubles)
    found = based(found, wishes)
    return appended(found, wishes, troubles)


def unsupported(wishes: Wishes, style: Style) -> Iterator[WishTrouble]:
    """The wishes that models of another kind than pydantic's cannot fulfil."""
    for key in wishes.changes if style.kind != "pydantic" else ():
        message = f"`{key}` is for models of the kind 'pydantic', and these are of the kind {style.kind!r}"
        yield WishTrouble((key,), message, style.kind, "pydantic")

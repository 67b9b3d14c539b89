"""server.json as it goes into what is built. Where metadata alone is made, nothing is judged, nor loaded for that."""

from __future__ import annotations

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.facts.read import homes_apart, read_facts
from mcp_lockstep.facts.table import FACTS
from mcp_lockstep.project import Project
from mcp_lockstep.render import Values, render
from mcp_lockstep.tree import Disk, Tree


def rendered_for(project: Project, manifest: JsonDocument, version: str) -> JsonDocument:
    """server.json with the `version` that is built in it; as it is where it speaks of something else than is built."""
    apart = homes_apart(FACTS["version"], read_facts(project, ()))
    return render(project, manifest, Values(None if apart else version, spelling="kept")).document


def rendered_in(root: str, version: str) -> bytes | None:
    """`rendered_for` of the project in the folder `root`; None where server.json cannot be read."""
    project = Project(Tree(Disk(root)))
    manifest = project.manifest
    return None if manifest is None else rendered_for(project, manifest, version).raw
